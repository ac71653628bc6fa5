//! `askback link`: a link to one question, and the same as a code for a camera.

use std::io::{IsTerminal as _, Write as _};

use anyhow::Context as _;
use askback_wire::link::{LinkAllow, LinkResponse, NewLinkParams};
use askback_wire::qr;
use serde_json::json;

use super::inquiry_id::complete_inquiry_id;
use crate::args::LinkArgs;
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;

pub(crate) fn run(args: &LinkArgs) -> Result<(), Failure> {
    let made = runtime::block_on(async {
        let connection = Connection::open(&args.connect, Model::OrNone).await?;
        let params = NewLinkParams {
            expires_in: args.expires_in,
            allow: args.allow.into(),
        };
        let client = &connection.client;
        let made = match complete_inquiry_id(client, &args.id).await {
            Ok(id) => client.link(&id, &params).await.map_err(Failure::from),
            Err(failure) => Err(failure),
        };
        connection.close().await?;
        Ok(made)
    })?;
    print(&made?, args)
}

fn print(link: &LinkResponse, args: &LinkArgs) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    if args.json {
        let shown = json!({"url": link.url, "expires_at": link.expires_at, "allow": link.allow});
        let shown = serde_json::to_string(&shown).context("cannot write the link")?;
        writeln!(out, "{shown}")?;
        return Ok(());
    }
    writeln!(out, "{}", link.url)?;
    if let Some(code) = qr::blocks(&link.url) {
        writeln!(out)?;
        // Light on dark whatever the background of the terminal is: not every camera reads the reverse.
        let coloured = out.is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let (begin, end) = if coloured {
            ("\x1b[97;40m", "\x1b[0m")
        } else {
            ("", "")
        };
        for line in code.lines() {
            writeln!(out, "{begin}{line}{end}")?;
        }
        writeln!(out)?;
    }
    let more = match link.allow {
        LinkAllow::Answer => "",
        LinkAllow::Decline => ", or declines it",
        LinkAllow::Stop => ", declines it, or stops the agent",
    };
    writeln!(
        out,
        "It answers this question once{more}, until {}.",
        link.expires_at
    )?;
    Ok(())
}

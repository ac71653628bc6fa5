//! `askback link`: a link to one question, and its QR code.

use std::io::{Stdout, Write as _};

use askback_tui::prompt::is_on_loopback;
use askback_wire::link::{LinkAllow, LinkResponse, NewLinkParams};
use askback_wire::qr;
use serde_json::json;

use super::inquiry_id::{complete_inquiry_id, inquiry_failure};
use super::server_list::print_json;
use crate::args::LinkArgs;
use crate::connect::with_server;
use crate::failure::{Failure, refuse};
use crate::output::Output;

pub(crate) fn run(args: &LinkArgs) -> Result<(), Failure> {
    let params = NewLinkParams {
        expires_in: args.expires_in,
        allow: args.allow.into(),
    };
    let made = with_server(&args.connect, async |server| {
        let id = complete_inquiry_id(&server.client, &args.id).await?;
        if server.is_embedded().await {
            return refuse(
                "No server is running that could open the link. Start `askback serve`, or keep \
                 `askback inbox` open, and try again.",
            );
        }
        let made = server.client.link(&id, &params).await;
        made.map_err(|error| inquiry_failure(error, &id))
    })?;
    print(&made, args)
}

fn print(link: &LinkResponse, args: &LinkArgs) -> Result<(), Failure> {
    let mut out = crate::output::stdout();
    if args.json {
        let shown = json!({"url": link.url, "expires_at": link.expires_at, "allow": link.allow});
        return print_json(&shown);
    }
    writeln!(out, "{}", link.url)?;
    print_qr(&mut out, &link.url)?;
    let more = match link.allow {
        LinkAllow::Answer => "",
        LinkAllow::Decline => ", or declines it",
        LinkAllow::Stop => ", declines it, or stops the agent",
    };
    writeln!(
        out,
        "The link answers this question once{more}, until {}.",
        link.expires_at
    )?;
    if is_on_loopback(&link.url) {
        writeln!(
            crate::output::stderr(),
            "askback: only this machine can open the link. For other devices, start the server with \
             askback serve --phone, or with --public-url URL."
        )?;
    }
    Ok(())
}

/// Prints the QR code of a link, with an empty line before and behind it.
pub(super) fn print_qr(out: &mut Output<Stdout>, url: &str) -> std::io::Result<()> {
    let Some(code) = qr::blocks(url) else {
        return Ok(());
    };
    writeln!(out)?;
    for line in code.lines() {
        // Light on dark, whatever the terminal's background: some cameras cannot read the reverse.
        out.write_coloured_line("97;40", line)?;
    }
    writeln!(out)
}

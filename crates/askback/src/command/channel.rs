//! `askback channel`: sets channels up and shows whether they work.

mod add;

use std::io::Write as _;
use std::time::Duration;

use askback_client::ClientError;
use askback_wire::channel::{ChannelResponse, LinkCodeParams, LinkCodeResponse};
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::respond::CancelParams;
use serde_json::json;

use crate::args::{ChannelAction, ChannelArgs, ConnectArgs, LinkChannelArgs, ListChannelsArgs};
use crate::connect::{Connection, FallbackModel};
use crate::failure::Failure;
use crate::runtime;

/// How long the answer to the test question is waited for.
const TEST_WAIT: Duration = Duration::from_mins(2);

/// The kinds through which a person can send a code.
const LINKED_KINDS: [&str; 2] = ["telegram", "slack"];

pub(crate) fn run(args: &ChannelArgs) -> Result<(), Failure> {
    match &args.action {
        ChannelAction::Add(args) => add::run(args),
        ChannelAction::Link(args) => link(args),
        ChannelAction::Test(args) => test(args),
        ChannelAction::List(args) => list(args),
    }
}

/// Calls the server, or one in this process.
fn with_client<T>(
    connect: &ConnectArgs,
    call: impl AsyncFnOnce(&askback_client::Client) -> Result<T, ClientError>,
) -> Result<T, Failure> {
    let done = runtime::block_on(async {
        let connection = Connection::open(connect, FallbackModel::None).await?;
        let done = call(&connection.client).await;
        connection.close().await?;
        Ok(done)
    })?;
    Ok(done?)
}

fn link(args: &LinkChannelArgs) -> Result<(), Failure> {
    let params = LinkCodeParams {
        recipient: args.recipient.clone(),
    };
    let (code, kind) = with_client(&args.connect, async |client| {
        let channels = client.channels().await?.items.into_iter();
        let mut channels = channels.filter(|channel| channel.name == args.channel);
        let kind = channels.next().map(|channel| channel.kind);
        let is_linked = kind
            .as_deref()
            .is_none_or(|kind| LINKED_KINDS.contains(&kind));
        let code = if is_linked {
            Some(client.link_code(&args.channel, &params).await?)
        } else {
            None
        };
        Ok((code, kind.unwrap_or_default()))
    })?;
    let Some(code) = code else {
        return Err(Failure::Refused(format!(
            "Nobody can send a code through {kind}. Write the account into `identities` of the person instead, as \
             docs/channels.md says."
        )));
    };
    let mut out = std::io::stdout().lock();
    let LinkCodeResponse {
        code,
        recipient,
        account,
        url,
        ..
    } = code;
    if let Some(url) = &url {
        writeln!(
            out,
            "Open this link as {recipient}, and press Start:\n\n  {url}\n"
        )?;
        super::link::print_qr(&mut out, url)?;
    }
    let bot = account.unwrap_or_else(|| "the bot".to_owned());
    // Slack takes a text that begins with a slash for a command of its own.
    let message = if kind == "slack" {
        code
    } else {
        format!("/start {code}")
    };
    let send = if url.is_some() { "Or send" } else { "Send" };
    writeln!(out, "{send} this to {bot}:\n\n  {message}\n")?;
    writeln!(
        out,
        "The code works once, within 30 minutes. The server must be running then."
    )?;
    Ok(())
}

fn test(args: &LinkChannelArgs) -> Result<(), Failure> {
    let params = NewInquiryParams {
        input: json!({ "questions": [{
            "question": "Does this message arrive?",
            "header": "Test",
            "options": [{ "label": "Yes" }, { "label": "No" }],
        }] }),
        source: Some("askback channel test".to_owned()),
        recipient: args.recipient.clone(),
        expires_in: "10m".parse().ok(),
        ..NewInquiryParams::default()
    };
    let answered: Result<InquiryResponse, Vec<String>> =
        with_client(&args.connect, async |client| {
            let mut channels = client.channels().await?.items;
            channels.sort_by(|one, other| one.name.cmp(&other.name));
            if !channels.iter().any(|channel| channel.name == args.channel) {
                let names = channels.into_iter().map(|channel| channel.name);
                return Ok(Err(names.collect::<Vec<String>>()));
            }
            report_errors(&channels, &args.channel);
            let mut asked = client.ask(&params).await?;
            eprintln_line("The question was asked. Answer it there; this waits two minutes.");
            asked = client.wait_for_inquiry(&asked.id, TEST_WAIT).await?;
            report_errors(&client.channels().await?.items, &args.channel);
            if !asked.status.is_resolved() {
                client
                    .withdraw_inquiry(&asked.id, &CancelParams::default())
                    .await?;
            }
            Ok(Ok(asked))
        })?;
    let answered = answered.map_err(|known| {
        let name = &args.channel;
        Failure::Refused(if known.is_empty() {
            format!("There is no channel {name}. Add one with: askback channel add telegram")
        } else {
            format!(
                "There is no channel {name}. Configured: {}",
                known.join(", ")
            )
        })
    })?;
    if !answered.status.is_resolved() {
        return Err(Failure::Refused(
            "Nobody has answered, and the question was withdrawn. See `askback channel list` for errors."
                .to_owned(),
        ));
    }
    let mut out = std::io::stdout().lock();
    let by = answered.answered_by.as_deref().unwrap_or("somebody");
    let surface = answered.surface.map(|surface| surface.to_string());
    let surface = surface.unwrap_or_default();
    writeln!(out, "{}: {by}, {surface}", answered.status)?;
    Ok(())
}

fn eprintln_line(text: &str) {
    let _written = writeln!(std::io::stderr().lock(), "{text}");
}

fn report_errors(channels: &[ChannelResponse], name: &str) {
    for channel in channels.iter().filter(|channel| channel.name == name) {
        if let Some(error) = &channel.last_error {
            eprintln_line(&format!("{name}: {error}"));
        }
    }
}

fn list(args: &ListChannelsArgs) -> Result<(), Failure> {
    let channels = with_client(&args.connect, async |client| client.channels().await)?.items;
    if channels.is_empty() && !args.json {
        eprintln_line("No channel is set up. Add one with: askback channel add telegram");
    }
    let mut out = std::io::stdout().lock();
    for channel in &channels {
        if args.json {
            let line = serde_json::to_string(channel).map_err(anyhow::Error::from)?;
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}", line(channel))?;
        }
    }
    Ok(())
}

/// One line: the name, whether it works, whom it reaches, and what it did not deliver.
pub(crate) fn line(channel: &ChannelResponse) -> String {
    let reaches = if channel.recipients.is_empty() {
        format!("reaches nobody yet: askback channel link {}", channel.name)
    } else {
        format!("reaches {}", channel.recipients.join(", "))
    };
    let state = match (&channel.last_error, &channel.last_success) {
        (Some(error), _) => format!("error: {error}"),
        (None, Some(_)) => "OK".to_owned(),
        (None, None) => "not tried yet".to_owned(),
    };
    let mut line = format!("{} ({}): {state}; {reaches}", channel.name, channel.kind);
    for missing in &channel.not_delivered {
        let questions = match missing.questions {
            1 => "1 question".to_owned(),
            many => format!("{many} questions"),
        };
        let (recipient, reason) = (&missing.recipient, &missing.reason);
        line.push_str(&format!(
            "; {questions} not delivered to {recipient}: {reason}"
        ));
    }
    line
}

//! `askback channel`: sets channels up and shows whether they work.

mod add;
mod test;

use std::fmt::Write as _;
use std::io::Write as _;

use askback_client::{Client, ClientError};
use askback_wire::channel::{ChannelResponse, LinkCodeParams};

use super::server_list::print_list;
use crate::args::{ChannelAction, ChannelArgs, LinkChannelArgs, ServerListArgs};
use crate::connect::with_server;
use crate::failure::{Failure, refuse};
use crate::output;

/// The kinds through which a person can send a code.
const LINKED_KINDS: [&str; 2] = ["telegram", "slack"];

pub(crate) fn run(args: &ChannelArgs) -> Result<(), Failure> {
    match &args.action {
        ChannelAction::Add(args) => add::run(args),
        ChannelAction::Link(args) => link(args),
        ChannelAction::Test(args) => test::run(args),
        ChannelAction::List(args) => list(args),
    }
}

fn link(args: &LinkChannelArgs) -> Result<(), Failure> {
    let params = LinkCodeParams {
        recipient: args.recipient.clone(),
    };
    let (code, kind) = with_server(&args.connect, async |server| {
        let client = &server.client;
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
        Ok::<_, ClientError>((code, kind.unwrap_or_default()))
    })?;
    let Some(code) = code else {
        return refuse(format!(
            "Nobody can send a code through {kind}. Write the account into `identities` of the person instead, as \
             docs/channels.md says."
        ));
    };
    let mut out = output::stdout();
    if let Some(url) = &code.url {
        let recipient = &code.recipient;
        writeln!(
            out,
            "Open this link as {recipient}, and press Start:\n\n  {url}\n"
        )?;
        super::link::print_qr(&mut out, url)?;
    }
    let bot = code.account.as_deref().unwrap_or("the bot");
    // Slack takes a text that begins with a slash for a command of its own.
    let start = if kind == "slack" { "" } else { "/start " };
    let message = format!("{start}{}", code.code);
    let send = if code.url.is_some() {
        "Or send"
    } else {
        "Send"
    };
    writeln!(out, "{send} this to {bot}:\n\n  {message}\n")?;
    writeln!(
        out,
        "The code works once, within 30 minutes. The server must be running then."
    )?;
    Ok(())
}

fn eprintln_line(text: &str) {
    let _written = writeln!(output::stderr(), "{text}");
}

fn list(args: &ServerListArgs) -> Result<(), Failure> {
    let none = "No channel is set up. Add one with: askback channel add telegram";
    let channels = async |client: &Client| Ok(client.channels().await?.items);
    print_list(args, none, channels, line)
}

/// What to do so that a channel reaches somebody.
fn how_to_reach(channel: &ChannelResponse) -> String {
    let name = &channel.name;
    match channel.kind.as_str() {
        "telegram" | "slack" => format!("askback channel link {name}"),
        "webpush" => "switch notifications on in the browser's inbox".to_owned(),
        kind => format!(
            "add \"{kind}:…\" to the identities of a recipient in the configuration (docs/channels.md)"
        ),
    }
}

/// One line: the name, whether it works, whom it reaches, and what it did not deliver.
pub(crate) fn line(channel: &ChannelResponse) -> String {
    if channel.removed {
        let messages = channel.left_messages.iter().map(|left| left.messages);
        return format!(
            "{}: no longer configured; {} not updated any more",
            channel.name,
            counted(messages.sum(), "message")
        );
    }
    let reaches = if channel.recipients.is_empty() {
        format!("reaches nobody yet: {}", how_to_reach(channel))
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
        let questions = counted(missing.questions, "question");
        let (recipient, reason) = (&missing.recipient, &missing.reason);
        let _written = write!(line, "; {questions} not delivered to {recipient}: {reason}");
    }
    for left in &channel.left_messages {
        let messages = counted(left.messages, "message");
        let recipient = &left.recipient;
        let _written = write!(
            line,
            "; {messages} to {recipient}, who is no longer configured"
        );
    }
    line
}

fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        many => format!("{many} {what}s"),
    }
}

#[cfg(test)]
#[path = "channel_tests.rs"]
mod tests;

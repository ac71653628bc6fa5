//! `askback channel test`: sends a question through one channel, says whether it arrived, and waits for its answer.

use std::io::Write as _;
use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::id::InquiryId;
use askback_wire::channel::{ChannelMessageResponse, ChannelMessageState, ChannelResponse};
use askback_wire::inquiry::{InquiryResponse, NewInquiryParams};
use askback_wire::respond::CancelParams;
use serde_json::json;
use tokio::time::Instant;

use super::eprintln_line;
use crate::args::LinkChannelArgs;
use crate::connect::with_server;
use crate::failure::{Failure, refuse};
use crate::output;
use crate::runtime::stop_signal;

/// How long the answer to the test question is waited for.
const ANSWER_WAIT: Duration = Duration::from_mins(2);
/// How long the channel may take to confirm the message. It tries a few times meanwhile.
const DELIVERY_WAIT: Duration = Duration::from_secs(30);
const DELIVERY_POLL: Duration = Duration::from_millis(200);
/// The exit code after ctrl+c.
const INTERRUPTED: u8 = 130;

/// How a test ended.
enum TestEnd {
    Answered(Box<InquiryResponse>),
    /// What went wrong, for the person at the terminal.
    Failed(String),
    Interrupted,
}

pub(super) fn run(args: &LinkChannelArgs) -> Result<(), Failure> {
    let end = with_server(&args.connect, async |server| {
        test(&server.client, args).await
    })?;
    match end {
        TestEnd::Answered(answered) => {
            let by = answered.answered_by.as_deref().unwrap_or("somebody");
            let surface = answered.surface.map(|surface| surface.to_string());
            let surface = surface.unwrap_or_default();
            let mut out = output::stdout();
            writeln!(out, "{}: {by}, {surface}", answered.status)?;
            Ok(())
        }
        TestEnd::Failed(why) => refuse(why),
        TestEnd::Interrupted => {
            eprintln_line("Interrupted. The test question was withdrawn.");
            Err(Failure::Ended(INTERRUPTED))
        }
    }
}

async fn test(client: &Client, args: &LinkChannelArgs) -> Result<TestEnd, ClientError> {
    let channels = client.channels().await?.items;
    if let Err(why) = check_channel(&channels, &args.channel) {
        return Ok(TestEnd::Failed(why));
    }
    let recipient = args.recipient.as_deref().unwrap_or_default();
    let params = NewInquiryParams {
        input: json!({ "questions": [{
            "question": "Does this message arrive?",
            "header": "Test",
            "options": [{ "label": "Yes" }, { "label": "No" }],
        }] }),
        source: Some("askback channel test".to_owned()),
        recipient: Some(format!("{recipient}@{}", args.channel)),
        // If this process is killed, the question does not stay for long.
        expires_in: "10m".parse().ok(),
        ..NewInquiryParams::default()
    };
    let asked = client.ask(&params).await?;
    let end = tokio::select! {
        end = follow(client, &asked.id, &args.channel) => end,
        () = stop_signal() => Ok(TestEnd::Interrupted),
    };
    if !matches!(end, Ok(TestEnd::Answered(_))) {
        let params = CancelParams::default();
        match client.withdraw_inquiry(&asked.id, &params).await {
            // A problem: it was answered in this moment.
            Ok(_) | Err(ClientError::Problem(_)) => {}
            Err(error) => return Err(error),
        }
    }
    end
}

/// Refuses a channel that does not exist, or that reaches nobody.
fn check_channel(channels: &[ChannelResponse], name: &str) -> Result<(), String> {
    let configured = channels.iter().filter(|channel| !channel.removed);
    let mut names: Vec<&str> = configured.clone().map(|it| it.name.as_str()).collect();
    names.sort_unstable();
    let mut found = configured.filter(|channel| channel.name == name);
    match found.next() {
        None if names.is_empty() => Err(format!(
            "There is no channel {name}. Add one with: askback channel add telegram"
        )),
        None => Err(format!(
            "There is no channel {name}. Configured: {}",
            names.join(", ")
        )),
        Some(channel) if channel.recipients.is_empty() => Err(format!(
            "The channel {name} reaches nobody yet: {}",
            super::how_to_reach(channel)
        )),
        Some(_) => Ok(()),
    }
}

/// Waits until the message has arrived, and then for the answer.
async fn follow(client: &Client, id: &InquiryId, channel: &str) -> Result<TestEnd, ClientError> {
    if let Err(why) = delivered(client, id, channel).await? {
        return Ok(TestEnd::Failed(why));
    }
    eprintln_line("Answer the question there; this waits two minutes.");
    let asked = client.wait_for_inquiry(id, ANSWER_WAIT).await?;
    Ok(if asked.status.is_resolved() {
        TestEnd::Answered(Box::new(asked))
    } else {
        TestEnd::Failed("Nobody has answered. The question was withdrawn.".to_owned())
    })
}

/// Prints to whom the message was delivered, as soon as the channel says so. The error says why it was not.
async fn delivered(
    client: &Client,
    id: &InquiryId,
    channel: &str,
) -> Result<Result<(), String>, ClientError> {
    let until = Instant::now() + DELIVERY_WAIT;
    let mut told: Vec<String> = Vec::new();
    loop {
        let messages = client.channel_messages(id).await?.items;
        let with = |state| messages.iter().filter(move |it| it.state == state);
        for message in with(ChannelMessageState::Sent) {
            if !told.contains(&message.recipient) {
                eprintln_line(&format!("{channel}: delivered to {}", message.recipient));
                told.push(message.recipient.clone());
            }
        }
        let is_late = Instant::now() >= until;
        let waits = messages.is_empty() || with(ChannelMessageState::Waiting).next().is_some();
        if waits && !is_late {
            tokio::time::sleep(DELIVERY_POLL).await;
            continue;
        }
        let failed = messages.iter();
        let failed = failed.filter(|message| message.state != ChannelMessageState::Sent);
        let failed: Vec<String> = failed.map(|it| failure(channel, it)).collect();
        return Ok(match (told.is_empty(), failed.is_empty()) {
            (false, true) => Ok(()),
            (true, true) => Err(format!(
                "{channel}: not delivered: nobody whom the question is for has an account there. Link one with: askback \
                 channel link {channel}"
            )),
            (_, false) => Err(failed.join("\n")),
        });
    }
}

fn failure(channel: &str, message: &ChannelMessageResponse) -> String {
    let reason = message.reason.as_deref().unwrap_or("no response in time");
    format!(
        "{channel}: not delivered to {}: {reason}",
        message.recipient
    )
}

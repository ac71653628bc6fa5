//! `askback list`: questions by status.

use std::io::Write as _;

use anyhow::anyhow;
use askback_terminal::width::clip;
use askback_wire::inquiry::{HeldResponse, InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;
use askback_wire::outcome::{OutcomeResponse, to_answers};
use askback_wire::question::{QuestionKind, QuestionResponse};
use jiff::Timestamp;

use crate::args::ListArgs;
use crate::connect::{Connection, FallbackModel};
use crate::failure::{Failure, client_error_text};
use crate::output;
use crate::runtime;

/// The choices of a question are truncated to this width.
const CHOICES_COLUMNS: usize = 60;
/// So is an answer.
const ANSWER_COLUMNS: usize = 80;

pub(crate) fn run(args: &ListArgs) -> Result<(), Failure> {
    runtime::block_on(list(args))?;
    Ok(())
}

async fn list(args: &ListArgs) -> anyhow::Result<()> {
    let connection = Connection::open(&args.connect, FallbackModel::None).await?;
    let mut params = ListInquiriesParams {
        status: (args.status != "all").then(|| InquiryStatus::from(args.status.as_str())),
        ..ListInquiriesParams::default()
    };
    let mut found = 0;
    loop {
        let page = connection.client.inquiries(&params).await;
        let page = page.map_err(|error| anyhow!(client_error_text(&error)))?;
        found += page.items.len();
        for inquiry in &page.items {
            write_one(inquiry, args.json)?;
        }
        if page.next.is_none() {
            break;
        }
        params.cursor = page.next;
    }
    if found == 0 && !args.json {
        writeln!(
            output::stderr(),
            "{}",
            match args.status.as_str() {
                "all" => "There are no questions.".to_owned(),
                status => format!("No questions are {status}."),
            }
        )?;
    }
    connection.close().await
}

fn write_one(inquiry: &InquiryResponse, json: bool) -> anyhow::Result<()> {
    let mut out = output::stdout();
    if json {
        writeln!(out, "{}", serde_json::to_string(inquiry)?)?;
        return Ok(());
    }
    writeln!(out, "{}", line(inquiry, Timestamp::now()))?;
    Ok(())
}

/// Id, status, age, recipient, asker, question, and the answer, or what can be chosen and what is assumed meanwhile.
fn line(inquiry: &InquiryResponse, now: Timestamp) -> String {
    let (text, more) = match inquiry.questions.as_slice() {
        [] => ("", String::new()),
        [only] => (only.text.as_str(), choices(only)),
        [first, rest @ ..] => (first.text.as_str(), format!(" (and {} more)", rest.len())),
    };
    let text = text.lines().next().unwrap_or_default();
    let agent = inquiry.asker.as_ref().map(|asker| asker.client.as_str());
    let asker = match inquiry.source.as_deref().or(agent) {
        Some(asker) => format!("{asker}: "),
        None => String::new(),
    };
    let age = age(inquiry.asked_at, now);
    let (status, outcome) = match &inquiry.held {
        Some(held) => (held_status(held, now), Some(&held.outcome)),
        None if inquiry.is_detached() => ("pending, agent not waiting".to_owned(), None),
        None => (inquiry.status.to_string(), inquiry.outcome.as_ref()),
    };
    let given = outcome.and_then(|outcome| given(inquiry, outcome));
    let tail = match given {
        Some(given) => format!(" = {}", clip(&given, ANSWER_COLUMNS, "…")),
        None => match &inquiry.assumption {
            Some(assumed) => {
                let assumed = assumed.split_whitespace().collect::<Vec<_>>().join(" ");
                let assumed = clip(&assumed, ANSWER_COLUMNS, "…");
                format!("{more} (meanwhile: {assumed})")
            }
            None => more,
        },
    };
    let recipient = match inquiry.shown_recipient() {
        Some(recipient) => format!("(for {recipient}) "),
        None => String::new(),
    };
    format!(
        "{}  {status}  {age}  {recipient}{asker}{text}{tail}",
        inquiry.id
    )
}

/// The status of a question whose answer can be undone, in place of `pending`.
fn held_status(held: &HeldResponse, now: Timestamp) -> String {
    let status = held.outcome.status();
    let left = held.until.duration_since(now).as_millis().max(0);
    let seconds = (left + 999) / 1000;
    format!("{status}, can be undone for {seconds} s")
}

/// What was answered, on one line; none if nothing was.
fn given(inquiry: &InquiryResponse, outcome: &OutcomeResponse) -> Option<String> {
    let text = match outcome {
        OutcomeResponse::Answered { answers } => {
            let asked = inquiry.to_inquiry().ok()?;
            let answers = to_answers(answers)?;
            let answers = answers.with_questions(&asked);
            let parts = answers.map(|(question, answer)| {
                let parts = answer.given.display_parts(question);
                if parts.is_empty() {
                    "-".to_owned()
                } else {
                    parts.join(", ")
                }
            });
            parts.collect::<Vec<_>>().join("; ")
        }
        OutcomeResponse::Superseded { message } => message.clone(),
        OutcomeResponse::Declined
        | OutcomeResponse::Rejected
        | OutcomeResponse::Cancelled
        | OutcomeResponse::Expired
        | OutcomeResponse::Withdrawn
        | OutcomeResponse::Undeliverable { .. }
        | OutcomeResponse::Unknown => return None,
    };
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The labels to choose from, in brackets; empty for other kinds of questions.
fn choices(question: &QuestionResponse) -> String {
    let QuestionKind::Choice { choices, .. } = &question.kind else {
        return String::new();
    };
    let labels: Vec<&str> = choices.iter().map(|one| one.label.as_str()).collect();
    format!(" [{}]", clip(&labels.join(" / "), CHOICES_COLUMNS, "…"))
}

/// The time since then in its largest unit, such as `5m`.
fn age(then: Timestamp, now: Timestamp) -> String {
    let seconds = now.duration_since(then).as_secs().max(0);
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;

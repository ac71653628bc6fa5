//! `askback list`: questions by status.

use std::io::Write as _;

use anyhow::anyhow;
use askback_terminal::width::clip;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;
use askback_wire::question::{QuestionKind, QuestionResponse};
use jiff::Timestamp;

use crate::args::ListArgs;
use crate::connect::{Connection, FallbackModel};
use crate::failure::{Failure, client_error_text};
use crate::runtime;

/// The choices of a question are truncated to this width.
const CHOICES_COLUMNS: usize = 60;

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
            std::io::stderr().lock(),
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
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(inquiry)?)?;
        return Ok(());
    }
    let (text, more) = match inquiry.questions.as_slice() {
        [] => ("", String::new()),
        [only] => (only.text.as_str(), choices(only)),
        [first, rest @ ..] => (first.text.as_str(), format!(" (and {} more)", rest.len())),
    };
    let line = text.lines().next().unwrap_or_default();
    let agent = inquiry.asker.as_ref().map(|asker| &asker.client);
    let asker = match inquiry.source.as_ref().or(agent) {
        Some(asker) => format!("{asker}: "),
        None => String::new(),
    };
    let age = age(inquiry.asked_at, Timestamp::now());
    writeln!(
        out,
        "{}  {}  {age}  {asker}{line}{more}",
        inquiry.id, inquiry.status
    )?;
    Ok(())
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

//! `askback list`: what waits for an answer.

use std::io::Write as _;

use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;

use crate::args::ListArgs;
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;

pub(crate) fn run(args: &ListArgs) -> Result<(), Failure> {
    runtime::block_on(list(args))?;
    Ok(())
}

async fn list(args: &ListArgs) -> anyhow::Result<()> {
    let connection = Connection::open(&args.connect, Model::OrNone).await?;
    let mut params = ListInquiriesParams {
        status: (args.status != "all").then(|| InquiryStatus::from(args.status.as_str())),
        ..ListInquiriesParams::default()
    };
    let mut found = 0;
    loop {
        let page = connection.client.inquiries(&params).await?;
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
            "No questions are {}.",
            args.status
        )?;
    }
    connection.close().await
}

/// One line for a person, or one JSON object for a program.
fn write_one(inquiry: &InquiryResponse, json: bool) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(inquiry)?)?;
        return Ok(());
    }
    let first = inquiry.questions.first();
    let text = first.map_or("", |question| question.text.as_str());
    let line = text.lines().next().unwrap_or_default();
    let more = match inquiry.questions.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    writeln!(out, "{}  {}  {line}{more}", inquiry.id, inquiry.status)?;
    Ok(())
}

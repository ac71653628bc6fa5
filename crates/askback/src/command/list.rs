//! `askback list`: questions by status.

use std::io::Write as _;

use anyhow::anyhow;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;

use crate::args::ListArgs;
use crate::connect::{Connection, FallbackModel};
use crate::failure::{Failure, client_error_text};
use crate::runtime;

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
    let first = inquiry.questions.first();
    let text = first.map_or("", |question| question.text.as_str());
    let line = text.lines().next().unwrap_or_default();
    let more = match inquiry.questions.len() {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    };
    let asker = match &inquiry.source {
        Some(source) => format!("{source}: "),
        None => String::new(),
    };
    writeln!(
        out,
        "{}  {}  {asker}{line}{more}",
        inquiry.id, inquiry.status
    )?;
    Ok(())
}

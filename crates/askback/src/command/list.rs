//! `askback list`: questions by status and time.

use std::io::Write as _;

use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;
use jiff::Timestamp;

use super::inquiry_line::line;

use crate::args::ListArgs;
use crate::connect::{Connection, FallbackModel};
use crate::failure::{Failure, client_error};
use crate::output;
use crate::runtime;

pub(crate) fn run(args: &ListArgs) -> Result<(), Failure> {
    runtime::block_on(list(args))?;
    Ok(())
}

async fn list(args: &ListArgs) -> anyhow::Result<()> {
    let connection = Connection::open(&args.connect, FallbackModel::None).await?;
    let mut params = ListInquiriesParams {
        status: (args.status != "all").then(|| InquiryStatus::from(args.status.as_str())),
        search: args.search.clone(),
        ..ListInquiriesParams::default()
    };
    let now = Timestamp::now();
    let since = args
        .since
        .map(|since| now.checked_sub(since.std_duration()));
    let since = since.transpose()?;
    let is_recent = |inquiry: &&InquiryResponse| {
        let last = inquiry.resolved_at.unwrap_or(inquiry.asked_at);
        since.is_none_or(|since| last >= since)
    };
    let mut found = 0;
    loop {
        let page = connection.client.inquiries(&params).await;
        let page = page.map_err(|error| client_error(&error))?;
        for inquiry in page.items.iter().filter(is_recent) {
            found += 1;
            write_one(inquiry, args.json, now)?;
        }
        if page.next.is_none() {
            break;
        }
        params.cursor = page.next;
    }
    if found == 0 && !args.json {
        writeln!(output::stderr(), "{}", nothing_found(args))?;
    }
    connection.close().await
}

fn nothing_found(args: &ListArgs) -> String {
    let such = match (&args.since, &args.search) {
        (None, None) => "",
        (Some(_), None) => " of that time",
        (None, Some(_)) => " with these words",
        (Some(_), Some(_)) => " of that time with these words",
    };
    match args.status.as_str() {
        "all" => format!("There are no questions{such}."),
        status => format!("No questions{such} are {status}."),
    }
}

fn write_one(inquiry: &InquiryResponse, json: bool, now: Timestamp) -> anyhow::Result<()> {
    let mut out = output::stdout();
    if json {
        writeln!(out, "{}", serde_json::to_string(inquiry)?)?;
        return Ok(());
    }
    writeln!(out, "{}", line(inquiry, now))?;
    Ok(())
}

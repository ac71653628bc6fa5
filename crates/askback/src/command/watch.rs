//! `askback watch`: events as they happen, as lines for a person or as JSON.

use std::io::Write as _;

use askback_client::FeedItem;
use askback_core::id::ConversationId;
use askback_wire::event::{ChangeName, EventResponse};
use askback_wire::inquiry::InquiryResponse;
use jiff::Timestamp;

use super::inquiry_line::line;
use crate::args::WatchArgs;
use crate::connect::{Connection, FallbackModel, TakeoverDelay};
use crate::failure::{Failure, client_error};
use crate::output;
use crate::runtime;

pub(crate) fn run(args: &WatchArgs) -> Result<(), Failure> {
    runtime::block_on(async {
        let connection =
            Connection::open_with(&args.connect, FallbackModel::None, TakeoverDelay::LONG).await?;
        let watched = tokio::select! {
            watched = watch(&connection, args) => watched,
            () = runtime::stop_signal() => Ok(()),
        };
        connection.close().await?;
        watched
    })?;
    Ok(())
}

async fn watch(connection: &Connection, args: &WatchArgs) -> anyhow::Result<()> {
    let client = &connection.client;
    let mut events = match &args.conversation {
        Some(id) => client.conversation_events(&ConversationId::new(id.as_str()), args.after),
        None => client.events(args.after),
    };
    let mut lost = false;
    loop {
        let item = events.next().await;
        match item.map_err(|error| client_error(&error))? {
            FeedItem::Event(event) => {
                if event.name() == "token" && !args.tokens {
                    continue;
                }
                let mut out = output::stdout();
                if out.is_terminal() && !args.json {
                    if let Some(inquiry) = question(&event) {
                        writeln!(out, "{}", line(inquiry, Timestamp::now()))?;
                    }
                    continue;
                }
                writeln!(
                    out,
                    "{{\"event\":{:?},\"data\":{}}}",
                    event.name(),
                    event.data()
                )?;
                out.flush()?;
            }
            FeedItem::Disconnected(error) => {
                // Printed once, however often the client retries.
                if !std::mem::replace(&mut lost, true) {
                    print_status(&format!("{error}; waiting for the server"))?;
                }
            }
            FeedItem::Reconnected => {
                lost = false;
                print_status("reconnected")?;
            }
        }
    }
}

/// The question of an event that a person wants to know of.
fn question(event: &EventResponse) -> Option<&InquiryResponse> {
    let EventResponse::Inquiry(event) = event else {
        return None;
    };
    let is_news = matches!(
        event.change,
        ChangeName::Asked | ChangeName::HandedOn | ChangeName::Reopened | ChangeName::Resolved
    );
    is_news.then_some(&event.inquiry)
}

fn print_status(text: &str) -> std::io::Result<()> {
    writeln!(output::stderr(), "askback: {text}")
}

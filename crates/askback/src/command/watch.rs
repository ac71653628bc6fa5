//! `askback watch`: what happens, as it happens, one JSON object a line.

use std::io::Write as _;

use askback_client::FeedItem;
use askback_core::id::ConversationId;

use crate::args::WatchArgs;
use crate::connect::{Connection, Model, Patience};
use crate::failure::Failure;
use crate::runtime;

pub(crate) fn run(args: &WatchArgs) -> Result<(), Failure> {
    runtime::block_on(async {
        // It only looks: a server that is restarted is waited for.
        let connection =
            Connection::open_with(&args.connect, Model::OrNone, Patience::Long).await?;
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
        match events.next().await? {
            FeedItem::Event(event) => {
                if event.name() == "token" && !args.tokens {
                    continue;
                }
                let mut out = std::io::stdout().lock();
                writeln!(
                    out,
                    "{{\"event\":{:?},\"data\":{}}}",
                    event.name(),
                    event.data()
                )?;
                out.flush()?;
            }
            FeedItem::Lost(error) => {
                // Said once, however often it is tried.
                if !std::mem::replace(&mut lost, true) {
                    say(&format!("{error}; waiting for the server"))?;
                }
            }
            FeedItem::Restored => {
                lost = false;
                say("connected again")?;
            }
        }
    }
}

/// Says something to whoever watches, beside the events.
fn say(words: &str) -> std::io::Result<()> {
    writeln!(std::io::stderr().lock(), "askback: {words}")
}

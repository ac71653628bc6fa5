//! `askback watch`: what happens, as it happens, one JSON object a line.

use std::io::Write as _;

use askback_api::client::FeedItem;
use askback_core::id::ConversationId;

use crate::args::WatchArgs;
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;

pub(crate) fn run(args: &WatchArgs) -> Result<(), Failure> {
    runtime::block_on(async {
        let mut connection = Connection::open(&args.connect, Model::OrNone).await?;
        let watched = tokio::select! {
            watched = watch(&mut connection, args) => watched,
            () = runtime::stop_signal() => Ok(()),
        };
        connection.close().await?;
        watched
    })?;
    Ok(())
}

async fn watch(connection: &mut Connection, args: &WatchArgs) -> anyhow::Result<()> {
    let client = &connection.client;
    let mut events = match &args.conversation {
        Some(id) => client.conversation_events(&ConversationId::new(id.as_str()), args.after),
        None => client.events(args.after),
    };
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
                tracing::info!(%error, "the server is gone; looking for another one");
                if let Err(error) = connection.mend().await {
                    tracing::info!("{error:#}; trying again");
                }
            }
            FeedItem::Restored => tracing::info!("the server is back"),
        }
    }
}

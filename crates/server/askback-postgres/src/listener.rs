//! Listens to what other nodes have done. It has the only connection whose session matters. While it is
//! not connected, this node asks for news often; otherwise with each renewal of its lease.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::poll_fn;
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio_postgres::AsyncMessage;

use crate::connection::{Connector, Driver};
use crate::error::DatabaseError;
use crate::pool::Pool;
use crate::records;
use crate::remote::{CHANNEL, Message};
use crate::shared::Shared;
use askback_store::RemoteChange;
use askback_store::store::StoreError;

/// How often to ask for news without notifications.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// How long our own notification may take.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);
/// When to try to connect again.
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

pub(super) struct Listener {
    pub(super) connector: Connector,
    pub(super) pool: Arc<Pool>,
    pub(super) shared: Arc<Shared>,
}

impl Listener {
    /// Listens until the store is closed.
    pub(super) async fn run(self, mut closed: watch::Receiver<bool>) {
        let listening = async {
            loop {
                let ended = self.listen().await;
                if let Err(error) = ended {
                    tracing::warn!(%error, "cannot listen to other nodes; asking for news instead");
                }
                self.poll_for(RECONNECT_DELAY).await;
            }
        };
        tokio::select! {
            biased;
            _ = closed.wait_for(|is_closed| *is_closed) => {}
            () = listening => {}
        }
    }

    /// Listens until the connection ends.
    async fn listen(&self) -> Result<(), StoreError> {
        let config = &self.connector.options.listen_config;
        let (client, driver) = self.connector.connect_to(config).await?;
        let (probe, probed) = oneshot::channel();
        let receiving = tokio::spawn(receive(driver, Arc::clone(&self.shared), probe));
        self.shared.connections.add(&receiving);
        let ending = AbortOnDrop(receiving);
        let probing = Message::Probe { node: 0 };
        for statement in [
            format!("LISTEN {CHANNEL}"),
            format!("NOTIFY {CHANNEL}, '{probing}'"),
        ] {
            let executed = client.batch_execute(&statement).await;
            executed.map_err(DatabaseError::from)?;
        }
        match tokio::time::timeout(PROBE_TIMEOUT, probed).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return Ok(()),
            Err(_) => {
                return Err(StoreError::Unavailable(
                    "notifications do not arrive; if a pooler in transaction mode is in between, \
                     name the server itself with listen_host= and listen_port= in the URL"
                        .to_owned(),
                ));
            }
        }
        // Whatever was sent before this connection listened.
        self.ask_for_news().await?;
        self.shared.send(RemoteChange::Jobs);
        ending.ended().await;
        Ok(())
    }

    async fn ask_for_news(&self) -> Result<(), StoreError> {
        let newest = records::newest_sequence(&self.pool).await?;
        self.shared.send(RemoteChange::Records(newest));
        Ok(())
    }

    async fn poll_for(&self, duration: Duration) {
        let polling = async {
            loop {
                tokio::time::sleep(POLL_INTERVAL).await;
                // An error is reported by those who need the answer.
                drop(self.ask_for_news().await);
            }
        };
        drop(tokio::time::timeout(duration, polling.map(|()| ())).await);
    }
}

/// Handles notifications as they arrive, so that none is kept in memory, until the connection ends.
/// Reports the first one.
async fn receive(mut driver: Driver, shared: Arc<Shared>, first: oneshot::Sender<()>) {
    let mut first = Some(first);
    let mut messages = poll_fn(move |context| driver.poll_message(context));
    while let Some(Ok(message)) = messages.next().await {
        let AsyncMessage::Notification(notification) = message else {
            continue;
        };
        if let Some(first) = first.take() {
            // Nobody waits for it if it came too late.
            first.send(()).ok();
        }
        if let Some(message) = Message::parse(notification.payload()) {
            handle(&shared, message);
        }
    }
}

fn handle(shared: &Shared, message: Message) {
    if Some(message.node()) == shared.node() {
        return;
    }
    match message {
        Message::Committed {
            newest,
            has_free_jobs,
            ..
        } => {
            shared.send(RemoteChange::Records(newest));
            if has_free_jobs {
                shared.send(RemoteChange::Jobs);
            }
        }
        Message::JobsFreed { .. } => shared.send(RemoteChange::Jobs),
        Message::Probe { .. } => {}
        Message::Snoozed { inquiry, .. } => shared.send(RemoteChange::Snoozed { inquiry }),
    }
}

/// A task that ends with this value.
struct AbortOnDrop(JoinHandle<()>);

impl AbortOnDrop {
    async fn ended(mut self) {
        drop((&mut self.0).await);
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

//! Listens to what other nodes have done. It has the only connection whose session matters. While it is
//! not connected, this node asks for news often; otherwise with each renewal of its lease.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::poll_fn;
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::sync::{mpsc, watch};
use tokio_postgres::{AsyncMessage, Client};

use crate::postgres::connection::Connector;
use crate::postgres::pool::Pool;
use crate::postgres::records;
use crate::postgres::remote::{CHANNEL, Message};
use crate::postgres::shared::Shared;
use crate::remote_changes::RemoteChange;
use crate::store::StoreError;

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
        let (client, mut notifications) = self.connect().await?;
        client.batch_execute(&format!("LISTEN {CHANNEL}")).await?;
        let probe = Message::Probe { node: 0 };
        client
            .batch_execute(&format!("NOTIFY {CHANNEL}, '{probe}'"))
            .await?;
        let first = tokio::time::timeout(PROBE_TIMEOUT, notifications.recv()).await;
        match first {
            Ok(Some(message)) => self.handle(&message),
            Ok(None) => return Ok(()),
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
        while let Some(message) = notifications.recv().await {
            self.handle(&message);
        }
        Ok(())
    }

    fn handle(&self, message: &Message) {
        if Some(message.node()) == self.shared.node() {
            return;
        }
        match message {
            Message::Committed {
                newest,
                has_free_jobs,
                ..
            } => {
                self.shared.send(RemoteChange::Records(*newest));
                if *has_free_jobs {
                    self.shared.send(RemoteChange::Jobs);
                }
            }
            Message::JobsFreed { .. } => self.shared.send(RemoteChange::Jobs),
            Message::Probe { .. } => {}
        }
    }

    async fn connect(&self) -> Result<(Client, mpsc::UnboundedReceiver<Message>), StoreError> {
        let config = &self.connector.options.listen_config;
        let (client, mut connection) = config.connect(self.connector.tls.clone()).await?;
        let (sender, receiver) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut messages = poll_fn(move |context| connection.poll_message(context));
            while let Some(Ok(message)) = messages.next().await {
                if let AsyncMessage::Notification(notification) = message
                    && let Some(message) = Message::parse(notification.payload())
                    && sender.send(message).is_err()
                {
                    return;
                }
            }
        });
        Ok((client, receiver))
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

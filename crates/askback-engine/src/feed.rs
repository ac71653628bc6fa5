//! The feed: what was committed, in order and without a gap, to everyone who listens.
//!
//! Commits finish side by side, so their records may arrive here out of order. A single publisher
//! puts them in order; what does not arrive is read from the store. A subscriber that reads more
//! slowly than the feed flows is told so, and goes on from the store.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::state::Parked;
use askback_core::id::ConversationId;
use askback_store::{Sequence, Store, StoreError};
use jiff::Timestamp;
use tokio::sync::{broadcast, mpsc};

use crate::replay;
use crate::stored::Record;

/// One row of the log, as listeners see it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recorded {
    /// Its place among all.
    pub sequence: Sequence,
    /// When.
    pub at: Timestamp,
    /// In which conversation.
    pub conversation: ConversationId,
    /// What.
    pub record: Record,
    /// The inquiry that it ends, if that is at hand; it is in the store either way.
    pub ended: Option<Ended>,
}

/// An inquiry that ends, as it was while it waited.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The inquiry.
    pub parked: Parked,
    /// Who asked, in words.
    pub source: Option<String>,
}

/// A piece of text of a reply that is still coming.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// In which conversation.
    pub conversation: ConversationId,
    /// The text.
    pub text: String,
}

/// Records that a listener may fall behind before it has to read from the store.
const RECORDS_HELD: usize = 4096;
/// Tokens that a listener may fall behind before some are lost to it.
const TOKENS_HELD: usize = 1024;
/// How long the publisher waits for a record that others have overtaken.
const GAP_PATIENCE: Duration = Duration::from_millis(100);

/// The sending and the listening end of the feed.
#[derive(Debug, Clone)]
pub struct Feed {
    arrivals: mpsc::UnboundedSender<Vec<Arc<Recorded>>>,
    records: broadcast::Sender<Arc<Recorded>>,
    tokens: broadcast::Sender<Arc<Token>>,
}

impl Feed {
    /// Starts the publisher behind what the store holds already.
    pub(crate) async fn start(store: Arc<dyn Store>) -> Result<Feed, StoreError> {
        let (arrivals, inbox) = mpsc::unbounded_channel();
        let (records, _) = broadcast::channel(RECORDS_HELD);
        let (tokens, _) = broadcast::channel(TOKENS_HELD);
        let publisher = Publisher {
            next: store.newest().await? + 1,
            early: BTreeMap::new(),
            records: records.clone(),
            store,
        };
        tokio::spawn(publisher.run(inbox));
        Ok(Feed {
            arrivals,
            records,
            tokens,
        })
    }

    /// Hands over what one commit has written. Never blocks.
    pub(crate) fn publish(&self, records: Vec<Arc<Recorded>>) {
        // Without a publisher the engine is closing; whoever listens reads from the store.
        let closing = self.arrivals.send(records).is_err();
        debug_assert!(!closing || self.arrivals.is_closed());
    }

    pub(crate) fn token(&self, token: Token) {
        // Nobody listening is no error.
        let listeners = self.tokens.send(Arc::new(token)).unwrap_or(0);
        tracing::trace!(listeners, "token");
    }

    /// Listens to what is recorded from now on.
    pub fn records(&self) -> broadcast::Receiver<Arc<Recorded>> {
        self.records.subscribe()
    }

    /// Listens to the text of replies that are still coming.
    pub fn tokens(&self) -> broadcast::Receiver<Arc<Token>> {
        self.tokens.subscribe()
    }
}

struct Publisher {
    next: Sequence,
    early: BTreeMap<Sequence, Arc<Recorded>>,
    records: broadcast::Sender<Arc<Recorded>>,
    store: Arc<dyn Store>,
}

impl Publisher {
    async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Vec<Arc<Recorded>>>) {
        loop {
            let arrived = if self.early.is_empty() {
                inbox.recv().await
            } else if let Ok(arrived) = tokio::time::timeout(GAP_PATIENCE, inbox.recv()).await {
                arrived
            } else {
                self.fill_gap().await;
                continue;
            };
            let Some(arrived) = arrived else { return };
            for recorded in arrived {
                self.early.insert(recorded.sequence, recorded);
            }
            self.send_ready();
        }
    }

    fn send_ready(&mut self) {
        while let Some(first) = self.early.first_entry()
            && *first.key() <= self.next
        {
            let recorded = first.remove();
            if recorded.sequence == self.next {
                self.send(recorded);
            }
        }
    }

    fn send(&mut self, recorded: Arc<Recorded>) {
        self.next = recorded.sequence + 1;
        let listeners = self.records.send(recorded).unwrap_or(0);
        tracing::trace!(listeners, "published");
    }

    /// Reads what never arrived: its commit succeeded, but the task that made it is gone.
    async fn fill_gap(&mut self) {
        let Some(until) = self.early.keys().next().copied() else {
            return;
        };
        loop {
            let found = replay::records(self.store.as_ref(), None, self.next - 1, replay::PAGE);
            let found = match found.await {
                Ok(found) => found,
                Err(error) => {
                    tracing::warn!(%error, "cannot fill a gap of the feed yet");
                    return;
                }
            };
            let whole = found.len() < replay::PAGE;
            let before = found.len();
            let missed: Vec<_> = found
                .into_iter()
                .take_while(|found| found.sequence < until)
                .collect();
            let reached = whole || missed.len() < before;
            for recorded in missed {
                self.send(Arc::new(recorded));
            }
            if reached {
                break;
            }
        }
        // A gap that is not in the store was deleted with its conversation.
        self.next = self.next.max(until);
        self.send_ready();
    }
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;

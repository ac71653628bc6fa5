//! The feed: what was committed, in order and without a gap, to everyone who listens.
//!
//! Commits finish side by side, so their records may arrive here out of order. A single publisher
//! puts them in order; what does not arrive is read from the store. A subscriber that reads more
//! slowly than the feed flows is told so, and goes on from the store.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use askback_core::conversation::state::PendingInquiry;
use askback_core::id::ConversationId;
use askback_store::{Sequence, StoreError};
use jiff::Timestamp;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, mpsc};

use crate::event_log::Log;
use crate::listener;
use crate::storage_format::Record;

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
    /// The memory that it takes, about.
    pub bytes: usize,
    /// The inquiry that it ends, if that is at hand; it is in the store either way.
    pub ended: Option<Ended>,
}

/// An inquiry that ends, as it was while it waited.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The inquiry.
    pub pending: PendingInquiry,
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
/// Bytes that a listener may fall behind, likewise.
const BYTES_HELD: usize = 32 << 20;
/// Tokens that a listener may fall behind before some are lost to it.
const TOKENS_HELD: usize = 1024;
/// How long the publisher waits for a record that others have overtaken.
const GAP_PATIENCE: Duration = Duration::from_millis(100);

/// What the publisher is told.
#[derive(Debug)]
enum Arrival {
    /// What one commit has written.
    Records(Vec<Arc<Recorded>>),
    /// There may be more in the store than what was handed over.
    Unknown,
}

/// The sending and the listening end of the feed.
#[derive(Debug, Clone)]
pub struct Feed {
    arrivals: mpsc::UnboundedSender<Arrival>,
    records: broadcast::Sender<Arc<HeldRecord>>,
    tokens: broadcast::Sender<Arc<Token>>,
}

impl Feed {
    /// Starts the publisher behind what the store holds already.
    pub(crate) async fn start(log: Arc<Log>) -> Result<Feed, StoreError> {
        let (arrivals, inbox) = mpsc::unbounded_channel();
        let (records, _) = broadcast::channel(RECORDS_HELD);
        let (tokens, _) = broadcast::channel(TOKENS_HELD);
        let publisher = Publisher {
            next: log.store().newest().await? + 1,
            early: BTreeMap::new(),
            is_behind: false,
            records: records.clone(),
            held: VecDeque::new(),
            held_bytes: 0,
            log,
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
        self.arrive(Arrival::Records(records));
    }

    /// Publishes what the store holds and nobody has handed over: a commit may be on disk although it
    /// was reported as failed. Never blocks.
    pub(crate) fn catch_up(&self) {
        self.arrive(Arrival::Unknown);
    }

    fn arrive(&self, arrival: Arrival) {
        // Without a publisher the engine is closing; whoever listens reads from the store.
        let closing = self.arrivals.send(arrival).is_err();
        debug_assert!(!closing || self.arrivals.is_closed());
    }

    pub(crate) fn token(&self, token: Token) {
        // Nobody listening is no error.
        let listeners = self.tokens.send(Arc::new(token)).unwrap_or(0);
        tracing::trace!(listeners, "token");
    }

    /// Listens to what is recorded from now on.
    pub fn records(&self) -> RecordReceiver {
        RecordReceiver(self.records.subscribe())
    }

    /// Listens to the text of replies that are still coming.
    pub fn tokens(&self) -> broadcast::Receiver<Arc<Token>> {
        self.tokens.subscribe()
    }
}

/// A record on its way to listeners, until there are too many bytes behind it.
#[derive(Debug)]
struct HeldRecord(Mutex<Option<Arc<Recorded>>>);

impl HeldRecord {
    fn record(&self) -> MutexGuard<'_, Option<Arc<Recorded>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Listens to what is recorded.
#[derive(Debug)]
pub struct RecordReceiver(broadcast::Receiver<Arc<HeldRecord>>);

impl RecordReceiver {
    /// The next record. Fails as lagged if it waited behind too many records or too many bytes.
    pub async fn recv(&mut self) -> Result<Arc<Recorded>, RecvError> {
        let held = self.0.recv().await?;
        let record = held.record().clone();
        record.ok_or(RecvError::Lagged(1))
    }

    /// The next record, if it is there.
    pub fn try_recv(&mut self) -> Result<Arc<Recorded>, TryRecvError> {
        let held = self.0.try_recv()?;
        let record = held.record().clone();
        record.ok_or(TryRecvError::Lagged(1))
    }
}

struct Publisher {
    next: Sequence,
    early: BTreeMap<Sequence, Arc<Recorded>>,
    /// The store is to be read to its end.
    is_behind: bool,
    records: broadcast::Sender<Arc<HeldRecord>>,
    /// The records that were sent last, with their bytes.
    held: VecDeque<(Weak<HeldRecord>, usize)>,
    held_bytes: usize,
    log: Arc<Log>,
}

impl Publisher {
    async fn run(mut self, mut inbox: mpsc::UnboundedReceiver<Arrival>) {
        loop {
            let arrived = if self.early.is_empty() && !self.is_behind {
                inbox.recv().await
            } else if let Ok(arrived) = tokio::time::timeout(GAP_PATIENCE, inbox.recv()).await {
                arrived
            } else {
                self.fill_gap().await;
                continue;
            };
            let Some(arrived) = arrived else { return };
            match arrived {
                Arrival::Records(records) => {
                    let records = records.into_iter();
                    self.early
                        .extend(records.map(|record| (record.sequence, record)));
                    self.send_ready();
                }
                Arrival::Unknown => {
                    self.is_behind = true;
                    self.fill_gap().await;
                }
            }
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
        let bytes = recorded.bytes;
        let held = Arc::new(HeldRecord(Mutex::new(Some(recorded))));
        self.held.push_back((Arc::downgrade(&held), bytes));
        self.held_bytes += bytes;
        let listeners = self.records.send(held).unwrap_or(0);
        tracing::trace!(listeners, "published");
        self.stay_bounded();
    }

    /// Takes the oldest records away from listeners that are too far behind. The newest stays,
    /// however large.
    fn stay_bounded(&mut self) {
        while self.held.len() > RECORDS_HELD
            || (self.held_bytes > BYTES_HELD && self.held.len() > 1)
        {
            let Some((held, bytes)) = self.held.pop_front() else {
                return;
            };
            self.held_bytes -= bytes;
            if let Some(held) = held.upgrade() {
                *held.record() = None;
            }
        }
    }

    /// Reads what never arrived: its commit succeeded, but the task that made it is gone or was told
    /// otherwise.
    async fn fill_gap(&mut self) {
        let first_early = self.early.keys().next().copied();
        let until = first_early.filter(|_| !self.is_behind);
        let until = until.unwrap_or(Sequence::MAX);
        loop {
            let found = self.log.after(None, self.next - 1, listener::PAGE);
            let found = match found.await {
                Ok(found) => found,
                Err(error) => {
                    tracing::warn!(%error, "cannot fill a gap of the feed yet");
                    return;
                }
            };
            let reached = found.last().is_none_or(|last| last.sequence >= until);
            for recorded in found {
                if recorded.sequence < until {
                    self.send(Arc::new(recorded));
                }
            }
            if reached {
                break;
            }
        }
        self.is_behind = false;
        // A gap that is not in the store was deleted with its conversation.
        if let Some(early) = self.early.keys().next() {
            self.next = self.next.max(*early);
        }
        self.send_ready();
    }
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;

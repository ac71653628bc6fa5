//! The feed: committed records for every listener, in order and without a gap.
//!
//! Commits return concurrently, so their records may arrive here out of order. A single publisher
//! sorts them and reads missing ones from the store. A subscriber that falls too far behind gets an
//! error and continues from the store.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use askback_core::id::ConversationId;
use askback_store::{Sequence, StoreError};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio::time::Instant;

use crate::listener;
use crate::outcome_waiters::OutcomeWaiters;
use crate::record::Record;
use crate::record_log::RecordLog;
use crate::token_channels::TokenChannels;

/// A piece of a reply that the model is still writing. Never stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamedToken {
    /// The conversation that the reply belongs to.
    pub conversation: ConversationId,
    /// The newest sequence number when the model was asked. Every later record of the conversation ends
    /// this attempt at a reply.
    pub after: Sequence,
    /// Cleaned text; the complete reply is committed at the end.
    pub text: String,
    /// The form in which a surface sends it, built by the first listener that needs it.
    pub encoded: OnceLock<String>,
}

/// Records that a subscriber may fall behind before it has to read from the store.
const RECORDS_RETAINED_MAX: usize = 4096;
/// The same in bytes.
const BYTES_RETAINED_MAX: usize = 32 << 20;
/// How long the publisher waits for a record that later ones have overtaken, from the moment at which
/// the first of them arrives.
const GAP_TIMEOUT: Duration = Duration::from_millis(100);

#[derive(Debug)]
enum PublisherMessage {
    Committed(Arc<Record>),
    /// The store may hold records that nobody has sent.
    CatchUp,
}

/// Publishes committed records and streamed tokens to subscribers.
#[derive(Debug, Clone)]
pub struct Feed {
    publisher: mpsc::UnboundedSender<PublisherMessage>,
    records: broadcast::Sender<Arc<RetainedRecord>>,
    tokens: Arc<TokenChannels>,
    waiters: Arc<OutcomeWaiters>,
}

impl Feed {
    /// Starts the publisher after the newest record of the store.
    pub(crate) async fn start(log: Arc<RecordLog>) -> Result<Feed, StoreError> {
        let (sender, messages) = mpsc::unbounded_channel();
        let (records, _) = broadcast::channel(RECORDS_RETAINED_MAX);
        let waiters = Arc::new(OutcomeWaiters::default());
        let publisher = Publisher {
            next: log.store().newest_sequence().await? + 1,
            out_of_order: BTreeMap::new(),
            must_catch_up: false,
            fill_at: None,
            waiters: Arc::clone(&waiters),
            records: records.clone(),
            retained: VecDeque::new(),
            retained_bytes: 0,
            log,
        };
        tokio::spawn(publisher.run(messages));
        Ok(Feed {
            publisher: sender,
            records,
            tokens: Arc::default(),
            waiters,
        })
    }

    /// Publishes a commit. Never blocks.
    pub(crate) fn publish(&self, record: Arc<Record>) {
        self.send(PublisherMessage::Committed(record));
    }

    /// Publishes records that are in the store and were never sent: a commit may be on disk although
    /// it was reported as failed. Never blocks.
    pub(crate) fn catch_up(&self) {
        self.send(PublisherMessage::CatchUp);
    }

    fn send(&self, message: PublisherMessage) {
        // Without a publisher the engine is closing, and listeners read from the store.
        let closing = self.publisher.send(message).is_err();
        debug_assert!(!closing || self.publisher.is_closed());
    }

    pub(crate) fn token(&self, token: StreamedToken) {
        self.tokens.send(Arc::new(token));
    }

    /// Who waits for the outcomes of single inquiries.
    pub(crate) fn waiters(&self) -> &Arc<OutcomeWaiters> {
        &self.waiters
    }

    /// Receives every record that is published from now on.
    pub fn subscribe(&self) -> RecordReceiver {
        RecordReceiver(self.records.subscribe())
    }

    /// Receives the tokens of one conversation, or of all, as they are written. A slow receiver loses
    /// some.
    pub fn subscribe_tokens(
        &self,
        conversation: Option<&ConversationId>,
    ) -> broadcast::Receiver<Arc<StreamedToken>> {
        self.tokens.subscribe(conversation)
    }
}

/// A record in the channel. It is emptied when too many bytes were sent after it.
#[derive(Debug)]
struct RetainedRecord(Mutex<Option<Arc<Record>>>);

impl RetainedRecord {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<Record>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The receiving end of a subscription to the feed.
#[derive(Debug)]
pub struct RecordReceiver(broadcast::Receiver<Arc<RetainedRecord>>);

impl RecordReceiver {
    /// The next record. Fails with `Lagged` after falling too many records or bytes behind.
    pub async fn recv(&mut self) -> Result<Arc<Record>, RecvError> {
        let retained = self.0.recv().await?;
        let record = retained.lock().clone();
        record.ok_or(RecvError::Lagged(1))
    }
}

struct Publisher {
    /// The sequence number to be sent next.
    next: Sequence,
    /// Records that arrived before one with a lower sequence number.
    out_of_order: BTreeMap<Sequence, Arc<Record>>,
    /// The store must be read to its end.
    must_catch_up: bool,
    /// When missing records are read from the store. Set while records are missing; further arrivals
    /// do not postpone it.
    fill_at: Option<Instant>,
    waiters: Arc<OutcomeWaiters>,
    records: broadcast::Sender<Arc<RetainedRecord>>,
    /// The records that were sent last, with their bytes.
    retained: VecDeque<(Weak<RetainedRecord>, usize)>,
    retained_bytes: usize,
    log: Arc<RecordLog>,
}

impl Publisher {
    async fn run(mut self, mut messages: mpsc::UnboundedReceiver<PublisherMessage>) {
        loop {
            self.schedule_fill();
            let message = if let Some(at) = self.fill_at {
                let Ok(message) = tokio::time::timeout_at(at, messages.recv()).await else {
                    self.fill_at = None;
                    self.fill_gap().await;
                    continue;
                };
                message
            } else {
                messages.recv().await
            };
            let Some(message) = message else { return };
            match message {
                PublisherMessage::Committed(record) => {
                    self.out_of_order.insert(record.first, record);
                    self.send_ready();
                }
                PublisherMessage::CatchUp => {
                    self.must_catch_up = true;
                    self.fill_gap().await;
                }
            }
        }
    }

    fn schedule_fill(&mut self) {
        if self.out_of_order.is_empty() && !self.must_catch_up {
            self.fill_at = None;
        } else {
            self.fill_at
                .get_or_insert_with(|| Instant::now() + GAP_TIMEOUT);
        }
    }

    fn send_ready(&mut self) {
        while let Some(first) = self.out_of_order.first_entry()
            && *first.key() <= self.next
        {
            let record = first.remove();
            if record.last >= self.next {
                self.send(record);
            }
        }
    }

    fn send(&mut self, record: Arc<Record>) {
        self.next = record.last + 1;
        self.waiters.wake_for(&record);
        let bytes = record.bytes;
        let retained = Arc::new(RetainedRecord(Mutex::new(Some(record))));
        self.retained.push_back((Arc::downgrade(&retained), bytes));
        self.retained_bytes += bytes;
        let listeners = self.records.send(retained).unwrap_or(0);
        tracing::trace!(listeners, "published");
        self.enforce_limits();
    }

    /// Empties the oldest records in the channel, so that subscribers that have not read them lag.
    /// The newest record stays, however large.
    fn enforce_limits(&mut self) {
        while self.retained.len() > RECORDS_RETAINED_MAX
            || (self.retained_bytes > BYTES_RETAINED_MAX && self.retained.len() > 1)
        {
            let Some((oldest, bytes)) = self.retained.pop_front() else {
                return;
            };
            self.retained_bytes -= bytes;
            if let Some(oldest) = oldest.upgrade() {
                *oldest.lock() = None;
            }
        }
    }

    /// Reads records that were committed and never arrived here.
    async fn fill_gap(&mut self) {
        let first_waiting = self.out_of_order.keys().next().copied();
        let until = first_waiting.filter(|_| !self.must_catch_up);
        let until = until.unwrap_or(Sequence::MAX);
        loop {
            let found = self
                .log
                .records_after(None, self.next - 1, listener::PAGE_RECORDS_MAX);
            let found = match found.await {
                Ok(found) => found,
                Err(error) => {
                    tracing::warn!(%error, "cannot read missing records of the feed; trying again");
                    return;
                }
            };
            let reached = found.last().is_none_or(|last| last.last >= until);
            for record in found {
                if record.last < until {
                    self.send(Arc::new(record));
                }
            }
            if reached {
                break;
            }
        }
        self.must_catch_up = false;
        // Records that are not in the store were deleted with their conversation.
        if let Some(waiting) = self.out_of_order.keys().next() {
            self.next = self.next.max(*waiting);
        }
        self.send_ready();
        // An outcome in a deleted record reaches nobody through the feed.
        self.waiters.wake_all();
    }
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;

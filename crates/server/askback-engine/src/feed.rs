//! The feed: committed records for every listener, in order and without a gap.
//!
//! Commits return concurrently, so their records may arrive here out of order. Each is published by
//! the task that brings the last one missing before it; a separate task reads those from the store
//! that do not arrive. A subscriber that falls too far behind gets an
//! error and continues from the store.

use parking_lot::Mutex;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use askback_core::id::ConversationId;
use askback_store::{Sequence, StoreError};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio::time::Instant;

use crate::listener;
use crate::notice::NoticeFeed;
use crate::outcome_waiters::OutcomeWaiters;
use crate::record::Record;
use crate::record_log::RecordLog;
use crate::token_channels::TokenChannels;

/// A piece of a reply that the model is still writing. Never stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamedToken {
    /// The conversation that the reply belongs to.
    pub conversation: ConversationId,
    /// The newest record of the conversation when the model was asked. Every later one ends this
    /// attempt at a reply.
    pub after: Sequence,
    /// Cleaned text; the complete reply is committed at the end.
    pub text: String,
    /// The form in which a surface sends it, built by the first listener that needs it.
    pub encoded: OnceLock<String>,
}

/// How far a subscriber may fall behind before it has to read from the store.
#[derive(Debug, Clone, Copy)]
pub struct FeedLimits {
    /// Records that were published and that it has not read.
    pub records: usize,
    /// The bytes of these records.
    pub bytes: usize,
}

impl Default for FeedLimits {
    fn default() -> FeedLimits {
        FeedLimits {
            records: 4096,
            bytes: 32 << 20,
        }
    }
}

/// How long the publisher waits for a record that later ones have overtaken, from the moment at which
/// the first of them arrives.
const GAP_TIMEOUT: Duration = Duration::from_millis(100);

/// Publishes committed records and streamed tokens to subscribers.
#[derive(Debug, Clone)]
pub struct Feed {
    publisher: Arc<Mutex<Publisher>>,
    /// Wakes the task that reads missing records. It ends with the last sender.
    wake_filler: mpsc::Sender<()>,
    records: broadcast::Sender<Arc<RetainedRecord>>,
    tokens: Arc<TokenChannels>,
    notices: NoticeFeed,
    waiters: Arc<OutcomeWaiters>,
    read: Arc<Mutex<Option<mpsc::UnboundedReceiver<ConversationId>>>>,
}

impl Feed {
    /// Starts the feed after the newest record of the store.
    pub(crate) async fn start(log: Arc<RecordLog>, limits: FeedLimits) -> Result<Feed, StoreError> {
        let (records, _) = broadcast::channel(limits.records);
        let waiters = Arc::new(OutcomeWaiters::default());
        let publisher = Publisher {
            next: log.store().newest_sequence().await? + 1,
            out_of_order: BTreeMap::new(),
            must_catch_up: false,
            behind: None,
            fill_at: None,
            is_filler_awake: false,
            waiters: Arc::clone(&waiters),
            records: records.clone(),
            limits,
            retained: VecDeque::new(),
            retained_bytes: 0,
        };
        let publisher = Arc::new(Mutex::new(publisher));
        let (wake_filler, wakes) = mpsc::channel(1);
        let read = mpsc::unbounded_channel();
        let filler = GapFiller {
            publisher: Arc::clone(&publisher),
            log,
            read: read.0,
        };
        tokio::spawn(filler.run(wakes));
        Ok(Feed {
            publisher,
            wake_filler,
            records,
            tokens: Arc::default(),
            notices: NoticeFeed::default(),
            waiters,
            read: Arc::new(Mutex::new(Some(read.1))),
        })
    }

    /// The newest position that was published here.
    pub(crate) fn published(&self) -> Sequence {
        self.publisher.lock().next - 1
    }

    /// The conversations whose records are read from the store, because another process may have
    /// committed them. Only the first caller gets them.
    pub(crate) fn read_conversations(&self) -> Option<mpsc::UnboundedReceiver<ConversationId>> {
        let mut read = self.read.lock();
        read.take()
    }

    /// Publishes a commit, with those that waited for it. Never blocks.
    pub(crate) fn publish(&self, record: Arc<Record>) {
        let mut publisher = self.publisher.lock();
        publisher.add(record);
        if publisher.fill_at.is_some() && !publisher.is_filler_awake {
            publisher.is_filler_awake = true;
            self.wake_filler();
        }
    }

    /// Publishes records that are in the store and were never sent: a commit may be on disk although
    /// it was reported as failed. Never blocks.
    pub(crate) fn catch_up(&self) {
        let mut publisher = self.publisher.lock();
        publisher.must_catch_up = true;
        publisher.fill_at = Some(Instant::now());
        publisher.is_filler_awake = true;
        self.wake_filler();
    }

    /// Publishes the records of other processes up to a position. Never blocks.
    pub(crate) fn catch_up_to(&self, newest: Sequence) {
        let mut publisher = self.publisher.lock();
        if publisher.next > newest {
            return;
        }
        publisher.behind = publisher.behind.max(Some(newest));
        publisher.fill_at = Some(Instant::now());
        publisher.is_filler_awake = true;
        self.wake_filler();
    }

    fn wake_filler(&self) {
        // It is full if the filler has not seen the last wake yet. Without a filler the engine is
        // closing, and listeners read from the store.
        self.wake_filler.try_send(()).ok();
    }

    pub(crate) fn token(&self, token: StreamedToken) {
        self.tokens.send(token);
    }

    /// What is not part of the record.
    pub fn notices(&self) -> &NoticeFeed {
        &self.notices
    }

    /// Who waits for the outcomes of single inquiries.
    pub(crate) fn waiters(&self) -> &Arc<OutcomeWaiters> {
        &self.waiters
    }

    /// Receives every record that is published from now on.
    pub fn subscribe(&self) -> RecordReceiver {
        RecordReceiver(self.records.subscribe())
    }

    /// Receives the tokens of one conversation as they are written on this node. A slow receiver loses some.
    pub fn subscribe_tokens(
        &self,
        conversation: &ConversationId,
    ) -> broadcast::Receiver<Arc<StreamedToken>> {
        self.tokens.subscribe(conversation)
    }
}

/// A record in the channel. It is emptied when too many bytes were sent after it.
#[derive(Debug)]
struct RetainedRecord(Mutex<Option<Arc<Record>>>);

/// The receiving end of a subscription to the feed.
#[derive(Debug)]
pub struct RecordReceiver(broadcast::Receiver<Arc<RetainedRecord>>);

impl RecordReceiver {
    /// The next record. Fails with `Lagged` after falling too many records or bytes behind.
    pub async fn recv(&mut self) -> Result<Arc<Record>, RecvError> {
        let retained = self.0.recv().await?;
        let record = retained.0.lock().clone();
        record.ok_or(RecvError::Lagged(1))
    }
}

#[derive(Debug)]
struct Publisher {
    /// The sequence number to be sent next.
    next: Sequence,
    /// Records that arrived before one with a lower sequence number.
    out_of_order: BTreeMap<Sequence, Arc<Record>>,
    /// The store must be read to its end.
    must_catch_up: bool,
    /// Other processes have committed up to this position.
    behind: Option<Sequence>,
    /// When missing records are read from the store. Set while records are missing; further arrivals
    /// do not postpone it.
    fill_at: Option<Instant>,
    /// The filler looks at `fill_at` again without being woken.
    is_filler_awake: bool,
    waiters: Arc<OutcomeWaiters>,
    records: broadcast::Sender<Arc<RetainedRecord>>,
    limits: FeedLimits,
    /// The records that were sent last, with their bytes.
    retained: VecDeque<(Weak<RetainedRecord>, usize)>,
    retained_bytes: usize,
}

impl Publisher {
    fn add(&mut self, record: Arc<Record>) {
        self.out_of_order.insert(record.first, record);
        self.send_ready();
        self.schedule_fill();
    }

    fn schedule_fill(&mut self) {
        if self.out_of_order.is_empty() && !self.must_catch_up && self.behind.is_none() {
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
        while self.retained.len() > self.limits.records
            || (self.retained_bytes > self.limits.bytes && self.retained.len() > 1)
        {
            let Some((oldest, bytes)) = self.retained.pop_front() else {
                return;
            };
            self.retained_bytes -= bytes;
            if let Some(oldest) = oldest.upgrade() {
                *oldest.0.lock() = None;
            }
        }
    }
}

/// Reads records that were committed and did not arrive in time.
struct GapFiller {
    publisher: Arc<Mutex<Publisher>>,
    log: Arc<RecordLog>,
    /// The conversations of the records that were read.
    read: mpsc::UnboundedSender<ConversationId>,
}

impl GapFiller {
    async fn run(self, mut wakes: mpsc::Receiver<()>) {
        while wakes.recv().await.is_some() {
            while let Some(at) = self.next_fill() {
                // Even a timer that is due waits for a millisecond.
                if at <= Instant::now() {
                    self.fill().await;
                    continue;
                }
                let woken = tokio::time::timeout_at(at, wakes.recv()).await;
                if matches!(woken, Ok(None)) {
                    return;
                }
            }
        }
    }

    /// When to read, or `None` until the next wake.
    fn next_fill(&self) -> Option<Instant> {
        let mut publisher = self.publisher.lock();
        publisher.is_filler_awake = publisher.fill_at.is_some();
        publisher.fill_at
    }

    async fn fill(&self) {
        let gap = self.take_gap();
        let read = self.read(gap.range()).await;
        self.close_gap(gap, read);
    }

    /// Takes what is missing now. Whoever finds more from now on schedules another read.
    fn take_gap(&self) -> Gap {
        let mut publisher = self.publisher.lock();
        publisher.fill_at = None;
        Gap {
            catches_up: std::mem::take(&mut publisher.must_catch_up),
            behind: publisher.behind.take(),
            first_waiting: publisher.out_of_order.keys().next().copied(),
        }
    }

    fn close_gap(&self, gap: Gap, read: Result<(), StoreError>) {
        let mut publisher = self.publisher.lock();
        let mut has_gap = gap.catches_up;
        match read {
            // Records before a waiting one that are not in the store were deleted with their
            // conversation: they were committed before it.
            Ok(()) => {
                has_gap |= gap.first_waiting > Some(publisher.next);
                publisher.next = publisher.next.max(gap.first_waiting.unwrap_or(0));
            }
            Err(error) => {
                tracing::warn!(%error, "cannot read missing records of the feed; trying again");
                publisher.must_catch_up |= gap.catches_up;
                publisher.behind = publisher.behind.max(gap.behind);
                publisher.fill_at = Some(Instant::now() + GAP_TIMEOUT);
            }
        }
        publisher.send_ready();
        // An outcome in a deleted record reaches nobody through the feed.
        if has_gap {
            publisher.waiters.wake_all();
        }
        publisher.schedule_fill();
    }

    /// Sends the records of the store in a range, without those that arrive meanwhile.
    async fn read(&self, range: ReadRange) -> Result<(), StoreError> {
        loop {
            let after = self.publisher.lock().next - 1;
            let found = self
                .log
                .records_after(None, after, listener::PAGE_RECORDS_MAX)
                .await?;
            let reached = found.last().is_none_or(|last| last.last >= range.until - 1);
            let mut publisher = self.publisher.lock();
            let mut has_gap = false;
            for record in found {
                publisher.send_ready();
                let is_wanted = range.sends_later || record.last < range.until;
                if is_wanted && record.last >= publisher.next {
                    has_gap |= record.first > publisher.next;
                    // Without a listener the store has no other processes.
                    self.read.send(record.conversation.clone()).ok();
                    publisher.send(Arc::new(record));
                }
            }
            // At once, because the next page may fail.
            if has_gap {
                publisher.waiters.wake_all();
            }
            if reached {
                return Ok(());
            }
        }
    }
}

/// What was missing when a read began.
#[derive(Debug, Clone, Copy)]
struct Gap {
    /// Whether everything that is in the store and was never sent is missing.
    catches_up: bool,
    /// The newest record of other processes.
    behind: Option<Sequence>,
    /// The first record that waits for earlier ones.
    first_waiting: Option<Sequence>,
}

impl Gap {
    fn range(self) -> ReadRange {
        ReadRange {
            until: match (self.catches_up, self.behind) {
                (true, _) => Sequence::MAX,
                (false, Some(newest)) => self.first_waiting.unwrap_or(0).max(newest + 1),
                (false, None) => self.first_waiting.unwrap_or(Sequence::MAX),
            },
            sends_later: self.catches_up || self.behind.is_some(),
        }
    }
}

/// Which records to read from the store.
#[derive(Debug, Clone, Copy)]
struct ReadRange {
    /// Records before this position are read.
    until: Sequence,
    /// Whether records from there on that are read with them are sent, too.
    sends_later: bool,
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;

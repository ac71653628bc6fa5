//! The feed: committed log entries for every listener, in order and without a gap.
//!
//! Commits return concurrently, so their entries may arrive here out of order. A single publisher
//! sorts them and reads missing ones from the store. A subscriber that falls too far behind gets an
//! error and continues from the store.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use askback_core::conversation::state::PendingInquiry;
use askback_core::id::ConversationId;
use askback_store::{Sequence, StoreError};
use jiff::Timestamp;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio::time::Instant;

use crate::event_log::EventLog;
use crate::listener;
use crate::outcome_waiters::OutcomeWaiters;
use crate::storage_format::Record;
use crate::token_channels::TokenChannels;

/// One row of the event log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEntry {
    /// The position among all entries of the store, and the id of its server-sent event.
    pub sequence: Sequence,
    /// When it was decided.
    pub at: Timestamp,
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// What the row records.
    pub record: Record,
    /// Approximate memory use.
    pub bytes: usize,
    /// The inquiry that this entry resolves. Absent when the entry was read from the store: read the
    /// inquiry there, too.
    pub resolved_inquiry: Option<ResolvedInquiry>,
}

/// An inquiry at the moment it was resolved, as it was while it was pending.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedInquiry {
    /// The inquiry with its questions and deadline.
    pub pending: PendingInquiry,
    /// The name of the asker, as people see it.
    pub source: Option<String>,
}

/// A piece of a reply that the model is still writing. Never stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamedToken {
    /// The conversation that the reply belongs to.
    pub conversation: ConversationId,
    /// The newest sequence number when the model was asked. Every later entry of the conversation ends
    /// this attempt at a reply.
    pub after: Sequence,
    /// Cleaned text; the complete reply is committed at the end.
    pub text: String,
    /// The form in which a surface sends it, built by the first listener that needs it.
    pub encoded: OnceLock<String>,
}

/// Entries that a subscriber may fall behind before it has to read from the store.
const ENTRIES_RETAINED_MAX: usize = 4096;
/// The same in bytes.
const BYTES_RETAINED_MAX: usize = 32 << 20;
/// How long the publisher waits for an entry that later ones have overtaken, from the moment at which
/// the first of them arrives.
const GAP_TIMEOUT: Duration = Duration::from_millis(100);

#[derive(Debug)]
enum PublisherMessage {
    /// The entries of one commit.
    Committed(Vec<Arc<LogEntry>>),
    /// The store may hold entries that nobody has sent.
    CatchUp,
}

/// Publishes committed entries and streamed tokens to subscribers.
#[derive(Debug, Clone)]
pub struct Feed {
    publisher: mpsc::UnboundedSender<PublisherMessage>,
    entries: broadcast::Sender<Arc<RetainedEntry>>,
    tokens: Arc<TokenChannels>,
    waiters: Arc<OutcomeWaiters>,
}

impl Feed {
    /// Starts the publisher after the newest entry of the store.
    pub(crate) async fn start(log: Arc<EventLog>) -> Result<Feed, StoreError> {
        let (sender, messages) = mpsc::unbounded_channel();
        let (entries, _) = broadcast::channel(ENTRIES_RETAINED_MAX);
        let waiters = Arc::new(OutcomeWaiters::default());
        let publisher = Publisher {
            next: log.store().newest_sequence().await? + 1,
            out_of_order: BTreeMap::new(),
            must_catch_up: false,
            fill_at: None,
            waiters: Arc::clone(&waiters),
            entries: entries.clone(),
            retained: VecDeque::new(),
            retained_bytes: 0,
            log,
        };
        tokio::spawn(publisher.run(messages));
        Ok(Feed {
            publisher: sender,
            entries,
            tokens: Arc::default(),
            waiters,
        })
    }

    /// Publishes the entries of one commit. Never blocks.
    pub(crate) fn publish(&self, entries: Vec<Arc<LogEntry>>) {
        self.send(PublisherMessage::Committed(entries));
    }

    /// Publishes entries that are in the store and were never sent: a commit may be on disk although
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

    /// Receives every entry that is published from now on.
    pub fn subscribe(&self) -> LogReceiver {
        LogReceiver(self.entries.subscribe())
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

/// An entry in the channel. It is emptied when too many bytes were sent after it.
#[derive(Debug)]
struct RetainedEntry(Mutex<Option<Arc<LogEntry>>>);

impl RetainedEntry {
    fn lock(&self) -> MutexGuard<'_, Option<Arc<LogEntry>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The receiving end of a subscription to the feed.
#[derive(Debug)]
pub struct LogReceiver(broadcast::Receiver<Arc<RetainedEntry>>);

impl LogReceiver {
    /// The next entry. Fails with `Lagged` after falling too many entries or bytes behind.
    pub async fn recv(&mut self) -> Result<Arc<LogEntry>, RecvError> {
        let retained = self.0.recv().await?;
        let entry = retained.lock().clone();
        entry.ok_or(RecvError::Lagged(1))
    }
}

struct Publisher {
    /// The sequence number to be sent next.
    next: Sequence,
    /// Entries that arrived before one with a lower sequence number.
    out_of_order: BTreeMap<Sequence, Arc<LogEntry>>,
    /// The store must be read to its end.
    must_catch_up: bool,
    /// When missing entries are read from the store. Set while entries are missing; further arrivals
    /// do not postpone it.
    fill_at: Option<Instant>,
    waiters: Arc<OutcomeWaiters>,
    entries: broadcast::Sender<Arc<RetainedEntry>>,
    /// The entries that were sent last, with their bytes.
    retained: VecDeque<(Weak<RetainedEntry>, usize)>,
    retained_bytes: usize,
    log: Arc<EventLog>,
}

impl Publisher {
    async fn run(mut self, mut messages: mpsc::UnboundedReceiver<PublisherMessage>) {
        loop {
            self.schedule_fill();
            let message = match self.fill_at {
                None => messages.recv().await,
                Some(at) => match tokio::time::timeout_at(at, messages.recv()).await {
                    Ok(message) => message,
                    Err(_) => {
                        self.fill_at = None;
                        self.fill_gap().await;
                        continue;
                    }
                },
            };
            let Some(message) = message else { return };
            match message {
                PublisherMessage::Committed(entries) => {
                    let entries = entries.into_iter();
                    self.out_of_order
                        .extend(entries.map(|entry| (entry.sequence, entry)));
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
            let entry = first.remove();
            if entry.sequence == self.next {
                self.send(entry);
            }
        }
    }

    fn send(&mut self, entry: Arc<LogEntry>) {
        self.next = entry.sequence + 1;
        self.waiters.wake_for(&entry.record);
        let bytes = entry.bytes;
        let retained = Arc::new(RetainedEntry(Mutex::new(Some(entry))));
        self.retained.push_back((Arc::downgrade(&retained), bytes));
        self.retained_bytes += bytes;
        let listeners = self.entries.send(retained).unwrap_or(0);
        tracing::trace!(listeners, "published");
        self.enforce_limits();
    }

    /// Empties the oldest entries in the channel, so that subscribers that have not read them lag.
    /// The newest entry stays, however large.
    fn enforce_limits(&mut self) {
        while self.retained.len() > ENTRIES_RETAINED_MAX
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

    /// Reads entries that were committed and never arrived here.
    async fn fill_gap(&mut self) {
        let first_waiting = self.out_of_order.keys().next().copied();
        let until = first_waiting.filter(|_| !self.must_catch_up);
        let until = until.unwrap_or(Sequence::MAX);
        loop {
            let found = self
                .log
                .entries_after(None, self.next - 1, listener::PAGE_EVENTS_MAX);
            let found = match found.await {
                Ok(found) => found,
                Err(error) => {
                    tracing::warn!(%error, "cannot read missing feed entries; trying again");
                    return;
                }
            };
            let reached = found.last().is_none_or(|last| last.sequence >= until);
            for entry in found {
                if entry.sequence < until {
                    self.send(Arc::new(entry));
                }
            }
            if reached {
                break;
            }
        }
        self.must_catch_up = false;
        // Entries that are not in the store were deleted with their conversation.
        if let Some(waiting) = self.out_of_order.keys().next() {
            self.next = self.next.max(*waiting);
        }
        self.send_ready();
    }
}

#[cfg(test)]
#[path = "feed_tests.rs"]
mod tests;

//! Replays the log from a sequence number, then continues with the live feed.

use std::collections::VecDeque;
use std::sync::Arc;

use askback_core::id::ConversationId;
use askback_store::{Sequence, StoreError};
use tokio::sync::broadcast::error::RecvError;

use crate::feed::{Feed, RecordReceiver};
use crate::record::Record;
use crate::record_log::RecordLog;

/// Rows in one page, unless [`askback_store::PAGE_BYTES_MAX`] ends it earlier.
pub(crate) const PAGE_RECORDS_MAX: usize = 256;

/// Yields the records of one conversation or of all: first from the log, then live, without a gap or
/// a repetition. The first record may begin before the position that was asked for.
pub struct FeedListener {
    log: Arc<RecordLog>,
    conversation: Option<ConversationId>,
    live: RecordReceiver,
    /// Records read from the log and not yet returned.
    replayed: VecDeque<Arc<Record>>,
    last: Sequence,
    caught_up: bool,
}

/// Why a listener yields no more records.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// It fell too far behind. Start a new one after the last record.
    #[error("the listener fell behind")]
    TooSlow,
    /// The engine has stopped.
    #[error("the engine has stopped")]
    Closed,
    /// The log cannot be read. Start a new listener after the last record.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl FeedListener {
    pub(crate) async fn start(
        log: Arc<RecordLog>,
        feed: &Feed,
        conversation: Option<ConversationId>,
        after: Option<Sequence>,
    ) -> Result<FeedListener, StoreError> {
        // Subscribe before reading, so that nothing is missed between the two.
        let live = feed.subscribe();
        let last = match after {
            Some(after) => after,
            None => log.store().newest_sequence().await?,
        };
        Ok(FeedListener {
            caught_up: after.is_none(),
            log,
            conversation,
            live,
            replayed: VecDeque::new(),
            last,
        })
    }

    /// The next record. Cancel safe: dropping the future loses nothing.
    pub async fn next(&mut self) -> Result<Arc<Record>, ListenError> {
        loop {
            if let Some(record) = self.replayed.pop_front() {
                self.last = record.last;
                return Ok(record);
            }
            if !self.caught_up {
                self.read_page().await?;
                continue;
            }
            match self.live.recv().await {
                Ok(record) if record.last <= self.last || !self.wants(&record) => {}
                Ok(record) => {
                    self.last = record.last;
                    return Ok(record);
                }
                Err(RecvError::Lagged(_)) => return Err(ListenError::TooSlow),
                Err(RecvError::Closed) => return Err(ListenError::Closed),
            }
        }
    }

    /// Whether the last record came as it was committed, and not from the log.
    pub fn is_live(&self) -> bool {
        self.caught_up
    }

    /// The last position of the last record. The next one comes after it.
    pub fn last(&self) -> Sequence {
        self.last
    }

    fn wants(&self, record: &Record) -> bool {
        self.conversation
            .as_ref()
            .is_none_or(|wanted| *wanted == record.conversation)
    }

    async fn read_page(&mut self) -> Result<(), StoreError> {
        let wanted = self.conversation.as_ref();
        let page = self
            .log
            .records_after(wanted, self.last, PAGE_RECORDS_MAX)
            .await?;
        self.caught_up = page.is_empty();
        self.replayed.extend(page.into_iter().map(Arc::new));
        Ok(())
    }
}

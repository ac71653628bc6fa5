//! Begins in the log, and goes on with the feed where the log ends.

use std::sync::Arc;

use askback_core::id::ConversationId;
use askback_store::{Sequence, StoreError};
use tokio::sync::broadcast::error::RecvError;

use crate::event_log::Log;
use crate::feed::{Feed, RecordReceiver, Recorded};

/// Rows read at once, if they are small.
pub(crate) const PAGE: usize = 256;

/// A listener that begins in the log and goes on with the feed, without a gap or a repetition.
pub struct Listener {
    log: Arc<Log>,
    conversation: Option<ConversationId>,
    live: RecordReceiver,
    read: std::collections::VecDeque<Arc<Recorded>>,
    last: Sequence,
    caught_up: bool,
}

/// Why a listener gets no more.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// It read too slowly. It may begin again behind the last record it got.
    #[error("the listener fell behind")]
    TooSlow,
    /// The engine has stopped.
    #[error("the engine has stopped")]
    Closed,
    /// The log cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Listener {
    pub(crate) async fn start(
        log: Arc<Log>,
        feed: &Feed,
        conversation: Option<ConversationId>,
        after: Option<Sequence>,
    ) -> Result<Listener, StoreError> {
        // Listening begins before reading, so that nothing falls between the two.
        let live = feed.records();
        let last = match after {
            Some(after) => after,
            None => log.store().newest().await?,
        };
        Ok(Listener {
            caught_up: after.is_none(),
            log,
            conversation,
            live,
            read: std::collections::VecDeque::new(),
            last,
        })
    }

    /// The next record. May be dropped and called again without losing any.
    pub async fn next(&mut self) -> Result<Arc<Recorded>, ListenError> {
        loop {
            if let Some(recorded) = self.read.pop_front() {
                self.last = recorded.sequence;
                return Ok(recorded);
            }
            if !self.caught_up {
                self.read_page().await?;
                continue;
            }
            match self.live.recv().await {
                Ok(recorded) if recorded.sequence <= self.last || !self.wants(&recorded) => {}
                Ok(recorded) => {
                    self.last = recorded.sequence;
                    return Ok(recorded);
                }
                Err(RecvError::Lagged(_)) => return Err(ListenError::TooSlow),
                Err(RecvError::Closed) => return Err(ListenError::Closed),
            }
        }
    }

    /// The sequence behind which it listens.
    pub fn last(&self) -> Sequence {
        self.last
    }

    fn wants(&self, recorded: &Recorded) -> bool {
        self.conversation
            .as_ref()
            .is_none_or(|wanted| *wanted == recorded.conversation)
    }

    async fn read_page(&mut self) -> Result<(), StoreError> {
        let wanted = self.conversation.as_ref();
        let page = self.log.after(wanted, self.last, PAGE).await?;
        self.caught_up = page.is_empty();
        self.read.extend(page.into_iter().map(Arc::new));
        Ok(())
    }
}

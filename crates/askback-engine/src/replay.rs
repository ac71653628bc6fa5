//! Reads the log back, and goes on with the feed where the log ends.

use std::sync::Arc;

use askback_core::id::{ConversationId, InquiryId};
use askback_store::{EventRow, InquiryRow, Sequence, Store, StoreError};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::feed::{Feed, Recorded};
use crate::stored;

/// Rows read at once.
pub(crate) const PAGE: usize = 256;

/// Records with a sequence above `after`, oldest first.
pub(crate) async fn records(
    store: &dyn Store,
    conversation: Option<&ConversationId>,
    after: Sequence,
    limit: usize,
) -> Result<Vec<Recorded>, StoreError> {
    let rows = store.events(conversation, after, limit).await?;
    from_rows(store, rows).await
}

/// Rows with the questions put back that they leave out.
pub(crate) async fn from_rows(
    store: &dyn Store,
    rows: Vec<EventRow>,
) -> Result<Vec<Recorded>, StoreError> {
    let mut found = Vec::with_capacity(rows.len());
    let mut known: Vec<InquiryRow> = Vec::new();
    for row in rows {
        for id in stored::missing_inquiries(&row)? {
            if known.iter().all(|inquiry| inquiry.id.as_str() != id) {
                known.extend(store.inquiry(&InquiryId::new(id)).await?);
            }
        }
        found.push(Recorded {
            ended: None,
            sequence: row.sequence,
            at: row.at,
            record: stored::record(&row, &known)?,
            conversation: row.conversation,
        });
    }
    Ok(found)
}

/// A listener that begins in the log and goes on with the feed, without a gap or a repetition.
pub struct Listener {
    store: Arc<dyn Store>,
    conversation: Option<ConversationId>,
    live: broadcast::Receiver<Arc<Recorded>>,
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
        store: Arc<dyn Store>,
        feed: &Feed,
        conversation: Option<ConversationId>,
        after: Option<Sequence>,
    ) -> Result<Listener, StoreError> {
        // Listening begins before reading, so that nothing falls between the two.
        let live = feed.records();
        let last = match after {
            Some(after) => after,
            None => store.newest().await?,
        };
        Ok(Listener {
            caught_up: after.is_none(),
            store,
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
        let page = records(self.store.as_ref(), wanted, self.last, PAGE).await?;
        self.caught_up = page.len() < PAGE;
        self.read.extend(page.into_iter().map(Arc::new));
        Ok(())
    }
}

//! Reading: conversations, inquiries, the log, and waiting for an outcome.

use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::Conversation;
use askback_core::conversation::event::Event;
use askback_core::id::{ConversationId, InquiryId};
use askback_store::{InquiryFilter, Page, Sequence, StoreError};
use tokio::sync::broadcast::error::RecvError;

use crate::engine::Engine;
use crate::event_log::Earlier;
use crate::feed::Recorded;
use crate::listener::Listener;
use crate::storage_format::Record;
use crate::submit::SubmitError;
use crate::view::{ConversationView, InquiryView};

/// The name of the state of a conversation that was closed.
const CLOSED: &str = "closed";

impl Engine {
    /// A conversation: its row, and where it stands. One that was closed is gone for readers.
    pub async fn conversation(
        &self,
        id: &ConversationId,
    ) -> Result<Option<ConversationView>, StoreError> {
        let loaded = self.store().load_oldest(id).await?;
        let loaded = loaded.filter(|loaded| loaded.row.snapshot.state != CLOSED);
        loaded.map(ConversationView::from_rows).transpose()
    }

    /// A conversation as far as this process knows: what was last decided here, or what is stored.
    pub async fn standing(&self, id: &ConversationId) -> Result<Arc<Conversation>, SubmitError> {
        Ok(Arc::clone(&self.load(id).await?.conversation))
    }

    /// One inquiry.
    pub async fn inquiry(&self, id: &InquiryId) -> Result<Option<InquiryView>, StoreError> {
        let row = self.store().inquiry(id).await?;
        row.map(InquiryView::from_row).transpose()
    }

    /// Inquiries.
    pub async fn inquiries(&self, filter: InquiryFilter) -> Result<Page<InquiryView>, StoreError> {
        let page = self.store().inquiries(filter).await?;
        let items = page.items.into_iter().map(InquiryView::from_row);
        Ok(Page {
            items: items.collect::<Result<_, _>>()?,
            next: page.next,
        })
    }

    /// The last events of a conversation before `before`, oldest first. At most `limit` rows are read,
    /// and fewer if they are large.
    pub async fn events_before(
        &self,
        id: &ConversationId,
        before: Option<Sequence>,
        limit: usize,
    ) -> Result<Earlier, StoreError> {
        self.inner.log.before(id, before, limit).await
    }

    /// The event of a conversation below `before` that asked an inquiry.
    pub async fn asked_event(
        &self,
        id: &ConversationId,
        inquiry: &InquiryId,
        before: Sequence,
    ) -> Result<Option<Recorded>, StoreError> {
        self.inner.log.asked(id, inquiry, Some(before)).await
    }

    /// Listens from a place in the log on, or from now on.
    pub async fn listen(
        &self,
        conversation: Option<ConversationId>,
        after: Option<Sequence>,
    ) -> Result<Listener, StoreError> {
        Listener::start(
            Arc::clone(&self.inner.log),
            self.feed(),
            conversation,
            after,
        )
        .await
    }

    /// The inquiry once it has its outcome, or as it stands when `wait` is over.
    pub async fn wait_for(
        &self,
        id: &InquiryId,
        wait: Duration,
    ) -> Result<Option<InquiryView>, StoreError> {
        // Listening begins before looking, so that an outcome cannot fall between the two.
        let mut records = self.feed().records();
        match self.inquiry(id).await? {
            Some(view) if view.ended.is_none() => {}
            settled => return Ok(settled),
        }
        let outcome = async {
            loop {
                match records.recv().await {
                    Ok(recorded) if resolves(&recorded.record, id) => return,
                    Ok(_) => {}
                    Err(RecvError::Lagged(_) | RecvError::Closed) => return,
                }
            }
        };
        // Either way the row says how it stands.
        let timed_out = tokio::time::timeout(wait, outcome).await.is_err();
        tracing::trace!(timed_out, "long poll ends");
        self.inquiry(id).await
    }
}

fn resolves(record: &Record, id: &InquiryId) -> bool {
    matches!(record, Record::Event(Event::InquiryResolved { inquiry, .. }) if inquiry == id)
}

//! Queries: conversations, inquiries, and waiting for an outcome.

use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::Conversation;
use askback_core::id::{ConversationId, InquiryId};
use askback_store::{InquiryFilter, Page, Sequence, StoreError};

use crate::engine::Engine;
use crate::listener::FeedListener;
use crate::request_key::RequestKeys;
use crate::submit::SubmitError;
use crate::view::{ConversationView, InquiryView};

/// The state name of a conversation that was deleted.
const CLOSED: &str = "closed";

impl Engine {
    /// A conversation with its current state. `None` also for one that was deleted.
    pub async fn conversation(
        &self,
        id: &ConversationId,
    ) -> Result<Option<ConversationView>, StoreError> {
        let loaded = self.store().load_with_oldest_pending(id).await?;
        let loaded = loaded.filter(|loaded| loaded.row.snapshot.state != CLOSED);
        loaded.map(ConversationView::from_rows).transpose()
    }

    /// A conversation after the last decision of this process, from the cache if it is there.
    pub async fn current_conversation(
        &self,
        id: &ConversationId,
    ) -> Result<Arc<Conversation>, SubmitError> {
        let conversations = &self.inner.conversations;
        if self.store().is_shared() {
            conversations.evict(id);
        }
        Ok(Arc::clone(&conversations.load(id).await?.conversation))
    }

    /// An inquiry, or its tombstone if its conversation was deleted while it was pending.
    pub async fn inquiry(&self, id: &InquiryId) -> Result<Option<InquiryView>, StoreError> {
        let row = self.store().inquiry(id).await?;
        row.map(InquiryView::from_row).transpose()
    }

    /// The inquiry that was asked with this idempotency key.
    pub async fn inquiry_with_key(
        &self,
        owner: Option<&str>,
        key: &str,
    ) -> Result<Option<InquiryView>, StoreError> {
        let key_of_request = RequestKeys::stored_request_key(owner, key);
        let Some(id) = self.store().inquiry_with_key(&key_of_request).await? else {
            return Ok(None);
        };
        // The key may be that of an answer.
        let view = self.inquiry(&id).await?;
        Ok(view.filter(|view| view.inquiry.key() == Some(key)))
    }

    /// An inquiry for a command on it: from memory if it is pending there, so that most answers are
    /// committed without a read.
    pub async fn inquiry_to_change(
        &self,
        id: &InquiryId,
    ) -> Result<Option<InquiryView>, StoreError> {
        match self.inner.conversations.pending(id).await? {
            Some(view) => Ok(Some(view)),
            None => self.inquiry(id).await,
        }
    }

    /// A page of inquiries.
    pub async fn inquiries(&self, filter: InquiryFilter) -> Result<Page<InquiryView>, StoreError> {
        let page = self.store().inquiries(filter).await?;
        let items = page.items.into_iter().map(InquiryView::from_row);
        Ok(Page {
            items: items.collect::<Result<_, _>>()?,
            next: page.next,
        })
    }

    /// Listens to one conversation or to all: after a sequence number, or from now on.
    pub async fn listen(
        &self,
        conversation: Option<ConversationId>,
        after: Option<Sequence>,
    ) -> Result<FeedListener, StoreError> {
        FeedListener::start(
            Arc::clone(&self.inner.log),
            self.feed(),
            conversation,
            after,
        )
        .await
    }

    /// Waits for the outcome of an inquiry. Returns the inquiry as it is after `wait` at the latest.
    pub async fn wait_for(
        &self,
        id: &InquiryId,
        wait: Duration,
    ) -> Result<Option<InquiryView>, StoreError> {
        let timeout = tokio::time::sleep(wait);
        tokio::pin!(timeout);
        loop {
            // Start to wait before reading, so that an outcome between the two is not missed.
            let mut waiter = self.feed().waiters().add(id);
            match self.inquiry(id).await? {
                Some(view) if view.resolution.is_none() => {}
                resolved => return Ok(resolved),
            }
            tokio::select! {
                biased;
                () = waiter.resolved() => {}
                () = &mut timeout => return self.inquiry(id).await,
            }
        }
    }
}

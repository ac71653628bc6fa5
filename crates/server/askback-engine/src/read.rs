//! Queries: conversations, inquiries, the event log, and waiting for an outcome.

use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::Conversation;
use askback_core::id::{ConversationId, InquiryId};
use askback_store::{InquiryFilter, Page, Sequence, StoreError};

use crate::engine::Engine;
use crate::listener::FeedListener;
use crate::loaded_conversation::LoadedConversation;
use crate::record::Record;
use crate::record_log::RecordPage;
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
        if self.store().is_shared() {
            self.evict(id);
        }
        Ok(Arc::clone(&self.load(id).await?.conversation))
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
        if self.cached_by_inquiry(id).is_none() && self.store().is_shared() {
            self.cache_by_pending(id).await?;
        }
        match self.pending_in_memory(id) {
            Some(view) => Ok(Some(view)),
            None => self.inquiry(id).await,
        }
    }

    /// Reads the conversation of an inquiry that another node has asked, which the command needs as well. It may be old
    /// when it is used, like all that is in memory of a store that is shared.
    async fn cache_by_pending(&self, id: &InquiryId) -> Result<(), StoreError> {
        if let Some(loaded) = self.store().load_by_pending(id).await? {
            let loaded = LoadedConversation::from_rows(loaded)?;
            self.cache_conversation(Arc::new(loaded));
        }
        Ok(())
    }

    /// Not one whose agent may have done something since that only the store knows.
    fn pending_in_memory(&self, id: &InquiryId) -> Option<InquiryView> {
        let view = self.cached_by_inquiry(id)?.inquiry(id)?;
        view.row.asker.is_none().then_some(view)
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

    /// The newest records of a conversation with positions below `before`. Reads at most `limit`, and
    /// fewer if they are large.
    pub async fn records_before(
        &self,
        id: &ConversationId,
        before: Option<Sequence>,
        limit: usize,
    ) -> Result<RecordPage, StoreError> {
        self.inner.log.page_before(id, before, limit).await
    }

    /// The records below `before` from the one on in which the round began that is open there.
    pub async fn open_round_before(
        &self,
        id: &ConversationId,
        before: Sequence,
    ) -> Result<Vec<Record>, StoreError> {
        self.inner.log.open_round_before(id, before).await
    }

    /// The record with only the `inquiry_asked` event of an inquiry, if it is below `before`, with the deadline that the
    /// inquiry had there.
    pub async fn asked_event(
        &self,
        id: &ConversationId,
        inquiry: &InquiryId,
        before: Sequence,
    ) -> Result<Option<Record>, StoreError> {
        self.inner.log.find_asked_event(id, inquiry, before).await
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

//! Reading: conversations, inquiries, the log, and waiting for an outcome.

use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::Conversation;
use askback_core::conversation::command::Command;
use askback_core::conversation::event::Event;
use askback_core::conversation::rejection::Rejection;
use askback_core::id::{ConversationId, InquiryId};
use askback_core::outcome::Actor;
use askback_store::{ConversationFilter, InquiryFilter, Page, Sequence, StoreError};
use tokio::sync::broadcast::error::RecvError;

use crate::engine::Engine;
use crate::feed::Recorded;
use crate::log::Earlier;
use crate::replay::Listener;
use crate::stored::Record;
use crate::submit::SubmitError;
use crate::view::{ConversationView, InquiryView};

impl Engine {
    /// A conversation: its row, and where it stands.
    pub async fn conversation(
        &self,
        id: &ConversationId,
    ) -> Result<Option<ConversationView>, StoreError> {
        let loaded = self.store().load_oldest(id).await?;
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

    /// Deletes a conversation with its sub-agents: what waits or works in it is withdrawn first, so
    /// that nobody waits for ever and nothing works for nobody.
    pub async fn delete(&self, id: &ConversationId, by: Actor) -> Result<bool, SubmitError> {
        if !self.withdraw(id, &by).await? {
            return Ok(false);
        }
        // The job that stops the sub-agents goes with the conversation: they are stopped here.
        let children = self.children(id).await?;
        for child in &children {
            self.withdraw(child, &by).await?;
            self.forget(child);
            self.inner.histories.forget(child);
        }
        let _turn = self.lock(id).await;
        self.forget(id);
        self.inner.histories.forget(id);
        Ok(self.store().delete(id).await?)
    }

    /// Stops whatever goes on in a conversation. False if there is no such conversation.
    async fn withdraw(&self, id: &ConversationId, by: &Actor) -> Result<bool, SubmitError> {
        let withdraw = Command::Withdraw { target: None };
        match self.submit(id, withdraw, by.clone()).await {
            Ok(_) | Err(SubmitError::Rejected(Rejection::NothingToStop)) => Ok(true),
            Err(SubmitError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The sub-agents of a conversation, which have none of their own.
    async fn children(&self, id: &ConversationId) -> Result<Vec<ConversationId>, StoreError> {
        let mut children = Vec::new();
        let mut cursor = None;
        loop {
            let filter = ConversationFilter {
                state: None,
                parent: Some(id.clone()),
                cursor,
                limit: CHILDREN_PAGE,
            };
            let page = self.store().conversations(filter).await?;
            children.extend(page.items.into_iter().map(|row| row.id));
            cursor = page.next;
            if cursor.is_none() {
                return Ok(children);
            }
        }
    }
}

/// Sub-agents that are read at once.
const CHILDREN_PAGE: usize = 100;

fn resolves(record: &Record, id: &InquiryId) -> bool {
    matches!(record, Record::Event(Event::InquiryResolved { inquiry, .. }) if inquiry == id)
}

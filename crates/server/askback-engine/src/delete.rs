//! Deletes conversations: one decision closes them, and their content is removed afterwards.
//!
//! Closing resolves every pending inquiry. Removal follows at once; if the process dies in between, a
//! job finishes it. What stays is the row of the conversation, which rejects every command, and the
//! outcomes of the inquiries that were pending.

use askback_core::conversation::command::Command;
use askback_core::conversation::rejection::Rejection;
use askback_core::id::ConversationId;
use askback_core::outcome::Actor;
use askback_store::{ConversationFilter, ConversationRemoval, JobRow, StoreError};

use crate::commit::WEBHOOK;
use crate::engine::Engine;
use crate::jobs::{finish_job, system};
use crate::submit::SubmitError;

/// Jobs that others wait for: webhook receivers, and the parent of a sub-agent.
const KEPT_JOBS: [&str; 2] = [WEBHOOK, "report_to_parent"];
const CHILDREN_PAGE: usize = 100;
/// Others write between two transactions of a removal, so that a long conversation does not delay them.
const ROWS_PER_TRANSACTION: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CloseResult {
    Closed,
    AlreadyClosed,
    NotFound,
}

impl Engine {
    /// Deletes a conversation with its sub-agents. False if it does not exist or was deleted before.
    pub async fn delete(&self, id: &ConversationId, by: Actor) -> Result<bool, SubmitError> {
        let closing = self.close(id, by).await?;
        if closing == CloseResult::NotFound {
            return Ok(false);
        }
        match self.remove_content(id).await {
            Ok(removed) => Ok(removed || closing == CloseResult::Closed),
            // Nobody must be told that the request had no effect: it is closed, and a job removes the content.
            Err(error) if closing == CloseResult::Closed => {
                tracing::warn!(%error, "cannot remove a deleted conversation; will retry");
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }

    async fn close(&self, id: &ConversationId, by: Actor) -> Result<CloseResult, SubmitError> {
        match self.submit(id, Command::Close, by).await {
            Ok(_) => Ok(CloseResult::Closed),
            Err(SubmitError::Rejected(Rejection::Closed)) => Ok(CloseResult::AlreadyClosed),
            Err(SubmitError::NotFound) => Ok(CloseResult::NotFound),
            Err(error) => Err(error),
        }
    }

    /// Removes the content of a closed conversation. False if that was done before.
    async fn remove_content(&self, id: &ConversationId) -> Result<bool, SubmitError> {
        // The job that would stop the sub-agents is removed too, so they are closed here. A closed
        // conversation gets no further ones. Each leaves a closing record of its own, so that whoever
        // shows one learns that it is gone.
        for child in self.children(id).await? {
            self.close(&child, system()).await?;
            self.remove_own_content(&child).await?;
        }
        self.remove_own_content(id).await
    }

    async fn remove_own_content(&self, id: &ConversationId) -> Result<bool, SubmitError> {
        let _guard = self.inner.conversations.lock(id).await;
        let removal = ConversationRemoval {
            conversation: id.clone(),
            kept_jobs: KEPT_JOBS.map(str::to_owned).to_vec(),
            closing_record: self.inner.log.closing_record(id).await?,
            rows_max: ROWS_PER_TRANSACTION,
        };
        let mut rows = 0;
        loop {
            let step = self.store().remove_content(removal.clone()).await?;
            rows += step.rows;
            if step.is_complete {
                break;
            }
        }
        self.inner.conversations.evict(id);
        self.inner.history_cache.evict(id);
        Ok(rows > 0)
    }

    /// Finishes a removal that may have been interrupted.
    pub(crate) async fn finish_removal(&self, row: &JobRow) -> Result<(), SubmitError> {
        self.remove_content(&row.conversation).await?;
        finish_job(self, row.id).await;
        Ok(())
    }

    /// The sub-agents of a conversation. They cannot start sub-agents of their own.
    async fn children(&self, id: &ConversationId) -> Result<Vec<ConversationId>, StoreError> {
        let mut children = Vec::new();
        let mut cursor = None;
        loop {
            let filter = ConversationFilter {
                parent: Some(id.clone()),
                cursor,
                limit: CHILDREN_PAGE,
                ..ConversationFilter::default()
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

#[cfg(test)]
#[path = "delete_tests.rs"]
mod tests;

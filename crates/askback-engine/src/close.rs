//! Deletes conversations: one decision closes them, and what they held is removed after it.
//!
//! Closing gives everything that waits its outcome. Removal follows at once; if the process dies in
//! between, a job finishes it. What stays is the row of the conversation, which refuses everything,
//! and how the questions ended that were waiting.

use askback_core::conversation::command::Command;
use askback_core::conversation::rejection::Rejection;
use askback_core::id::ConversationId;
use askback_core::outcome::Actor;
use askback_store::{ConversationFilter, JobRow, Removal, StoreError};

use crate::commit::WEBHOOK;
use crate::engine::Engine;
use crate::jobs::system;
use crate::storage_format::STATE_CHANGE;
use crate::submit::SubmitError;

/// Jobs that somebody else waits for: receivers of webhooks, and the parent of a sub-agent.
const KEPT_JOBS: [&str; 2] = [WEBHOOK, "report_to_parent"];
/// Events of the close that tell listeners who come later how it ended. None holds content.
const KEPT_EVENTS: [&str; 3] = ["inquiry_resolved", "closed", STATE_CHANGE];
/// Sub-agents that are read at once.
const CHILDREN_PAGE: usize = 100;

/// Whether this close was the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// It closed the conversation.
    Now,
    /// The conversation was closed before.
    Before,
    /// There is no such conversation.
    Nothing,
}

impl Engine {
    /// Deletes a conversation with its sub-agents. False if there is none, or none any more.
    pub async fn delete(&self, id: &ConversationId, by: Actor) -> Result<bool, SubmitError> {
        let closing = self.close(id, by).await?;
        if closing == Closing::Nothing {
            return Ok(false);
        }
        let removed = self.remove(id).await?;
        Ok(removed || closing == Closing::Now)
    }

    async fn close(&self, id: &ConversationId, by: Actor) -> Result<Closing, SubmitError> {
        match self.submit(id, Command::Close, by).await {
            Ok(_) => Ok(Closing::Now),
            Err(SubmitError::Rejected(Rejection::Closed)) => Ok(Closing::Before),
            Err(SubmitError::NotFound) => Ok(Closing::Nothing),
            Err(error) => Err(error),
        }
    }

    /// Removes what a closed conversation held. False if that was done before.
    async fn remove(&self, id: &ConversationId) -> Result<bool, SubmitError> {
        // The job that stops the sub-agents is removed along: they are stopped here.
        for child in self.children(id).await? {
            self.close(&child, system()).await?;
            self.forget(&child);
            self.inner.histories.forget(&child);
        }
        let _turn = self.lock(id).await;
        let removal = Removal {
            conversation: id.clone(),
            kept_jobs: KEPT_JOBS.map(str::to_owned).to_vec(),
            kept_events: KEPT_EVENTS.map(str::to_owned).to_vec(),
        };
        let removed = self.store().remove(removal).await?;
        self.forget(id);
        self.inner.histories.forget(id);
        Ok(removed)
    }

    /// Finishes a removal that may have been cut off. The job goes with it.
    pub(crate) async fn finish_removal(&self, row: &JobRow) -> Result<(), SubmitError> {
        self.remove(&row.conversation).await?;
        self.finish_job(row.id).await;
        Ok(())
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

#[cfg(test)]
#[path = "close_tests.rs"]
mod tests;

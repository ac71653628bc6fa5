//! A conversation in memory, with what the store knows about it and the core does not.

use std::sync::Arc;

use askback_core::conversation::Conversation;
use askback_core::conversation::event::ToolCall;
use askback_core::conversation::state::Round;
use askback_core::id::InquiryId;
use askback_core::text::Text;
use askback_store::{AskerRow, ConversationWithPending, InquiryRow, StoreError};
use jiff::Timestamp;

use crate::view;

#[derive(Debug, Clone)]
pub(crate) struct LoadedConversation {
    pub(crate) conversation: Arc<Conversation>,
    pub(crate) title: Option<String>,
    pub(crate) app: Option<String>,
    pub(crate) created_at: Timestamp,
    /// One for each pending inquiry.
    pub(crate) pending: Vec<PendingMetadata>,
}

/// What the engine needs of a pending inquiry when it resolves.
#[derive(Debug, Clone)]
pub(crate) struct PendingMetadata {
    pub(crate) id: InquiryId,
    /// The name of the asker, as people see it.
    pub(crate) source: Option<Text>,
    /// The URL that is sent the outcome.
    pub(crate) webhook: Option<String>,
    /// The agent that asked, if it may come back for the outcome: as it was when the conversation was loaded or the
    /// inquiry was asked. Only the store knows what came after.
    pub(crate) asker: Option<AskerRow>,
}

impl LoadedConversation {
    pub(crate) fn from_rows(
        loaded: ConversationWithPending,
    ) -> Result<LoadedConversation, StoreError> {
        let metadata = |row: &InquiryRow| PendingMetadata {
            id: row.id.clone(),
            source: row.source.clone(),
            webhook: row.webhook.clone(),
            asker: row.asker.clone(),
        };
        let pending = loaded.pending.iter().map(metadata).collect();
        let conversation = view::parse_conversation(&loaded.row, loaded.pending)?;
        Ok(LoadedConversation {
            conversation: Arc::new(conversation),
            title: loaded.row.snapshot.title,
            app: loaded.row.app,
            created_at: loaded.row.created_at,
            pending,
        })
    }

    /// Approximate memory use. Pending inquiries and the inputs of open calls dominate.
    pub(crate) fn bytes(&self) -> usize {
        let state = &self.conversation.state;
        let waiting = state
            .pending()
            .iter()
            .map(|pending| pending.inquiry.bytes());
        let calls = state.round().map_or(&[][..], Round::calls).iter();
        let calls = calls.map(ToolCall::bytes);
        size_of::<LoadedConversation>() + waiting.sum::<usize>() + calls.sum::<usize>()
    }

    pub(crate) fn metadata(&self, inquiry: &InquiryId) -> Option<&PendingMetadata> {
        self.pending.iter().find(|pending| pending.id == *inquiry)
    }
}

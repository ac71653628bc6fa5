//! A conversation in memory, with what the store knows about it and the core does not.

use std::sync::Arc;

use askback_core::conversation::Conversation;
use askback_core::conversation::event::ToolCall;
use askback_core::conversation::state::Round;
use askback_core::id::InquiryId;
use askback_store::{ConversationWithPending, InquiryRow, StoreError};
use jiff::Timestamp;

use crate::view::{self, InquiryView};

#[derive(Debug, Clone)]
pub(crate) struct LoadedConversation {
    pub(crate) conversation: Arc<Conversation>,
    pub(crate) title: Option<String>,
    pub(crate) app: Option<String>,
    pub(crate) created_at: Timestamp,
    /// The rows of the pending inquiries without their JSON, which is in the conversation. The agent that asked is as it
    /// was when the row was read or written: only the store knows what came after.
    pub(crate) pending: Vec<InquiryRow>,
}

impl LoadedConversation {
    pub(crate) fn from_rows(
        loaded: ConversationWithPending,
    ) -> Result<LoadedConversation, StoreError> {
        let (conversation, pending) = view::parse_conversation(&loaded.row, loaded.pending)?;
        Ok(LoadedConversation {
            conversation: Arc::new(conversation),
            title: loaded.row.snapshot.title,
            app: loaded.row.app,
            created_at: loaded.row.created_at,
            pending: pending.into_iter().map(|view| view.row).collect(),
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

    /// A pending inquiry as it is in memory.
    pub(crate) fn inquiry(&self, id: &InquiryId) -> Option<InquiryView> {
        let row = self.pending.iter().find(|row| row.id == *id)?;
        let mut pending = self.conversation.state.pending().iter();
        let pending = pending.find(|pending| pending.id == *id)?;
        Some(InquiryView::from_pending(row, pending))
    }
}

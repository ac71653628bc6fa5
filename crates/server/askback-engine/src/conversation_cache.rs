//! Conversations in memory, bounded by their number and by their bytes.

use std::collections::HashMap;
use std::sync::Arc;

use askback_core::id::{ConversationId, InquiryId};

use crate::loaded_conversation::LoadedConversation;

const CONVERSATIONS_MAX: usize = 1024;
/// The sum of [`LoadedConversation::bytes`].
const BYTES_MAX: usize = 64 << 20;

/// The conversations of recent decisions. Reading one that was evicted costs one query.
#[derive(Debug, Default)]
pub(crate) struct ConversationCache {
    conversations: HashMap<ConversationId, (Arc<LoadedConversation>, usize)>,
    /// The conversations of the pending inquiries.
    by_inquiry: HashMap<InquiryId, ConversationId>,
    bytes: usize,
}

impl ConversationCache {
    pub(crate) fn get(&self, id: &ConversationId) -> Option<Arc<LoadedConversation>> {
        self.conversations
            .get(id)
            .map(|(loaded, _)| Arc::clone(loaded))
    }

    /// The conversation in which an inquiry is pending.
    pub(crate) fn get_by_inquiry(&self, inquiry: &InquiryId) -> Option<Arc<LoadedConversation>> {
        self.get(self.by_inquiry.get(inquiry)?)
    }

    pub(crate) fn insert(&mut self, loaded: Arc<LoadedConversation>) {
        let id = loaded.conversation.settings.id.clone();
        self.remove(&id);
        let bytes = loaded.bytes();
        let full = self.conversations.len() >= CONVERSATIONS_MAX || self.bytes + bytes > BYTES_MAX;
        if full {
            // Rare, and most conversations are waiting for a person by then: starting over is cheap.
            self.conversations.clear();
            self.by_inquiry.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        for pending in &loaded.pending {
            self.by_inquiry.insert(pending.id.clone(), id.clone());
        }
        self.conversations.insert(id, (loaded, bytes));
    }

    pub(crate) fn remove(&mut self, id: &ConversationId) {
        if let Some((removed, bytes)) = self.conversations.remove(id) {
            self.bytes -= bytes;
            for pending in &removed.pending {
                self.by_inquiry.remove(&pending.id);
            }
        }
    }
}

#[cfg(test)]
#[path = "conversation_cache_tests.rs"]
mod tests;

//! Conversations in memory, bounded by their number and by their bytes.

use std::collections::HashMap;
use std::sync::Arc;

use askback_core::id::ConversationId;

use crate::loaded_conversation::Active;

/// Conversations kept in memory. One that waits for an answer may be
/// evicted; answering it then costs a read.
const CONVERSATIONS_MAX: usize = 1024;
/// Bytes of what waits and works in them.
const BYTES_MAX: usize = 64 << 20;

/// The conversations that were decided on lately.
#[derive(Debug, Default)]
pub(crate) struct ConversationCache {
    conversations: HashMap<ConversationId, (Arc<Active>, usize)>,
    bytes: usize,
}

impl ConversationCache {
    pub(crate) fn get(&self, id: &ConversationId) -> Option<Arc<Active>> {
        self.conversations
            .get(id)
            .map(|(active, _)| Arc::clone(active))
    }

    pub(crate) fn insert(&mut self, active: Arc<Active>) {
        let id = active.conversation.settings.id.clone();
        self.remove(&id);
        let bytes = active.bytes();
        let full = self.conversations.len() >= CONVERSATIONS_MAX || self.bytes + bytes > BYTES_MAX;
        if full {
            // Rarely reached, and then most of them wait: starting over is cheap and bounded.
            self.conversations.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.conversations.insert(id, (active, bytes));
    }

    pub(crate) fn remove(&mut self, id: &ConversationId) {
        if let Some((_, bytes)) = self.conversations.remove(id) {
            self.bytes -= bytes;
        }
    }
}

#[cfg(test)]
#[path = "conversation_cache_tests.rs"]
mod tests;

//! Streamed tokens for those who listen to their conversation.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

use askback_core::id::ConversationId;
use tokio::sync::broadcast;

use crate::feed::StreamedToken;

/// Tokens that a listener may fall behind before it loses some.
const RETAINED_MAX: usize = 1024;

type TokenSender = broadcast::Sender<Arc<StreamedToken>>;

/// One channel for each conversation that somebody listens to.
#[derive(Debug, Default)]
pub(crate) struct TokenChannels(Mutex<HashMap<ConversationId, TokenSender>>);

impl TokenChannels {
    pub(crate) fn subscribe(&self, id: &ConversationId) -> broadcast::Receiver<Arc<StreamedToken>> {
        let mut channels = self.0.lock();
        // Here and not when a listener leaves, because a listener is only a receiver.
        channels.retain(|_, sender| sender.receiver_count() > 0);
        let new = || broadcast::Sender::new(RETAINED_MAX);
        channels.entry(id.clone()).or_insert_with(new).subscribe()
    }

    pub(crate) fn send(&self, token: StreamedToken) {
        if let Some(own) = self.0.lock().get(&token.conversation) {
            // It is no error if nobody listens.
            own.send(Arc::new(token)).ok();
        }
    }
}

#[cfg(test)]
#[path = "token_channels_tests.rs"]
mod tests;

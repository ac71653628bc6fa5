//! Streamed tokens for those who listen to their conversation, and to all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askback_core::id::ConversationId;
use askback_store::ListenerSet;
use tokio::sync::{Notify, broadcast};

use crate::feed::StreamedToken;

/// Tokens that a listener may fall behind before it loses some.
const RETAINED_MAX: usize = 1024;

type TokenSender = broadcast::Sender<Arc<StreamedToken>>;

/// One channel for all conversations, and one for each conversation that somebody listens to.
#[derive(Debug)]
pub(crate) struct TokenChannels {
    all: TokenSender,
    by_conversation: Mutex<HashMap<ConversationId, TokenSender>>,
    /// Somebody has begun to listen.
    pub(crate) listeners_changed: Notify,
}

impl Default for TokenChannels {
    fn default() -> TokenChannels {
        TokenChannels {
            all: broadcast::Sender::new(RETAINED_MAX),
            by_conversation: Mutex::default(),
            listeners_changed: Notify::new(),
        }
    }
}

impl TokenChannels {
    pub(crate) fn subscribe(
        &self,
        conversation: Option<&ConversationId>,
    ) -> broadcast::Receiver<Arc<StreamedToken>> {
        let receiver = match conversation {
            None => self.all.subscribe(),
            Some(id) => {
                let mut channels = self.lock();
                // Here and not when a listener leaves, because a listener is only a receiver.
                channels.retain(|_, sender| sender.receiver_count() > 0);
                let new = || broadcast::Sender::new(RETAINED_MAX);
                channels.entry(id.clone()).or_insert_with(new).subscribe()
            }
        };
        self.listeners_changed.notify_one();
        receiver
    }

    /// The conversations that somebody listens to.
    pub(crate) fn listeners(&self) -> ListenerSet {
        if self.all.receiver_count() > 0 {
            return ListenerSet::ALL;
        }
        let mut listeners = ListenerSet::default();
        for (id, sender) in self.lock().iter() {
            if sender.receiver_count() > 0 {
                listeners.insert(id);
            }
        }
        listeners
    }

    pub(crate) fn send(&self, token: Arc<StreamedToken>) {
        let channels = self.lock();
        let own = channels.get(&token.conversation);
        // It is no error if nobody listens.
        let own = own.map_or(0, |own| own.send(Arc::clone(&token)).unwrap_or(0));
        let listeners = own + self.all.send(token).unwrap_or(0);
        tracing::trace!(listeners, "token");
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ConversationId, TokenSender>> {
        self.by_conversation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "token_channels_tests.rs"]
mod tests;

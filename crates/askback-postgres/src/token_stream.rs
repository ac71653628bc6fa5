//! Passes replies in progress to other nodes, over `NOTIFY`.
//!
//! Only what somebody on another node listens to is sent, a few times a second, and what does not fit is
//! dropped. Notifications of all transactions pass one lock of the server, which is held until the commit
//! is done; those of tokens are not written to disk before that, so commits do not wait for them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use askback_core::id::ConversationId;
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::Instant;
use tokio_postgres::types::Type;

use crate::connection::{Parameters, Sql};
use crate::node::sleep_unless_closed;
use crate::pool::Pool;
use crate::remote::{CHANNEL, Message};
use crate::shared::Shared;
use askback_store::rows::Sequence;
use askback_store::store::StoreError;
use askback_store::{LISTENERS_TTL, ListenerSet, RemoteToken, RemoteTokens};

/// How often tokens are sent.
const SEND_INTERVAL: Duration = Duration::from_millis(50);
/// A database that takes longer than this has other worries.
const SEND_TIMEOUT: Duration = Duration::from_secs(2);
/// What is kept for the next notifications.
const OUTBOX_BYTES_MAX: usize = 64 << 10;
/// PostgreSQL takes less than 8000 bytes, with the fields before the text.
const TEXT_BYTES_MAX: usize = 7_000;
/// Tokens of other nodes that the engine has not taken yet.
const RECEIVED_MAX: usize = 1024;

/// All in one transaction, which is lost if the server crashes right after it.
const NOTIFY: Sql = Sql {
    text: "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
           FROM UNNEST ($2::text[]) AS payload",
    types: &[Type::TEXT, Type::TEXT_ARRAY],
};

#[derive(Default)]
pub(super) struct TokenStream {
    /// What other nodes listen to, and when they said so.
    listeners: Mutex<HashMap<i64, (ListenerSet, Instant)>>,
    outbox: Mutex<Outbox>,
    has_news: Notify,
    received: Mutex<Option<mpsc::Sender<RemoteToken>>>,
}

#[derive(Default)]
struct Outbox {
    listeners: Option<ListenerSet>,
    replies: HashMap<(ConversationId, Sequence), String>,
    bytes: usize,
}

impl TokenStream {
    /// The first caller gets the tokens of other nodes.
    pub(super) fn subscribe(&self) -> Option<RemoteTokens> {
        let mut received = lock(&self.received);
        if received.is_some() {
            return None;
        }
        let (sender, tokens) = mpsc::channel(RECEIVED_MAX);
        *received = Some(sender);
        Some(tokens)
    }

    pub(super) fn receive(&self, token: RemoteToken) {
        if let Some(received) = lock(&self.received).as_ref() {
            // A receiver that is too slow loses some.
            received.try_send(token).ok();
        }
    }

    /// Notes what another node listens to.
    pub(super) fn set_listeners(&self, node: i64, set: ListenerSet) {
        let now = Instant::now();
        let mut listeners = lock(&self.listeners);
        listeners.retain(|_, (_, since)| now < *since + LISTENERS_TTL);
        listeners.insert(node, (set, now));
    }

    pub(super) fn add(&self, conversation: &ConversationId, after: Sequence, text: &str) {
        // PostgreSQL has no texts with NUL. Cleaned text has none either.
        if text.is_empty() || text.contains('\0') || !self.is_wanted(conversation) {
            return;
        }
        let mut outbox = lock(&self.outbox);
        if outbox.bytes + text.len() > OUTBOX_BYTES_MAX {
            return;
        }
        outbox.bytes += text.len();
        let reply = outbox.replies.entry((conversation.clone(), after));
        reply.or_default().push_str(text);
        self.has_news.notify_one();
    }

    pub(super) fn announce(&self, listeners: ListenerSet) {
        lock(&self.outbox).listeners = Some(listeners);
        self.has_news.notify_one();
    }

    fn is_wanted(&self, conversation: &ConversationId) -> bool {
        let now = Instant::now();
        let listeners = lock(&self.listeners);
        let mut listeners = listeners.values();
        listeners.any(|(set, since)| now < *since + LISTENERS_TTL && set.contains(conversation))
    }

    fn take_messages(&self, node: i64) -> Vec<String> {
        let outbox = std::mem::take(&mut *lock(&self.outbox));
        let listeners = outbox.listeners;
        let listeners = listeners.map(|set| Message::Listeners { node, set });
        let tokens = outbox
            .replies
            .iter()
            .flat_map(|((conversation, after), text)| {
                pieces(text).map(|text| Message::Token {
                    node,
                    token: RemoteToken {
                        conversation: conversation.clone(),
                        after: *after,
                        text: text.to_owned(),
                    },
                })
            });
        let messages = listeners.into_iter().chain(tokens);
        messages.map(|message| message.to_string()).collect()
    }
}

/// Cuts a text into pieces that fit into a notification.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, left) = rest.split_at(rest.floor_char_boundary(TEXT_BYTES_MAX));
        rest = left;
        (!piece.is_empty()).then_some(piece)
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends what is in the outbox.
pub(super) struct TokenSender {
    pub(super) pool: Arc<Pool>,
    pub(super) shared: Arc<Shared>,
}

impl TokenSender {
    /// Sends until the store is closed.
    pub(super) async fn run(self, mut closed: watch::Receiver<bool>) {
        let has_news = &self.shared.tokens.has_news;
        loop {
            tokio::select! {
                biased;
                _ = closed.wait_for(|is_closed| *is_closed) => return,
                () = has_news.notified() => {}
            }
            if let Err(error) = self.send().await {
                tracing::debug!(%error, "cannot pass replies in progress to other nodes");
            }
            if !sleep_unless_closed(SEND_INTERVAL, &mut closed).await {
                return;
            }
        }
    }

    async fn send(&self) -> Result<(), StoreError> {
        let Some(node) = self.shared.node() else {
            return Ok(());
        };
        let messages = self.shared.tokens.take_messages(node);
        let parameters: Parameters<'_> = &[&CHANNEL, &messages];
        let sending = self.pool.change_returning(&NOTIFY, parameters);
        let slow = |_| StoreError::Unavailable("PostgreSQL took too long".to_owned());
        let sent = tokio::time::timeout(SEND_TIMEOUT, sending).await;
        sent.map_err(slow)?.map(drop)
    }
}

#[cfg(test)]
#[path = "token_stream_tests.rs"]
mod tests;

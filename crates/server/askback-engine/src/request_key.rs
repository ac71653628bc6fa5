//! Idempotency keys: a repeated request takes effect once.
//!
//! A key is bound to a hash of the request. It is committed together with the decision and kept as
//! long as its conversation, so neither a crash nor a clock change executes a request twice.

use askback_core::id::ConversationId;
use askback_store::RequestKey;

/// The idempotency keys of one request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestKeys {
    /// Whose keys they are. Those of different owners, and those of nobody in particular, have nothing to do with each other.
    pub owner: Option<String>,
    /// The idempotency key that the sender chose. All endpoints share one namespace.
    pub request: Option<SentKey>,
    /// The sender's id for a message. It must be unique within its conversation only.
    pub message: Option<SentKey>,
    /// The hidden key of an HTML form.
    pub form: Option<SentKey>,
}

/// A key with the hash of its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentKey {
    /// The key as the client sent it.
    pub key: String,
    /// The hash of the whole request. Another request under the same key is refused.
    pub request: [u8; 32],
}

impl RequestKeys {
    /// The stored form of a key that a sender chose. Names have no null characters, so that owners cannot collide.
    pub(crate) fn stored_request_key(owner: Option<&str>, key: &str) -> String {
        match owner {
            Some(owner) => format!("key:{owner}\0{key}"),
            None => format!("key:{key}"),
        }
    }

    /// The keys as they are stored. A prefix keeps the kinds apart.
    pub(crate) fn stored(&self, conversation: &ConversationId) -> Vec<RequestKey> {
        let scoped = [
            (
                RequestKeys::stored_request_key(self.owner.as_deref(), ""),
                &self.request,
            ),
            (format!("message:{conversation}/"), &self.message),
            ("form:".to_owned(), &self.form),
        ];
        let sent = scoped.into_iter().filter_map(|(scope, sent)| {
            let sent = sent.as_ref()?;
            Some(RequestKey {
                key: format!("{scope}{}", sent.key),
                request: sent.request,
            })
        });
        sent.collect()
    }
}

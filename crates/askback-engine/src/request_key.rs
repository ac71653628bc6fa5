//! Keys that make a repeated request harmless.
//!
//! A key is bound to a hash of what was requested. It is written with the decision it leads to and is
//! kept for as long as its conversation, so neither a crash nor a clock makes a request happen twice.

use askback_core::id::ConversationId;
use askback_store::RequestKey;

/// The keys under which a request was sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RequestKeys {
    /// A key of the sender's choice. All of them share one namespace, whatever they are used for.
    pub request: Option<SentKey>,
    /// The sender's id for a message. It counts within its conversation only.
    pub message: Option<SentKey>,
    /// The key in a form that a browser sends.
    pub form: Option<SentKey>,
}

/// A key, and a hash of what was requested under it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentKey {
    /// The key as it was sent.
    pub key: String,
    /// The hash.
    pub request: [u8; 32],
}

impl RequestKeys {
    /// The keys as the store has them: what they are used for is part of them, so that a key of one
    /// kind never meets one of another.
    pub(crate) fn stored(&self, conversation: &ConversationId) -> Vec<RequestKey> {
        let scoped = [
            ("key:".to_owned(), &self.request),
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

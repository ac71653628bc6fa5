//! The API key of a provider.

use reqwest::header::HeaderValue;

/// An API key. It has no `Display`, and its `Debug` output does not contain it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key from a variable or file, without surrounding whitespace; `None` if it is blank.
    pub fn new(raw: &str) -> Option<ApiKey> {
        let key = raw.trim();
        (!key.is_empty()).then(|| ApiKey(key.to_owned()))
    }

    /// A header value that HTTP libraries do not log.
    pub(super) fn header(&self, prefix: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("{prefix}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Replaces the key in a text, should a server have echoed it.
    pub(super) fn redact(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

askback_core::debug_only!(ApiKey);

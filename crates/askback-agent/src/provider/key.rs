//! An API key, which is sent and never shown.

use std::fmt;

use reqwest::header::HeaderValue;

/// An API key. Its `Debug` form does not hold it, and it has no other.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key as a variable or a file holds it; nothing if it is blank.
    pub fn new(raw: &str) -> Option<ApiKey> {
        let key = raw.trim();
        (!key.is_empty()).then(|| ApiKey(key.to_owned()))
    }

    /// The key in a header that is not logged.
    pub(super) fn header(&self, prefix: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("{prefix}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// A text without the key, should a server have repeated it.
    pub(super) fn scrub(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey(hidden)")
    }
}

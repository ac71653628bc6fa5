//! Identifiers: opaque strings with a prefix that says what they name. Cheap to clone.
//!
//! The core draws no random numbers. A caller hands in an [`IdSource`] with a 128-bit seed (a
//! version 7 UUID, say), from which as many ids are counted off as one decision needs; the same
//! seed gives the same ids.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize, Serializer};

macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        #[serde(from = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// What every id of this kind begins with.
            pub const PREFIX: &'static str = $prefix;

            /// Takes an id that arrived from outside as it is; an unknown one is merely not found.
            pub fn new(raw: impl Into<String>) -> Self {
                Self(raw.into().into())
            }

            /// The id as it is written everywhere.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<u128> for $name {
            fn from(number: u128) -> Self {
                Self(encode($prefix, number).into())
            }
        }

        impl From<String> for $name {
            fn from(raw: String) -> Self {
                Self(raw.into())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }
    };
}

id_type!(
    /// Names a conversation.
    ConversationId, "cnv_"
);
id_type!(
    /// Names one inquiry, for ever: an id is never used for a second one.
    InquiryId, "inq_"
);
id_type!(
    /// Names one tool call. Ours, because providers use their own ids again.
    CallId, "call_"
);
id_type!(
    /// Names one message of a user.
    MessageId, "msg_"
);

/// Digits of Crockford's base 32: no letter that looks like a digit.
const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

fn encode(prefix: &str, number: u128) -> String {
    let mut out = String::with_capacity(prefix.len() + 26);
    out.push_str(prefix);
    for place in (0..26).rev() {
        let digit = (number >> (place * 5)) & 31;
        out.push(char::from(DIGITS[usize::try_from(digit).unwrap_or(0)]));
    }
    out
}

/// Counts ids off a seed.
#[derive(Debug, Clone)]
pub struct IdSource {
    next: u128,
}

impl IdSource {
    /// A source that begins at `seed`.
    pub fn new(seed: u128) -> Self {
        Self { next: seed }
    }

    /// The next id of the wanted kind.
    pub fn draw<T: From<u128>>(&mut self) -> T {
        let number = self.next;
        self.next = self.next.wrapping_add(1);
        T::from(number)
    }
}

#[cfg(test)]
#[path = "id_tests.rs"]
mod tests;

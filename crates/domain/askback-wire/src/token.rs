//! The secret that clients send.

use serde::{Deserialize, Serialize};

/// A bearer token. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Token(String);

impl Token {
    /// Trims white space.
    pub fn new(raw: &str) -> Token {
        Token(raw.trim().to_owned())
    }

    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

askback_core::debug_only!(Token);

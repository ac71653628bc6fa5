//! The secret that a caller shows.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A bearer token. It is shown only where it is asked for by name.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Token(String);

impl Token {
    /// Takes a token; white space around it is not part of it.
    pub fn new(raw: &str) -> Token {
        Token(raw.trim().to_owned())
    }

    /// The token itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

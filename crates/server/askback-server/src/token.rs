//! The token of the server, which allows everything.
//!
//! Programs send it as bearer token. A browser opens a URL that contains it once, and has a session
//! ([`crate::session`]) from then on.

use askback_wire::server_process::hmac_sha256;
use axum::http::{HeaderMap, header};
use subtle::ConstantTimeEq as _;

use crate::random_secret::random_hex;

/// The secret of the server. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

askback_core::debug_only!(Token);

/// The token could not be created, or is too weak.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The system has no randomness.
    #[error("cannot get random numbers from the system: {0}")]
    NoRandomness(getrandom::Error),
    /// The configured token is too easy to guess.
    #[error("a token needs at least {min} characters, without spaces")]
    TooShort {
        /// The least number of characters.
        min: usize,
    },
}

impl Token {
    const CHARS_MIN: usize = 16;

    /// 128 random bits: as many as nobody guesses, and short enough that a link with them fits in a line.
    pub fn random() -> Result<Token, TokenError> {
        let random = random_hex::<16>().map_err(TokenError::NoRandomness)?;
        Ok(Token(random))
    }

    /// A token from the configuration.
    pub fn chosen(token: &str) -> Result<Token, TokenError> {
        let token = token.trim();
        if token.chars().count() < Token::CHARS_MIN || token.contains(char::is_whitespace) {
            return Err(TokenError::TooShort {
                min: Token::CHARS_MIN,
            });
        }
        Ok(Token(token.to_owned()))
    }

    /// The secret itself, for the file that stores it and the URL that contains it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Identifies the token without revealing it.
    pub fn id(&self) -> [u8; 16] {
        let signed = self.sign(b"askback session token");
        let mut id = [0; 16];
        id.copy_from_slice(&signed[..16]);
        id
    }

    /// Compares in constant time.
    pub(crate) fn is(&self, offered: &str) -> bool {
        bool::from(self.0.as_bytes().ct_eq(offered.as_bytes()))
    }

    /// HMAC-SHA256 with the token as key.
    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 32] {
        hmac_sha256(self.0.as_bytes(), message)
    }

    /// Whether a request has the token as bearer token. Browsers never add it by themselves.
    pub(crate) fn is_in_authorization_header(&self, headers: &HeaderMap) -> bool {
        bearer(headers).is_some_and(|offered| self.is(offered))
    }
}

/// The token that a request sends.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
#[path = "token_tests.rs"]
mod tests;

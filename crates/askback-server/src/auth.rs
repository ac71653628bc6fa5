//! The token: 256 random bits, made once for each data directory. Whoever has it may do everything.
//!
//! Programs send it as a bearer token. A browser shows it once in the address of a page, and from there
//! on has a session ([`crate::session`]).

use std::fmt;

use axum::http::{HeaderMap, header};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use subtle::ConstantTimeEq as _;

/// The secret that opens the server. Never shown by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// A token that could not be made or taken.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The system has no random numbers to give.
    #[error("the system gives no random numbers: {0}")]
    NoRandomness(getrandom::Error),
    /// A configured token is too easy to guess.
    #[error("a token needs at least {min} characters, without spaces")]
    TooShort {
        /// Fewest characters.
        min: usize,
    },
}

impl Token {
    /// Fewest characters of a token that somebody chose.
    const CHARS_MIN: usize = 16;

    /// A new random token.
    pub fn random() -> Result<Token, TokenError> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(TokenError::NoRandomness)?;
        Ok(Token(hex(&bytes)))
    }

    /// A token that somebody chose.
    pub fn chosen(token: &str) -> Result<Token, TokenError> {
        let token = token.trim();
        if token.chars().count() < Token::CHARS_MIN || token.contains(char::is_whitespace) {
            return Err(TokenError::TooShort {
                min: Token::CHARS_MIN,
            });
        }
        Ok(Token(token.to_owned()))
    }

    /// The secret itself, for the file that keeps it and the address that carries it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether `offered` is this token, in a time that does not depend on where they differ.
    pub(crate) fn is(&self, offered: &str) -> bool {
        bool::from(self.0.as_bytes().ct_eq(offered.as_bytes()))
    }

    /// Signs `message`, for what only this server can have made.
    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 32] {
        sign(self.0.as_bytes(), message)
    }

    /// Whether a request carries the token itself, which a browser never adds by itself.
    pub(crate) fn is_in_authorization_header(&self, headers: &HeaderMap) -> bool {
        bearer(headers).is_some_and(|offered| self.is(offered))
    }
}

/// The HMAC-SHA256 of a message.
pub(crate) fn sign(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut mac = match Hmac::<Sha256>::new_from_slice(key) {
        Ok(mac) => mac,
        // HMAC takes keys of any length.
        Err(never) => unreachable!("{never}"),
    };
    mac.update(message);
    mac.finalize().into_bytes().into()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The cookies of a request, each with its name: a browser sends several of one name if they have
/// different paths.
pub(crate) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let pairs = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'));
    pairs.filter_map(|pair| pair.trim().split_once('='))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |half: u8| char::from(DIGITS[usize::from(half)]);
    let pairs = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    pairs.collect()
}

#[cfg(test)]
#[path = "auth_tests.rs"]
mod tests;

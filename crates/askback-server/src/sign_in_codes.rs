//! Codes that sign one browser in, once: for a phone that scans a QR code.
//!
//! They live in memory, in the server that a phone is about to open: a restart ends them, and another node does not know
//! them.

use std::sync::{Mutex, PoisonError};

use jiff::{SignedDuration, Timestamp};

/// How long a code is valid.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// More of them at once make the oldest one invalid.
const CODES_MAX: usize = 16;
/// 100 random bits, as letters and digits that cannot be confused.
const CODE_CHARS: usize = 20;
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

/// A code, and until when it is valid.
#[derive(Clone)]
pub(crate) struct SignInCode {
    pub(crate) code: String,
    /// The alias of the person whom it signs in; without one, it signs an administrator in.
    pub(crate) person: Option<String>,
    pub(crate) expires_at: Timestamp,
}

/// The codes that were issued and not used yet.
#[derive(Default)]
pub(crate) struct SignInCodes(Mutex<Vec<SignInCode>>);

impl SignInCodes {
    pub(crate) fn issue(
        &self,
        person: Option<String>,
        now: Timestamp,
    ) -> Result<SignInCode, getrandom::Error> {
        let mut bytes = [0_u8; CODE_CHARS];
        getrandom::fill(&mut bytes)?;
        let letters = bytes.iter().map(|byte| ALPHABET[usize::from(byte % 32)]);
        let issued = SignInCode {
            code: letters.map(char::from).collect(),
            person,
            expires_at: now.saturating_add(LIFETIME).unwrap_or(Timestamp::MAX),
        };
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        codes.retain(|code| code.expires_at > now);
        if codes.len() == CODES_MAX {
            codes.remove(0);
        }
        codes.push(issued.clone());
        Ok(issued)
    }

    /// The code, if it is valid. It is not any more then.
    pub(crate) fn take(&self, code: &str, now: Timestamp) -> Option<SignInCode> {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        codes.retain(|code| code.expires_at > now);
        let found = codes.iter().position(|issued| issued.code == code);
        found.map(|at| codes.remove(at))
    }
}

#[cfg(test)]
#[path = "sign_in_codes_tests.rs"]
mod tests;

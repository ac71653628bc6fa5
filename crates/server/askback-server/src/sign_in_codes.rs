//! Codes that sign one browser in, once: for a phone that scans a QR code.
//!
//! They live in memory, in the server that a phone is about to open: a restart ends them, and another node does not know
//! them.

use parking_lot::Mutex;

use jiff::{SignedDuration, Timestamp};

use crate::authenticate::Caller;
use crate::session::SessionOwner;

/// How long a code is valid.
const LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// More of one issuer at once make their oldest one invalid.
const CODES_MAX: usize = 16;
/// 100 random bits, as letters and digits that cannot be confused.
const CODE_CHARS: usize = 20;
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";

/// A code, and until when it is valid.
#[derive(Clone)]
pub(crate) struct SignInCode {
    pub(crate) code: String,
    /// Whom it signs in. The session ends with the token with which the code was made.
    pub(crate) owner: SessionOwner,
    /// Who has made it. It is worth nothing once their access has ended.
    pub(crate) issuer: Caller,
    pub(crate) expires_at: Timestamp,
}

/// The codes that were issued and not used yet.
#[derive(Default)]
pub(crate) struct SignInCodes(Mutex<Vec<SignInCode>>);

impl SignInCodes {
    pub(crate) fn issue(
        &self,
        owner: SessionOwner,
        issuer: Caller,
        now: Timestamp,
    ) -> Result<SignInCode, getrandom::Error> {
        let mut bytes = [0_u8; CODE_CHARS];
        getrandom::fill(&mut bytes)?;
        let letters = bytes.iter().map(|byte| ALPHABET[usize::from(byte % 32)]);
        let made = SignInCode {
            code: letters.map(char::from).collect(),
            owner,
            issuer,
            expires_at: now.saturating_add(LIFETIME).unwrap_or(Timestamp::MAX),
        };
        let mut codes = self.0.lock();
        codes.retain(|code| code.expires_at > now);
        let is_of_issuer = |code: &SignInCode| code.owner == made.owner;
        if codes.iter().filter(|code| is_of_issuer(code)).count() == CODES_MAX
            && let Some(oldest) = codes.iter().position(is_of_issuer)
        {
            codes.remove(oldest);
        }
        codes.push(made.clone());
        Ok(made)
    }

    /// Ends the codes of a person.
    pub(crate) fn end_of_person(&self, alias: &str) {
        let mut codes = self.0.lock();
        codes.retain(|code| code.owner.person.as_deref() != Some(alias));
    }

    /// The code, if it is valid. It is not any more then.
    pub(crate) fn take(&self, code: &str, now: Timestamp) -> Option<SignInCode> {
        let mut codes = self.0.lock();
        codes.retain(|code| code.expires_at > now);
        let found = codes.iter().position(|issued| issued.code == code);
        found.map(|at| codes.remove(at))
    }
}

#[cfg(test)]
#[path = "sign_in_codes_tests.rs"]
mod tests;

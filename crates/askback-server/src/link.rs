//! The key of a link to one question: signed with the server's token, bound to the inquiry and to a
//! time. Nothing is kept of it, so there is nothing to leak; a new token ends all links at once.
//!
//! A link can be used for one answer only, because an inquiry takes one outcome only.

use askback_core::id::InquiryId;
use jiff::Timestamp;
use subtle::ConstantTimeEq as _;

use crate::auth::{Token, hex};

/// Bytes of the signature that a key carries: enough not to be guessed, few enough to be scanned.
const SIGNATURE_BYTES: usize = 16;

/// The key that opens this inquiry until then.
pub(crate) fn key(token: &Token, inquiry: &InquiryId, expires_at: Timestamp) -> String {
    let seconds = expires_at.as_second();
    format!("{seconds}-{}", signature(token, inquiry, seconds))
}

/// Whether a key opens this inquiry now.
pub(crate) fn opens(token: &Token, inquiry: &InquiryId, key: &str, now: Timestamp) -> bool {
    let Some((seconds, offered)) = key.split_once('-') else {
        return false;
    };
    let Ok(expires) = seconds.parse::<i64>() else {
        return false;
    };
    let right = signature(token, inquiry, expires);
    bool::from(right.as_bytes().ct_eq(offered.as_bytes())) && now.as_second() < expires
}

/// Signs inquiry and time. Neither cookies nor webhooks are signed with this beginning.
fn signature(token: &Token, inquiry: &InquiryId, seconds: i64) -> String {
    let message = format!("askback link\0{inquiry}\0{seconds}");
    hex(&token.sign(message.as_bytes())[..SIGNATURE_BYTES])
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;

//! HMAC-SHA256.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

pub(crate) fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut mac = match Hmac::<Sha256>::new_from_slice(key) {
        Ok(mac) => mac,
        // HMAC accepts keys of any length.
        Err(never) => unreachable!("{never}"),
    };
    mac.update(message);
    mac.finalize().into_bytes().into()
}

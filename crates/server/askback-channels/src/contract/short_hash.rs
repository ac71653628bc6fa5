//! Short hashes in the data of buttons, which has no room for more.

use sha2::{Digest as _, Sha256};

/// Four bytes of a hash, written as eight hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShortHash(u32);

impl ShortHash {
    pub(crate) fn new(bytes: &[u8]) -> ShortHash {
        let digest = Sha256::digest(bytes);
        ShortHash(u32::from_be_bytes([
            digest[0], digest[1], digest[2], digest[3],
        ]))
    }

    pub(crate) fn decode(hex: &str) -> Option<ShortHash> {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_hex = hex.len() == 8 && hex.bytes().all(is_digit);
        let code = is_hex.then(|| u32::from_str_radix(hex, 16).ok())?;
        code.map(ShortHash)
    }
}

impl std::fmt::Display for ShortHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

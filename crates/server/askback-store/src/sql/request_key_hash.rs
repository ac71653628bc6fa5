//! The hash under which PostgreSQL stores an idempotency key, and the key that stands for a hash where only
//! that is known.

use sha2::{Digest as _, Sha256};

/// No key of a request begins like this: they begin with what they are for, such as `message:`.
const PREFIX: &str = "sha256:";

/// Longer keys are replaced by their hash before anything else, because a transaction of all nodes must
/// not wait while a key of megabytes is hashed.
const KEY_BYTES_MAX: usize = 64;

/// A key that is not long.
pub fn shortened(key: String) -> String {
    if key.len() <= KEY_BYTES_MAX {
        return key;
    }
    // Longer than any key that is kept, so it is the key of no other request.
    hashed_key(&key_hash(&key))
}

/// The SHA-256 of a key.
pub fn key_hash(key: &str) -> Vec<u8> {
    Sha256::digest(key).to_vec()
}

/// What SQLite stores in place of a key of which only the hash is known.
pub fn hashed_key(hash: &[u8]) -> String {
    let digits = hash.iter().map(|byte| format!("{byte:02x}"));
    format!("{PREFIX}{}", digits.collect::<Vec<_>>().concat())
}

/// The hash of a key as SQLite stores it.
pub fn hash_of_stored_key(stored: &str) -> Vec<u8> {
    let digits = stored.strip_prefix(PREFIX).filter(|it| it.len() == 64);
    let byte = |index: usize| {
        let digits = digits?.get(2 * index..2 * index + 2)?;
        u8::from_str_radix(digits, 16).ok()
    };
    let hash: Option<Vec<u8>> = (0..32).map(byte).collect();
    hash.unwrap_or_else(|| key_hash(&shortened(stored.to_owned())))
}

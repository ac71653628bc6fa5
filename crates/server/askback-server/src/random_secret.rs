//! Random texts: secrets, and names that nobody else has.

use askback_store::StoreError;
use askback_wire::server_process::hex;

/// Why nothing was stored that has a secret.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SecretError {
    /// The system has no randomness.
    #[error("cannot get random numbers from the system: {0}")]
    NoRandomness(#[from] getrandom::Error),
    /// It cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What it would be derived from was revoked meanwhile.
    #[error("the token has ended")]
    AccessEnded,
}

/// So many random bytes, in hexadecimal.
pub(crate) fn random_hex<const BYTES: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

//! Requests between the processes that share a data directory: a server proves that it knows the token, and
//! hands over to a process with a higher role.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// `GET` proves that the server knows the token. Not a part of the documented API.
pub const PROOF_PATH: &str = "/server/proof";
/// `POST` asks an embedded server to stop. Not a part of the documented API.
pub const HAND_OVER_PATH: &str = "/server/hand-over";

/// What kind of process runs a server. A later variant has priority for the data directory.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum ServerRole {
    /// A command that embeds a server without a model: model requests wait for a server that has one.
    EmbeddedWithoutModel,
    /// A command that embeds a server with the scripted agent, because no provider is configured.
    EmbeddedScripted,
    /// A command that embeds a server with a configured provider.
    Embedded,
    /// `askback serve`. Unknown roles of newer versions count as this one: it never hands over.
    #[default]
    #[serde(other)]
    Dedicated,
}

/// `GET /server/proof`: the server proves that it knows the token, before the client sends the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofParams {
    /// Random, for this proof only: 16 to 64 hexadecimal digits.
    pub nonce: String,
}

impl ProofParams {
    /// Whether the nonce has the documented format.
    pub fn is_valid(&self) -> bool {
        (16..=64).contains(&self.nonce.len())
            && self.nonce.bytes().all(|byte| byte.is_ascii_hexdigit())
    }
}

/// The proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofResponse {
    /// HMAC-SHA256 in hexadecimal digits, keyed by the token.
    pub proof: String,
}

/// `POST /server/hand-over`: asks an embedded server to stop in favour of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOverParams {
    /// The role of the server that the caller will run.
    pub role: ServerRole,
}

/// Whether the server stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOverResponse {
    /// True if it is stopping. The data directory is free when its lock is released.
    pub handing_over: bool,
}

/// The proof of a server that knows `token` and listens at `address`. The address is part of it: a
/// program that forwards the nonce to the real server gets a proof for that server's address, not for
/// its own.
pub fn proof(token: &str, address: &str, nonce: &str) -> String {
    hex(&proof_mac(token, address, nonce).finalize().into_bytes())
}

/// Whether `offered` is the proof. Compares in constant time.
pub fn is_proof(offered: &str, token: &str, address: &str, nonce: &str) -> bool {
    let digits = offered.as_bytes();
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    };
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    bytes.is_some_and(|bytes| {
        proof_mac(token, address, nonce)
            .verify_slice(&bytes)
            .is_ok()
    })
}

/// Lower case, two digits for each byte.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    let pairs = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    pairs.collect()
}

/// HMAC-SHA256.
pub fn hmac_sha256(key: &[u8], message: &[u8]) -> [u8; 32] {
    mac(key, message).finalize().into_bytes().into()
}

fn proof_mac(token: &str, address: &str, nonce: &str) -> Hmac<Sha256> {
    // Links and sessions are signed with the same token. The prefix separates the purposes.
    let message = format!("askback server proof 1\n{address}\n{nonce}");
    mac(token.as_bytes(), message.as_bytes())
}

fn mac(key: &[u8], message: &[u8]) -> Hmac<Sha256> {
    let mut mac = match Hmac::<Sha256>::new_from_slice(key) {
        Ok(mac) => mac,
        // HMAC accepts keys of any length.
        Err(never) => unreachable!("{never}"),
    };
    mac.update(message);
    mac
}

#[cfg(test)]
#[path = "server_process_tests.rs"]
mod tests;

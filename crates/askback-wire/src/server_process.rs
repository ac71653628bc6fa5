//! What the processes of one data directory say to each other: who the server is, that it is who it
//! says, and that it hands over.

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

/// `GET` proves that the server knows the token. Not a part of the documented API.
pub const PROOF_PATH: &str = "/server/proof";
/// `POST` asks an embedded server to stop. Not a part of the documented API.
pub const HAND_OVER_PATH: &str = "/server/hand-over";

/// What kind of process runs a server. A later one has more right to its data directory.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum ServerRole {
    /// A command that runs a server beside its own work, without a model: requests to the model wait
    /// for a server that has one.
    EmbeddedWithoutModel,
    /// A command that plays the demonstration, because no provider is configured.
    EmbeddedScripted,
    /// A command with a configured provider.
    Embedded,
    /// `askback serve`. Also what a server of an unknown version is taken for: it hands over to
    /// nobody.
    #[default]
    #[serde(other)]
    Dedicated,
}

/// `GET /server/proof`: proves that whoever listens there knows the token, before it is shown the
/// token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofParams {
    /// What the caller made up for this one proof: 16 to 64 hexadecimal digits.
    pub nonce: String,
}

impl ProofParams {
    /// Whether the nonce has the documented form.
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
    /// What the caller will run.
    pub role: ServerRole,
}

/// Whether it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandOverResponse {
    /// It is stopping. The data directory is free when its lock is.
    pub handing_over: bool,
}

/// What a server that knows `token` and listens at `address` says to `nonce`. The address is part of
/// it: a stranger who passes the nonce on to the real server gets a proof for the address of that
/// one, and not for its own.
pub fn proof(token: &str, address: &str, nonce: &str) -> String {
    hex(&mac(token, address, nonce).finalize().into_bytes())
}

/// Whether `offered` is the proof, in a time that does not depend on where it differs.
pub fn is_proof(offered: &str, token: &str, address: &str, nonce: &str) -> bool {
    let digits = offered.as_bytes();
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    };
    let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
    bytes.is_some_and(|bytes| mac(token, address, nonce).verify_slice(&bytes).is_ok())
}

/// Two digits for each byte.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    let pairs = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    pairs.collect()
}

fn mac(token: &str, address: &str, nonce: &str) -> Hmac<Sha256> {
    let mut mac = match Hmac::<Sha256>::new_from_slice(token.as_bytes()) {
        Ok(mac) => mac,
        // HMAC takes keys of any length.
        Err(never) => unreachable!("{never}"),
    };
    // Other things are signed with the same token: the purpose keeps them apart.
    mac.update(format!("askback server proof 1\n{address}\n{nonce}").as_bytes());
    mac
}

#[cfg(test)]
#[path = "server_process_tests.rs"]
mod tests;

//! Message encryption for Web Push (RFC 8291 with the coding `aes128gcm` of RFC 8188): only the browser that
//! subscribed can read a message, the push service cannot.

use askback_wire::server_process::hmac_sha256;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::rand::{SecureRandom as _, SystemRandom};

const SALT_BYTES: usize = 16;
/// A message has one record, which is never longer.
const RECORD_SIZE: u32 = 4096;
/// Follows the text of the last record.
const LAST_RECORD: u8 = 2;

/// What a browser gives out when it subscribes.
pub(super) struct BrowserKeys<'a> {
    /// A point of P-256, uncompressed.
    pub(super) public: &'a [u8],
    /// A secret that browser and server share.
    pub(super) auth: &'a [u8],
}

/// The body of a request to the push service. `None` if the key of the browser is no point of the curve, or
/// the system gives no random numbers.
pub(super) fn encrypt(browser: &BrowserKeys<'_>, text: &[u8]) -> Option<Vec<u8>> {
    let random = SystemRandom::new();
    let private = EphemeralPrivateKey::generate(&ECDH_P256, &random).ok()?;
    let public = private.compute_public_key().ok()?;
    let mut salt = [0; SALT_BYTES];
    random.fill(&mut salt).ok()?;
    let peer = UnparsedPublicKey::new(&ECDH_P256, browser.public);
    agree_ephemeral(private, &peer, |secret| {
        seal(secret, browser, public.as_ref(), salt, text)
    })
    .ok()?
}

/// Encrypts with the secret that both sides agree on. Equal arguments give equal bodies.
fn seal(
    secret: &[u8],
    browser: &BrowserKeys<'_>,
    public: &[u8],
    salt: [u8; SALT_BYTES],
    text: &[u8],
) -> Option<Vec<u8>> {
    let keys = [b"WebPush: info\0", browser.public, public].concat();
    let shared = expand(&hmac_sha256(browser.auth, secret), &keys);
    let pseudorandom = hmac_sha256(&salt, &shared);
    let key = expand(&pseudorandom, b"Content-Encoding: aes128gcm\0");
    let nonce = expand(&pseudorandom, b"Content-Encoding: nonce\0");
    let key = UnboundKey::new(&AES_128_GCM, &key[..16]).ok()?;
    let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).ok()?;
    let mut record = [text, &[LAST_RECORD]].concat();
    let key = LessSafeKey::new(key);
    key.seal_in_place_append_tag(nonce, Aad::empty(), &mut record)
        .ok()?;
    let key_bytes = [u8::try_from(public.len()).ok()?];
    let size = RECORD_SIZE.to_be_bytes();
    Some([&salt, &size[..], &key_bytes, public, &record].concat())
}

/// HKDF-Expand for at most 32 bytes.
fn expand(key: &[u8], info: &[u8]) -> [u8; 32] {
    hmac_sha256(key, &[info, &[1]].concat())
}

#[cfg(test)]
#[path = "encrypt_tests.rs"]
mod tests;

//! The signature check from docs/webhooks.md, character by character.

use std::time::{SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// Whether `body` was sent by the server that has this secret, a short time ago.
pub(crate) fn is_genuine(secret: &str, header: &str, body: &[u8], tolerance: u64) -> bool {
    let parts: Vec<(&str, &str)> = header
        .split(',')
        .filter_map(|part| part.split_once('='))
        .collect();
    let times: Vec<&str> = parts
        .iter()
        .filter(|it| it.0 == "t")
        .map(|it| it.1)
        .collect();
    let ([time], Ok(now)) = (
        times.as_slice(),
        SystemTime::now().duration_since(UNIX_EPOCH),
    ) else {
        return false;
    };
    let is_recent = |time: u64| now.as_secs().abs_diff(time) <= tolerance;
    if !time.parse().is_ok_and(is_recent) {
        return false;
    }
    parts.iter().filter(|it| it.0 == "v1").any(|(_, offered)| {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else {
            return false;
        };
        mac.update(time.as_bytes());
        mac.update(b".");
        mac.update(body);
        let pairs = offered.as_bytes().chunks(2);
        let bytes = pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
        let bytes: Option<Vec<u8>> = bytes.collect();
        // Compares in constant time.
        bytes.is_some_and(|bytes| mac.verify_slice(&bytes).is_ok())
    })
}

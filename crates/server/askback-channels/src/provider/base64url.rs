//! Base64 for URLs without padding (RFC 4648, section 5), the form of all keys of Web Push.

use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, Engine as _, GeneralPurpose, GeneralPurposeConfig};

const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The text of these bytes.
pub fn encode(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// The bytes, whether or not the text is padded. `None` if it is no base64 of this kind.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64.decode(text).ok()
}

#[cfg(test)]
#[path = "base64url_tests.rs"]
mod tests;

//! Percent-encoding, for ids in paths and names in headers.

use std::fmt::Write as _;

/// `text` with every byte but letters, digits and `-._~` written as `%XX`.
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            write!(out, "%{byte:02X}").unwrap_or_default();
        }
    }
    out
}

/// The bytes that `text` stands for. A `%` without two digits behind it stands for itself.
pub fn decode(text: &[u8]) -> Vec<u8> {
    let digit = |at: usize| {
        let byte = *text.get(at)?;
        char::from(byte).to_digit(16)
    };
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let coded = match byte {
            b'%' => digit(at + 1).zip(digit(at + 2)),
            _ => None,
        };
        if let Some((high, low)) = coded {
            out.push(u8::try_from(high * 16 + low).unwrap_or(byte));
            at += 3;
        } else {
            out.push(byte);
            at += 1;
        }
    }
    out
}

#[cfg(test)]
#[path = "percent_tests.rs"]
mod tests;

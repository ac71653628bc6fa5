//! The header in which a client over HTTP names its project.
//!
//! Clients replace variables in the address without encoding the value: in a directory with `#`, `&`, `%` or
//! `+`, the address means something else. A header takes any directory.

use askback_core::text::Text;
use askback_wire::path::percent_encoded;
use http::HeaderMap;

/// The name of the header.
pub const PROJECT_HEADER: &str = "Askback-Project";

/// What an encoded value begins with, as in RFC 8187. Some clients cannot send other characters than those of
/// Latin-1.
const ENCODED_PREFIX: &str = "UTF-8''";

/// The value for a project whose name may have any characters.
pub fn project_header_value(project: &str) -> String {
    format!("{ENCODED_PREFIX}{}", percent_encoded(project))
}

/// The project of a request, encoded or as it is. Bytes that are not UTF-8 are Latin-1, as HTTP has it.
pub(crate) fn project_in_header(headers: &HeaderMap) -> Option<Text> {
    let value = headers.get(PROJECT_HEADER)?.as_bytes();
    let project = match value.strip_prefix(ENCODED_PREFIX.as_bytes()) {
        Some(encoded) => percent_encoding::percent_decode(encoded)
            .decode_utf8_lossy()
            .into_owned(),
        None => match std::str::from_utf8(value) {
            Ok(utf8) => utf8.to_owned(),
            Err(_) => value.iter().copied().map(char::from).collect(),
        },
    };
    Text::name(&project)
}

#[cfg(test)]
#[path = "project_header_tests.rs"]
mod tests;

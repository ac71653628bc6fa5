//! Text in the chunks of a stream.

use serde_json::Value;

/// The arguments of a call as JSON text. A string stays as it is: it simulates a model that writes
/// invalid JSON.
pub(super) fn raw_arguments(input: &Value) -> String {
    let raw = input.as_str().map(str::to_owned);
    raw.unwrap_or_else(|| input.to_string())
}

/// Splits a text every few characters, in the middle of words and JSON.
pub(super) fn chunks(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars
        .chunks(7)
        .map(|chunk| chunk.iter().collect())
        .collect()
}

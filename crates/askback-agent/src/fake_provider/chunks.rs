//! Text in the chunks of a stream.

/// Splits a text every few characters, in the middle of words and JSON.
pub(super) fn chunks(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars
        .chunks(7)
        .map(|chunk| chunk.iter().collect())
        .collect()
}

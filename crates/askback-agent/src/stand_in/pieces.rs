//! Text as a stream brings it.

/// The text in pieces of a few characters, cut without regard to words or JSON.
pub(super) fn pieces(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    chars
        .chunks(7)
        .map(|piece| piece.iter().collect())
        .collect()
}

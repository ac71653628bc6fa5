//! Text of a limited length.

use unicode_segmentation::UnicodeSegmentation as _;

/// The text, cut between graphemes so that it has at most `max` UTF-16 code units, which is how providers
/// count. An ellipsis shows that something is missing.
pub fn clip_graphemes(text: &str, max: usize) -> String {
    if text.encode_utf16().count() <= max {
        return text.to_owned();
    }
    let mut clipped = String::new();
    let mut units = 1;
    for grapheme in text.graphemes(true) {
        units += grapheme.encode_utf16().count();
        if units > max {
            break;
        }
        clipped.push_str(grapheme);
    }
    clipped.truncate(clipped.trim_end().len());
    clipped.push('…');
    clipped
}

#[cfg(test)]
#[path = "clip_tests.rs"]
mod tests;

//! Caret positions: between grapheme clusters, and at the ends of words.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::width::text_width;
use crate::wrap::WrappedRow;

/// The position one grapheme cluster to the left.
pub fn before(text: &str, at: usize) -> usize {
    let mut clusters = text[..at].grapheme_indices(true);
    clusters.next_back().map_or(0, |(start, _)| start)
}

/// The position one grapheme cluster to the right.
pub fn after(text: &str, at: usize) -> usize {
    let next = text[at..].graphemes(true).next();
    next.map_or(at, |cluster| at + cluster.len())
}

/// The start of the word to the left.
pub fn word_before(text: &str, at: usize) -> usize {
    let words = text[..at].split_word_bound_indices();
    let mut words = words.rev().filter(|(_, word)| !word.trim().is_empty());
    words.next().map_or(0, |(start, _)| start)
}

/// The end of the word to the right.
pub fn word_after(text: &str, at: usize) -> usize {
    let mut words = text[at..].split_word_bound_indices();
    let found = words.find(|(_, word)| !word.trim().is_empty());
    found.map_or(text.len(), |(start, word)| at + start + word.len())
}

/// The beginning of the line.
pub fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// The end of the line.
pub fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |end| at + end)
}

/// The index of the wrapped row that contains the caret.
pub fn row_of(pieces: &[WrappedRow], caret: usize) -> usize {
    let found = pieces.iter().position(|piece| caret < piece.end);
    found.unwrap_or(pieces.len().saturating_sub(1))
}

/// The position in a row at or before a column.
pub fn at_column(text: &str, piece: &WrappedRow, column: usize) -> usize {
    let mut taken = 0;
    let mut caret = piece.shown.start;
    for cluster in text[piece.shown.clone()].graphemes(true) {
        taken += text_width(cluster);
        if taken > column {
            break;
        }
        caret += cluster.len();
    }
    caret
}

/// The column of the caret in its row.
pub fn column(text: &str, piece: &WrappedRow, caret: usize) -> usize {
    let start = piece.shown.start;
    text_width(&text[start..caret.max(start)])
}

//! The width of text in columns, rounded up.
//!
//! Terminals disagree about emoji. A cluster counts as the larger of its own width and the sum of
//! its code points, so that it fits on a terminal that does not join them.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr as _};

/// The most columns that a grapheme cluster takes on any terminal.
pub fn cluster_width(cluster: &str) -> usize {
    if cluster.len() == 1 {
        return 1;
    }
    let apart: usize = cluster.chars().filter_map(UnicodeWidthChar::width).sum();
    cluster.width().max(apart)
}

/// Whether every byte is one column, which allows a faster path.
pub fn is_plain(text: &str) -> bool {
    text.is_ascii() && !text.contains('\r')
}

/// The most columns that a line of text takes on any terminal.
pub fn text_width(text: &str) -> usize {
    if is_plain(text) {
        return text.len();
    }
    text.graphemes(true).map(cluster_width).sum()
}

/// Truncates the text to `columns`, with `mark` at the end if anything was removed.
pub fn clip(text: &str, columns: usize, mark: &str) -> String {
    if text_width(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(text_width(mark));
    let mut taken = 0;
    let mut kept = String::new();
    for cluster in text.graphemes(true) {
        taken += cluster_width(cluster);
        if taken > room {
            break;
        }
        kept.push_str(cluster);
    }
    if columns >= text_width(mark) {
        kept.push_str(mark);
    }
    kept
}

#[cfg(test)]
#[path = "width_tests.rs"]
mod tests;

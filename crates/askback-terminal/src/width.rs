//! How many columns a text takes, judged so that no terminal needs more.
//!
//! Width tables disagree about emoji. A cluster counts as the larger of its own width and the sum of
//! its code points: a terminal that joins less than we do still finds room.

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr as _};

/// Columns that one grapheme cluster may take.
pub fn cluster_width(cluster: &str) -> usize {
    if cluster.len() == 1 {
        return 1;
    }
    let apart: usize = cluster.chars().filter_map(UnicodeWidthChar::width).sum();
    cluster.width().max(apart)
}

/// Whether every byte of a text is a cluster of one column, as in most texts.
pub fn is_plain(text: &str) -> bool {
    text.is_ascii() && !text.contains('\r')
}

/// Columns that a text of one line may take.
pub fn text_width(text: &str) -> usize {
    if is_plain(text) {
        return text.len();
    }
    text.graphemes(true).map(cluster_width).sum()
}

/// The text cut to `columns`, with `mark` at its end if anything was cut.
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

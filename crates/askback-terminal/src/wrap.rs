//! Breaks a text into rows: at spaces, between characters of scripts without spaces, and inside of a
//! word only where the word does not fit a row.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::width::{cluster_width, is_plain};

/// One row of a wrapped text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrappedRow {
    /// What is shown, as a range of bytes: spaces at a break are left out.
    pub shown: Range<usize>,
    /// Where the next row begins; a break belongs to the row before it.
    pub end: usize,
}

/// Walks over a text once and notes where rows end.
struct Wrapper<'a> {
    text: &'a str,
    columns: usize,
    pieces: Vec<WrappedRow>,
    /// Where the row begins.
    start: usize,
    /// Columns taken since then.
    taken: usize,
    /// Where the row could be broken: the end of what is shown, where the next row begins, and the
    /// columns taken up to there.
    opening: Option<(usize, usize, usize)>,
}

/// The rows of `text` at this width; at least one.
pub fn wrap(text: &str, columns: usize) -> Vec<WrappedRow> {
    let mut wrapper = Wrapper {
        text,
        columns: columns.max(1),
        pieces: Vec::new(),
        start: 0,
        taken: 0,
        opening: None,
    };
    if is_plain(text) {
        // Looking for clusters takes longer than all the rest.
        for at in 0..text.len() {
            wrapper.take(at, &text[at..=at], None);
        }
        return wrapper.finish();
    }
    let mut before = None;
    for (at, cluster) in text.grapheme_indices(true) {
        wrapper.take(at, cluster, before);
        before = Some(cluster);
    }
    wrapper.finish()
}

/// The rows of `text` as texts.
pub fn wrapped(text: &str, columns: usize) -> Vec<&str> {
    let pieces = wrap(text, columns).into_iter();
    pieces.map(|piece| &text[piece.shown]).collect()
}

impl Wrapper<'_> {
    fn take(&mut self, at: usize, cluster: &str, before: Option<&str>) {
        let next = at + cluster.len();
        if cluster == "\n" || cluster == "\r\n" {
            self.break_row(at, next);
            return;
        }
        let width = cluster_width(cluster);
        if is_space(cluster) {
            // A space may hang over the edge: it is not shown there.
            self.taken += width;
            self.opening = Some((at, next, self.taken));
            return;
        }
        if before.is_some_and(|before| parts(before, cluster)) && at > self.start {
            self.opening = Some((at, at, self.taken));
        }
        if self.taken + width > self.columns && at > self.start {
            match self.opening.take() {
                Some((end, next_start, taken)) if next_start > self.start => {
                    let left = self.taken - taken;
                    self.break_row(end, next_start);
                    self.taken = left;
                }
                _ => self.break_row(at, at),
            }
        }
        self.taken += width;
    }

    fn break_row(&mut self, end: usize, next: usize) {
        let row = &self.text[self.start..end];
        let shown = self.start..self.start + row.trim_end_matches(' ').len();
        self.pieces.push(WrappedRow { shown, end: next });
        self.start = next;
        self.taken = 0;
        self.opening = None;
    }

    fn finish(mut self) -> Vec<WrappedRow> {
        let end = self.text.len();
        self.break_row(end, end);
        self.pieces
    }
}

fn is_space(cluster: &str) -> bool {
    cluster == " " || cluster == "\t" || cluster == "\u{3000}"
}

/// Whether a row may end between two neighbours of a script without spaces.
fn parts(before: &str, after: &str) -> bool {
    (is_ideographic(before) || is_ideographic(after)) && !clings(before, after)
}

fn is_ideographic(cluster: &str) -> bool {
    cluster.chars().next().is_some_and(|first| {
        matches!(first, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}'
            | '\u{1F000}'..='\u{3FFFF}')
    })
}

/// Closing marks do not begin a row, opening ones do not end it.
fn clings(before: &str, after: &str) -> bool {
    const CLOSING: &str =
        "、。，．・：；？！）］｝」』】〉》〕゛゜ーぁぃぅぇぉっゃゅょァィゥェォッャュョ,.!?:;)]}…";
    const OPENING: &str = "（［｛「『【〈《〔([{";
    CLOSING.contains(after) || OPENING.contains(before)
}

#[cfg(test)]
#[path = "wrap_tests.rs"]
mod tests;

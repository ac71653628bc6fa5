//! Wraps text into rows: at spaces, between characters of scripts without spaces, and within a word
//! only if it does not fit into a row.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::width::{cluster_width, is_plain};

/// One row, as positions in the text that was wrapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrappedRow {
    /// The visible bytes, without the spaces at the break.
    pub shown: Range<usize>,
    /// Where the next row begins. The spaces at the break belong to this row.
    pub end: usize,
}

struct Wrapper<'a> {
    text: &'a str,
    columns: usize,
    pieces: Vec<WrappedRow>,
    start: usize,
    taken: usize,
    /// The last possible break: the end of the visible text, the start of the next row, and the
    /// columns up to there.
    opening: Option<(usize, usize, usize)>,
}

/// Wraps `text` at this width into at least one row.
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
        // Splitting into clusters is slower than the rest.
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

/// Wraps `text` and returns the visible part of each row.
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
            // A space may exceed the width, because it is not shown at a break.
            self.taken += width;
            self.opening = Some((at, next, self.taken));
            return;
        }
        if before.is_some_and(|before| may_break_between(before, cluster)) && at > self.start {
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

/// Whether a row may end between two characters of a script without spaces.
fn may_break_between(before: &str, after: &str) -> bool {
    (is_ideographic(before) || is_ideographic(after)) && !must_stay_together(before, after)
}

fn is_ideographic(cluster: &str) -> bool {
    cluster.chars().next().is_some_and(|first| {
        matches!(first, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}'
            | '\u{1F000}'..='\u{3FFFF}')
    })
}

/// Closing punctuation does not begin a row, opening punctuation does not end it.
fn must_stay_together(before: &str, after: &str) -> bool {
    const CLOSING: &str =
        "、。，．・：；？！）］｝」』】〉》〕゛゜ーぁぃぅぇぉっゃゅょァィゥェォッャュョ,.!?:;)]}…";
    const OPENING: &str = "（［｛「『【〈《〔([{";
    CLOSING.contains(after) || OPENING.contains(before)
}

#[cfg(test)]
#[path = "wrap_tests.rs"]
mod tests;

//! The last row of a screen: the hints that fit.

use askback_terminal::glyphs::Glyphs;
use askback_terminal::width::{clip, text_width};

/// A hint and its rank. If the row is too narrow, the hint with the lowest rank is left out first, and of several the
/// last one.
pub(crate) struct Hint {
    pub(crate) words: String,
    pub(crate) rank: u8,
}

/// The hints that fit. The last one is cut if it does not.
pub(crate) fn fitting(mut hints: Vec<Hint>, columns: usize, glyphs: &Glyphs) -> String {
    let between = format!(" {} ", glyphs.dot);
    loop {
        let words: Vec<&str> = hints.iter().map(|hint| hint.words.as_str()).collect();
        let line = words.join(&between);
        let lowest = hints.iter().map(|hint| hint.rank).min();
        let last = hints.iter().rposition(|hint| Some(hint.rank) == lowest);
        match last {
            Some(at) if text_width(&line) > columns && hints.len() > 1 => hints.remove(at),
            Some(_) | None => return clip(&line, columns, glyphs.more),
        };
    }
}

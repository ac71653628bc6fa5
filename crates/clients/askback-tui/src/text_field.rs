//! A text with a caret: what keys do to it, and which of its rows are visible.

use std::ops::Range;

use crate::keymap::Action;
use askback_terminal::caret;
use askback_terminal::row::Cursor;
use askback_terminal::wrap::wrap;

/// What a key does to the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CaretKey {
    /// The caret moves here.
    Moves(usize),
    /// This part of the text is removed.
    Erases(Range<usize>),
}

/// What an action does with the caret at this position; `None` if it is not for a text.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "a text takes a few of the many actions"
)]
pub(crate) fn caret_key(action: Action, text: &str, at: usize) -> Option<CaretKey> {
    let to = match action {
        Action::Left | Action::Backspace => caret::before(text, at),
        Action::Right | Action::Delete => caret::after(text, at),
        Action::WordLeft | Action::DeleteWord => caret::word_before(text, at),
        Action::WordRight => caret::word_after(text, at),
        Action::LineStart | Action::DeleteToStart => caret::line_start(text, at),
        Action::LineEnd | Action::DeleteToEnd => caret::line_end(text, at),
        _ => return None,
    };
    let erases = matches!(
        action,
        Action::Backspace
            | Action::Delete
            | Action::DeleteWord
            | Action::DeleteToStart
            | Action::DeleteToEnd
    );
    Some(if erases {
        CaretKey::Erases(to.min(at)..to.max(at))
    } else {
        CaretKey::Moves(to)
    })
}

/// Where the caret is one wrapped row above or below; `None` if there is no such row.
pub(crate) fn row_beside(text: &str, at: usize, columns: usize, by: isize) -> Option<usize> {
    let pieces = wrap(text, columns);
    let row = caret::row_of(&pieces, at);
    let beside = pieces.get(row.checked_add_signed(by)?)?;
    let column = caret::column(text, &pieces[row], at);
    Some(caret::at_column(text, beside, column))
}

/// The text as it is drawn.
pub(crate) struct VisibleRows {
    pub(crate) lines: Vec<String>,
    pub(crate) cursor: Cursor,
}

/// At most `rows_max` rows around the caret.
pub(crate) fn visible_rows(text: &str, at: usize, columns: usize, rows_max: usize) -> VisibleRows {
    // One column stays free for a caret after the last character.
    let columns = columns.saturating_sub(1).max(1);
    let rows_max = rows_max.max(1);
    let pieces = wrap(text, columns);
    let row = caret::row_of(&pieces, at);
    let first = (row + 1).saturating_sub(rows_max);
    let shown = pieces.iter().skip(first).take(rows_max);
    VisibleRows {
        lines: shown
            .map(|piece| text[piece.shown.clone()].to_owned())
            .collect(),
        cursor: Cursor {
            row: row - first,
            column: caret::column(text, &pieces[row], at).min(columns),
        },
    }
}

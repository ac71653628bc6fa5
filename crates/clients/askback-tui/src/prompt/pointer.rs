//! What a click hits.

use super::bordered_rows::ClickableFrame;
use super::{Prompt, field, layout, preview_pane};
use crate::keymap::Mode;
use askback_terminal::caret;
use askback_terminal::row::{Cursor, Frame};
use askback_terminal::wrap::wrap;

/// What is at a cell of the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// The folded prompt.
    Folded,
    /// This position in the text of the open field.
    Text(usize),
    /// This row of the list.
    Choice(usize),
    /// This row of the review.
    Review(usize),
    /// This row of the leave menu.
    Leave(usize),
}

pub(super) fn target(prompt: &Prompt, at: Cursor) -> Option<Target> {
    let mode = prompt.mode();
    let ClickableFrame { frame, targets } = layout::clickable_frame(prompt);
    let block = targets.get(at.row).copied().flatten();
    let in_list = at.column < layout::RAIL_COLUMNS + preview_pane::list_columns(prompt);
    match (mode, block) {
        (Mode::Folded, _) => Some(Target::Folded),
        (Mode::Text | Mode::Number | Mode::Date, _) => {
            position(prompt, at, &frame).map(Target::Text)
        }
        (Mode::List | Mode::Several, Some(block)) if in_list => prompt
            .draft
            .listed()
            .get(block)
            .copied()
            .map(Target::Choice),
        (Mode::Review, Some(row)) => Some(Target::Review(row)),
        (Mode::Leave, Some(row)) => Some(Target::Leave(row)),
        _ => None,
    }
}

/// The position in the text of the open field.
fn position(prompt: &Prompt, at: Cursor, frame: &Frame) -> Option<usize> {
    let text = prompt.draft.text();
    let pieces = wrap(text, field::columns(prompt));
    let caret = prompt.draft.cursor.caret;
    let row = caret::row_of(&pieces, caret);
    let column = caret::column(text, &pieces[row], caret);
    let origin = frame.cursor.column.checked_sub(column)?;
    let piece = pieces.get((row + at.row).checked_sub(frame.cursor.row)?)?;
    let column = at.column.checked_sub(origin)?;
    Some(caret::at_column(text, piece, column))
}

//! Handles clicks: the first moves the focus, a click on the focused row chooses it. In a field, a
//! click moves the caret.

use askback_core::draft::{Edit, FocusMove};

use super::bordered_rows::ClickableFrame;
use super::{Overlay, Prompt, Reaction, field, layout};
use crate::keymap::{Action, Mode};
use askback_terminal::caret;
use askback_terminal::key::Key;
use askback_terminal::row::{Cursor, Frame};
use askback_terminal::width::text_width;
use askback_terminal::wrap::wrap;

impl Prompt {
    pub(super) fn click(&mut self, at: Cursor) -> Reaction {
        let heard = self.guard.key(None, self.now);
        self.forget_word();
        self.options.deadline = None;
        self.notice = None;
        let mode = self.mode();
        let drawn = layout::clickable_frame(self);
        let hit = drawn.targets.get(at.row).copied().flatten();
        let in_list = at.column < layout::RAIL_COLUMNS + super::preview_pane::list_columns(self);
        match (mode, hit) {
            (Mode::Folded, _) => {
                self.folded = false;
                self.guard.close();
                Reaction::Redraw
            }
            (Mode::Text | Mode::Number | Mode::Date, _) => self.click_field(at, &drawn.frame),
            (Mode::List | Mode::Several, Some(block)) if in_list => {
                let Some(row) = self.listed().get(block).copied() else {
                    return Reaction::Nothing;
                };
                let focused = self.entry().focus == row && !self.is_yes_no_untouched();
                let chooses = if mode == Mode::List {
                    Action::Confirm
                } else {
                    Action::Mark
                };
                self.click_on(focused.then_some(chooses), row, heard)
            }
            (Mode::Review, Some(row)) => {
                let focused = self.draft.review_focus == row;
                self.click_on(focused.then_some(Action::Confirm), row, heard)
            }
            (Mode::Leave, Some(row)) if self.overlay != Some(Overlay::Leave(row)) => {
                self.overlay = Some(Overlay::Leave(row));
                Reaction::Redraw
            }
            (Mode::Leave, Some(_)) if heard => {
                self.act(Action::Confirm, Mode::Leave, Key::char(' '))
            }
            _ => Reaction::Nothing,
        }
    }

    /// Carries out the action if the row has the focus, otherwise moves the focus there.
    fn click_on(&mut self, does: Option<Action>, row: usize, heard: bool) -> Reaction {
        match does {
            Some(action) if heard => {
                let mode = self.mode();
                self.act(action, mode, Key::char(' '))
            }
            Some(_) => Reaction::Redraw,
            None => self.apply(&Edit::Move {
                to: FocusMove::Row(row),
            }),
        }
    }

    fn click_field(&mut self, at: Cursor, frame: &Frame) -> Reaction {
        let text = self.field_text();
        let pieces = wrap(text, field::columns(self));
        let row = caret::row_of(&pieces, self.caret);
        let start = pieces[row].shown.start;
        let column = text_width(&text[start..self.caret.max(start)]);
        let Some(origin) = frame.cursor.column.checked_sub(column) else {
            return Reaction::Nothing;
        };
        let to = (row + at.row).checked_sub(frame.cursor.row);
        match to.and_then(|to| pieces.get(to)) {
            Some(piece) if at.column >= origin => {
                self.caret = caret::at_column(text, piece, at.column - origin);
                Reaction::Redraw
            }
            Some(_) | None => Reaction::Nothing,
        }
    }

    /// The frame with the chosen row highlighted, to be shown for a moment before it is erased;
    /// `None` if the answer was typed or there are several questions.
    pub(crate) fn highlighted(&self) -> Option<Frame> {
        let listed = matches!(self.mode(), Mode::List | Mode::Several);
        if !listed || self.inquiry.questions().len() > 1 {
            return None;
        }
        let ClickableFrame { mut frame, targets } = layout::clickable_frame(self);
        let rows = self.listed();
        let chosen = |block: usize| {
            let row = rows.get(block).copied();
            row.is_some_and(|row| self.entry().is_ticked(self.question(), row))
        };
        for (row, hit) in frame.rows.iter_mut().zip(targets) {
            if hit.is_some_and(chosen) {
                row.highlight();
            }
        }
        Some(frame)
    }
}

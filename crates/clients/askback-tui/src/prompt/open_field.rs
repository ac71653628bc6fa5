//! Where the caret is in the open field, and how its day is entered.

use crate::keymap::Action;
use crate::text_field::{CaretKey, caret_key, row_beside};

/// See the module documentation. The text is that of the draft.
#[derive(Debug, Clone, Default)]
pub(super) struct OpenField {
    pub(super) caret: usize,
    /// Whether the day is picked in the calendar, and not typed.
    pub(super) is_calendar: bool,
    /// The day that was picked in the calendar before another date was typed.
    picked_day: Option<String>,
    /// Whether the last key typed into it: undo reverts all that was typed in a run.
    pub(super) is_in_a_run: bool,
}

impl OpenField {
    /// The caret is behind the text.
    pub(super) fn at_end(text: &str) -> OpenField {
        OpenField {
            caret: text.len(),
            ..OpenField::default()
        }
    }

    /// The text with something typed at the caret.
    pub(super) fn insert(&mut self, text: &str, added: &str) -> String {
        let mut whole = text.to_owned();
        whole.insert_str(self.caret, added);
        self.caret += added.len();
        whole
    }

    /// The text after a key that erases; `None` after one that only moves the caret.
    pub(super) fn press(&mut self, action: Action, text: &str) -> Option<String> {
        self.is_calendar = false;
        match caret_key(action, text, self.caret)? {
            CaretKey::Moves(to) => {
                self.caret = to;
                None
            }
            CaretKey::Erases(part) => {
                self.caret = part.start;
                let mut left = text.to_owned();
                left.replace_range(part, "");
                Some(left)
            }
        }
    }

    /// Moves the caret by a wrapped row, or from the first and the last one to the end of the text.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "only the keys that move by rows get here"
    )]
    pub(super) fn move_row(&mut self, action: Action, text: &str, columns: usize) {
        let (by, end) = match action {
            Action::Up => (-1, 0),
            Action::Down => (1, text.len()),
            Action::PageUp => return self.caret = 0,
            _ => return self.caret = text.len(),
        };
        self.caret = row_beside(text, self.caret, columns, by).unwrap_or(end);
    }

    /// A user who types after moving in the calendar enters another date. The picked day comes back if nothing is left of it.
    pub(super) fn leave_calendar(&mut self, picked: String) {
        self.is_calendar = false;
        self.picked_day = Some(picked).filter(|picked| !picked.is_empty());
    }

    pub(super) fn has_picked_day(&self) -> bool {
        self.picked_day.is_some()
    }

    pub(super) fn take_picked_day(&mut self) -> Option<String> {
        self.picked_day.take()
    }
}

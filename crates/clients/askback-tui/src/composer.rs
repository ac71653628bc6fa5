//! The message field: several lines, with a history of sent messages.

use askback_core::text::{Lines, clean};

use crate::keymap::Action;
use crate::text_field::{CaretKey, VisibleRows, caret_key, row_beside, visible_rows};

#[derive(Debug, Clone, Default)]
pub(crate) struct Composer {
    text: String,
    caret: usize,
    /// Sent messages, newest last.
    sent: Vec<String>,
    /// The recalled message, and the text that it replaced.
    recalled: Option<(usize, String)>,
    /// Text that was cleared, for undo.
    cleared: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Composed {
    /// The key is not for the composer.
    Nothing,
    /// The text or the caret may have changed.
    Changed,
    Send(String),
}

impl Composer {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn set(&mut self, text: &str) {
        self.text = clean(text.trim_end_matches('\n'), Lines::Many);
        self.caret = self.text.len();
        self.recalled = None;
    }

    /// Adds a sent message to the history.
    pub(crate) fn remember(&mut self, text: &str) {
        if self.sent.last().map(String::as_str) != Some(text) {
            self.sent.push(text.to_owned());
        }
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let added = clean(text, Lines::Many);
        self.text.insert_str(self.caret, &added);
        self.caret += added.len();
        self.recalled = None;
    }

    /// Puts a message that was not sent in front of what was typed since.
    pub(crate) fn put_back(&mut self, message: &str) {
        let mut added = clean(message, Lines::Many);
        if !self.text.is_empty() {
            added.push('\n');
        }
        self.text.insert_str(0, &added);
        self.caret += added.len();
        self.recalled = None;
    }

    /// Removes the text; [`undo`](Composer::undo) restores it.
    pub(crate) fn clear(&mut self) {
        let text = std::mem::take(&mut self.text);
        self.cleared.push(text);
        self.caret = 0;
        self.recalled = None;
    }

    fn undo(&mut self) {
        if let Some(text) = self.cleared.pop() {
            self.set(&text);
        }
    }

    pub(crate) fn type_char(&mut self, ch: char) {
        self.insert(ch.encode_utf8(&mut [0; 4]));
    }

    /// `columns` is the width at which the text is wrapped.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "a field takes a few of the many actions"
    )]
    pub(crate) fn act(&mut self, action: Action, columns: usize) -> Composed {
        match action {
            Action::Confirm => return self.send(),
            Action::NewLine => self.insert("\n"),
            Action::Up => self.move_row(columns, Way::Back),
            Action::Down => self.move_row(columns, Way::On),
            Action::Earlier => self.recall(Way::Back),
            Action::Later => self.recall(Way::On),
            Action::Undo => self.undo(),
            action => return self.press(action),
        }
        Composed::Changed
    }

    fn send(&mut self) -> Composed {
        let text = self.text.trim().to_owned();
        if text.is_empty() {
            return Composed::Nothing;
        }
        self.text.clear();
        self.caret = 0;
        self.recalled = None;
        Composed::Send(text)
    }

    fn press(&mut self, action: Action) -> Composed {
        match caret_key(action, &self.text, self.caret) {
            Some(CaretKey::Moves(to)) => self.caret = to,
            Some(CaretKey::Erases(part)) => {
                self.caret = part.start;
                self.text.replace_range(part, "");
                self.recalled = None;
            }
            None => return Composed::Nothing,
        }
        Composed::Changed
    }

    /// Moves the caret by a row; at the first and the last one, recalls another message.
    fn move_row(&mut self, columns: usize, way: Way) {
        let by = match way {
            Way::Back => -1,
            Way::On => 1,
        };
        match row_beside(&self.text, self.caret, columns, by) {
            Some(to) => self.caret = to,
            None => self.recall(way),
        }
    }

    fn recall(&mut self, way: Way) {
        let (at, typed) = match (self.recalled.take(), way) {
            (None, Way::Back) => (self.sent.len(), self.text.clone()),
            (None, Way::On) => return,
            (Some(recalled), _) => recalled,
        };
        let to = match way {
            Way::Back => at.saturating_sub(1),
            Way::On => at + 1,
        };
        let text = self.sent.get(to).unwrap_or(&typed).clone();
        self.set(&text);
        self.recalled = (to < self.sent.len()).then_some((to, typed));
    }

    pub(crate) fn visible_rows(&self, columns: usize, rows_max: usize) -> VisibleRows {
        visible_rows(&self.text, self.caret, columns, rows_max)
    }
}

#[derive(Debug, Clone, Copy)]
enum Way {
    Back,
    On,
}

#[cfg(test)]
#[path = "composer_tests.rs"]
mod tests;

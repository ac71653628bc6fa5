//! The message field: several lines, with a history of sent messages.

use askback_core::text::{Lines, clean};

use crate::keymap::Action;
use askback_terminal::caret;
use askback_terminal::row::Cursor;
use askback_terminal::width::text_width;
use askback_terminal::wrap::wrap;

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

/// The text as it is drawn.
pub(crate) struct VisibleRows {
    pub(crate) lines: Vec<String>,
    pub(crate) cursor: Cursor,
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
            Action::Up => self.up(columns),
            Action::Down => self.down(columns),
            Action::Earlier => self.recall(Way::Back),
            Action::Later => self.recall(Way::On),
            Action::Undo => self.undo(),
            Action::DeleteToStart => self.erase(caret::line_start),
            Action::DeleteToEnd => self.erase(caret::line_end),
            Action::DeleteWord => self.erase(caret::word_before),
            Action::Backspace => self.erase(caret::before),
            Action::Delete => self.erase(caret::after),
            Action::WordLeft => self.walk(caret::word_before),
            Action::WordRight => self.walk(caret::word_after),
            Action::Left => self.walk(caret::before),
            Action::Right => self.walk(caret::after),
            Action::LineStart => self.walk(caret::line_start),
            Action::LineEnd => self.walk(caret::line_end),
            _ => return Composed::Nothing,
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

    fn walk(&mut self, to: fn(&str, usize) -> usize) {
        self.caret = to(&self.text, self.caret);
    }

    fn erase(&mut self, to: fn(&str, usize) -> usize) {
        let other = to(&self.text, self.caret);
        let (from, to) = (other.min(self.caret), other.max(self.caret));
        self.text.replace_range(from..to, "");
        self.caret = from;
        self.recalled = None;
    }

    fn up(&mut self, columns: usize) {
        let pieces = wrap(&self.text, columns);
        let at = caret::row_of(&pieces, self.caret);
        if at == 0 {
            self.recall(Way::Back);
        } else {
            self.caret = caret::at_column(&self.text, &pieces[at - 1], self.column(&pieces[at]));
        }
    }

    fn down(&mut self, columns: usize) {
        let pieces = wrap(&self.text, columns);
        let at = caret::row_of(&pieces, self.caret);
        match pieces.get(at + 1) {
            Some(below) => {
                self.caret = caret::at_column(&self.text, below, self.column(&pieces[at]));
            }
            None => self.recall(Way::On),
        }
    }

    fn column(&self, piece: &askback_terminal::wrap::WrappedRow) -> usize {
        let start = piece.shown.start;
        text_width(&self.text[start..self.caret.max(start)])
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
        let columns = columns.saturating_sub(1).max(1);
        let pieces = wrap(&self.text, columns);
        let at = caret::row_of(&pieces, self.caret);
        let first = (at + 1).saturating_sub(rows_max.max(1));
        let shown = pieces.iter().skip(first).take(rows_max.max(1));
        VisibleRows {
            lines: shown
                .map(|piece| self.text[piece.shown.clone()].to_owned())
                .collect(),
            cursor: Cursor {
                row: at - first,
                column: self.column(&pieces[at]).min(columns),
            },
        }
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

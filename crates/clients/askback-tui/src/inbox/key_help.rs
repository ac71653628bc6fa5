//! The key names in the hints and the help of the inbox.

use super::Inbox;
use super::keys::takes_digit;
use crate::keymap::{Action, Mode};
use crate::yes_no::YesNoChoices;
use askback_terminal::row::{Cursor, Frame, Row, ScreenBuffer, Style};
use askback_terminal::width::text_width;

/// A hint of the last row.
pub(super) struct Hint {
    text: String,
    /// Whether others are left out before this one.
    is_kept: bool,
}

impl Hint {
    pub(super) fn kept(text: String) -> Hint {
        Hint {
            text,
            is_kept: true,
        }
    }

    fn if_it_fits(text: String) -> Hint {
        Hint {
            text,
            is_kept: false,
        }
    }
}

impl Inbox {
    /// The hints that fit on one row. How to leave and how to get help is left out last.
    pub(super) fn hint_line(&self, mut hints: Vec<Hint>) -> String {
        let between = format!(" {} ", self.config.glyphs.dot);
        loop {
            let texts: Vec<&str> = hints.iter().map(|hint| hint.text.as_str()).collect();
            let line = texts.join(&between);
            let optional = hints.iter().rposition(|hint| !hint.is_kept);
            let last = hints.len().saturating_sub(1);
            if text_width(&line) <= self.columns() || last == 0 {
                return line;
            }
            hints.remove(optional.unwrap_or(last));
        }
    }

    pub(super) fn hint(&self, id: &str, mode: Mode, action: Action) -> Option<String> {
        let glyphs = &self.config.glyphs;
        let keys = self.config.keymap.name(mode, action, glyphs)?;
        Some(self.text(id, &[("keys", keys.into())]))
    }

    pub(super) fn hints(&self) -> Vec<Hint> {
        let text = |id: &str, action: Action| self.hint(id, Mode::Inbox, action);
        let key = |id: &str, action: Action| text(id, action).map(Hint::if_it_fits);
        let kept = |id: &str, action: Action| text(id, action).map(Hint::kept);
        if self.focused().is_none() {
            return kept("inbox-hint-quit", Action::Leave).into_iter().collect();
        }
        let moves = [Action::Up, Action::Down];
        let moves = self
            .config
            .keymap
            .pair(Mode::Inbox, moves, &self.config.glyphs);
        let moves = moves.map(|keys| self.text("inbox-hint-move", &[("keys", keys.into())]));
        let moves = moves.map(Hint::if_it_fits);
        if self.focused().is_some_and(|item| !item.is_open()) {
            let hints = [
                kept("inbox-hint-go-on", Action::Confirm),
                moves,
                kept("inbox-hint-quit", Action::Leave),
            ];
            return hints.into_iter().flatten().collect();
        }
        let answers = self.answering_keys();
        let answers = answers.map(|keys| self.text("inbox-hint-answer", &[("keys", keys.into())]));
        let hints = [
            answers.map(Hint::if_it_fits),
            key("inbox-hint-open", Action::Confirm),
            moves,
            kept("inbox-hint-quit", Action::Leave),
            kept("hint-keys", Action::Help),
            key("inbox-hint-skip", Action::Skip).filter(|_| self.can_skip()),
            key("inbox-hint-decline", Action::Decline),
            key("inbox-hint-reject", Action::Reject),
            key("inbox-hint-mark", Action::Mark),
            key("inbox-hint-undo", Action::Undo),
        ];
        hints.into_iter().flatten().collect()
    }

    fn answering_keys(&self) -> Option<String> {
        let glyphs = &self.config.glyphs;
        let digits = self
            .config
            .keymap
            .name(Mode::Inbox, Action::Digit, glyphs)?;
        let asked = self.focused()?.inquiry.to_inquiry().ok()?;
        if !takes_digit(&asked) {
            return None;
        }
        let yes_no = YesNoChoices::of(&asked.questions()[0], self.config.locale);
        Some(yes_no.map_or(digits.clone(), |_| format!("y n {digits}")))
    }

    pub(super) fn help(&self) -> Frame {
        let mut rows = vec![self.head(), Row::new()];
        let config = &self.config;
        let bound = config
            .keymap
            .rows(Mode::Inbox, config.locale, &config.glyphs);
        let widths = bound.iter().map(|row| text_width(&row.keys));
        let wide = widths.max().unwrap_or(0).min(self.columns() / 2);
        for bound in bound {
            let gap = wide.saturating_sub(text_width(&bound.keys)) + 2;
            let row = Row::new()
                .with("  ", Style::Plain)
                .with(bound.keys, Style::Mark)
                .with(" ".repeat(gap), Style::Plain)
                .with(bound.words, Style::Label);
            rows.push(self.clipped(&row, self.columns()));
        }
        let close = self.text(
            "hint-close",
            &[("keys", self.key_name(Action::Back).into())],
        );
        rows.extend([Row::new(), Row::new().with(close, Style::Muted)]);
        let cursor = Cursor {
            row: rows.len() - 1,
            column: 0,
        };
        Frame {
            rows,
            cursor,
            buffer: ScreenBuffer::Alternate,
        }
    }
}

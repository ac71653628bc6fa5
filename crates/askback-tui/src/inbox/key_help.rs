//! The key names in the hints and the help of the inbox.

use super::Inbox;
use super::keys::takes_digit;
use crate::keymap::{Action, Mode};
use crate::yes_no::YesNoChoices;
use askback_terminal::row::{Cursor, Frame, Row, ScreenBuffer, Style};
use askback_terminal::width::text_width;

impl Inbox {
    pub(super) fn hint(&self, id: &str, mode: Mode, action: Action) -> Option<String> {
        let glyphs = &self.config.glyphs;
        let keys = self.config.keymap.name(mode, action, glyphs)?;
        Some(self.text(id, &[("keys", keys.into())]))
    }

    pub(super) fn hints(&self) -> Vec<String> {
        let key = |id: &str, action: Action| self.hint(id, Mode::Inbox, action);
        if self.focused().is_none() {
            return key("inbox-hint-quit", Action::Leave).into_iter().collect();
        }
        let moves = [Action::Up, Action::Down];
        let moves = self
            .config
            .keymap
            .pair(Mode::Inbox, moves, &self.config.glyphs);
        let moves = moves.map(|keys| self.text("inbox-hint-move", &[("keys", keys.into())]));
        if self.focused().is_some_and(|item| !item.is_open()) {
            let hints = [
                key("inbox-hint-go-on", Action::Confirm),
                moves,
                key("inbox-hint-quit", Action::Leave),
            ];
            return hints.into_iter().flatten().collect();
        }
        let answers = self.answering_keys();
        let hints = [
            answers.map(|keys| self.text("inbox-hint-answer", &[("keys", keys.into())])),
            key("inbox-hint-open", Action::Confirm),
            moves,
            key("inbox-hint-quit", Action::Leave),
            key("hint-keys", Action::Help),
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

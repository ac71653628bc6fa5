//! Text editing at the caret, which moves by grapheme clusters.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use askback_core::draft::{DraftField, Edit};
use askback_core::question::Kind;
use askback_core::text::{Lines, clean};

use super::number_field::typed_number;
use super::{DateInput, Overlay, Prompt, Reaction, field};
use crate::keymap::{Action, Mode};
use askback_terminal::caret;
use askback_terminal::width::text_width;
use askback_terminal::wrap::wrap;

impl Prompt {
    pub(super) fn type_text(&mut self, text: &str) -> Reaction {
        match self.mode() {
            Mode::Text | Mode::Number | Mode::Date => self.insert(text),
            Mode::Calendar => {
                // A user who types after moving in the calendar enters another date. The picked day
                // comes back if nothing is left of it.
                self.days = DateInput::Typed;
                let picked = self.field_text().to_owned();
                let Some(field) = self.field() else {
                    return Reaction::Nothing;
                };
                self.remember();
                self.apply(&Edit::Write {
                    field,
                    text: String::new(),
                });
                self.picked_day = Some(picked).filter(|picked| !picked.is_empty());
                self.insert(text)
            }
            Mode::Filter if self.overlay == Some(Overlay::HandOn) => self.type_reason(text),
            Mode::Filter => {
                self.filter.text.push_str(&clean(text, Lines::One));
                self.move_focus_into_filtered();
                Reaction::Redraw
            }
            Mode::List | Mode::Several if text == "0" => self.zero_digit(),
            Mode::List | Mode::Several if self.starts_own_text(text) => {
                self.edit(&Edit::Open {
                    field: DraftField::Own,
                });
                self.insert(text)
            }
            Mode::List
            | Mode::Several
            | Mode::Review
            | Mode::Leave
            | Mode::Reader
            | Mode::Folded
            | Mode::Undo
            | Mode::Compose
            | Mode::Menu
            | Mode::Scrollback
            | Mode::Inbox
            | Mode::Confirm => Reaction::Nothing,
        }
    }

    /// Closes the field that a draft left open, so that keys choose again.
    pub(crate) fn close_field(&mut self) {
        self.apply(&Edit::Close);
    }

    pub(super) fn paste(&mut self, text: &str) -> Reaction {
        let taken = self.guard.key(None, self.now);
        self.forget_word();
        self.options.deadline = None;
        self.notice = None;
        if !taken {
            self.notice = Some("notice-too-soon");
            return Reaction::Redraw;
        }
        self.was_open = true;
        let mode = self.mode();
        if matches!(mode, Mode::List | Mode::Several) {
            if !matches!(&self.question().kind, Kind::Choice(kind) if kind.own_text) {
                self.notice = Some("notice-paste");
                return Reaction::Redraw;
            }
            self.remember();
            self.apply(&Edit::Open {
                field: DraftField::Own,
            });
        } else if matches!(mode, Mode::Review | Mode::Leave | Mode::Confirm) {
            self.notice = Some("notice-paste");
            return Reaction::Redraw;
        }
        self.in_a_run = false;
        self.type_text(text)
    }

    fn insert(&mut self, text: &str) -> Reaction {
        let Some(field) = self.field() else {
            return Reaction::Nothing;
        };
        if !self.in_a_run {
            self.remember();
        }
        self.in_a_run = true;
        let lines = if self.mode() == Mode::Text {
            Lines::Many
        } else {
            Lines::One
        };
        let mut added = clean(text, lines);
        if self.mode() == Mode::Number {
            let before = &self.field_text()[..self.caret];
            let taken = typed_number(&added, before, self.typing.decimal);
            if taken.left_out {
                self.notice = Some("notice-number-only");
            }
            if taken.text.is_empty() {
                return Reaction::Redraw;
            }
            added = taken.text;
        }
        let mut whole = self.field_text().to_owned();
        whole.insert_str(self.caret, &added);
        self.caret += added.len();
        self.apply(&Edit::Write { field, text: whole })
    }

    pub(super) fn edit_text(&mut self, action: Action) -> Reaction {
        let Some(field) = self.field() else {
            return Reaction::Nothing;
        };
        let text = self.field_text().to_owned();
        let at = self.caret;
        let walks = text.is_empty() && self.mode() == Mode::Date;
        let to = match action {
            Action::Left if walks => return self.walk(Action::DayBack),
            Action::Right if walks => return self.walk(Action::DayOn),
            Action::Left | Action::Backspace => caret::before(&text, at),
            Action::Right | Action::Delete => caret::after(&text, at),
            Action::WordLeft | Action::DeleteWord => caret::word_before(&text, at),
            Action::WordRight => caret::word_after(&text, at),
            Action::LineStart => caret::line_start(&text, at),
            Action::LineEnd => caret::line_end(&text, at),
            _ => at,
        };
        let erases = matches!(
            action,
            Action::Backspace | Action::Delete | Action::DeleteWord
        );
        self.days = DateInput::Typed;
        self.caret = to.min(at);
        if !erases {
            self.caret = to;
            return Reaction::Redraw;
        }
        self.remember();
        let mut left = text;
        left.replace_range(to.min(at)..to.max(at), "");
        if left.is_empty() && self.restore_picked_day() {
            return Reaction::Redraw;
        }
        self.apply(&Edit::Write { field, text: left })
    }

    /// Whether a typed character begins an answer in the user's own words.
    fn starts_own_text(&self, text: &str) -> bool {
        let own = matches!(&self.question().kind, Kind::Choice(kind) if kind.own_text);
        own && text.chars().next().is_some_and(char::is_alphabetic)
    }

    /// Puts the picked day back into the field. False if there is none.
    pub(super) fn restore_picked_day(&mut self) -> bool {
        let (Some(text), Some(field)) = (self.picked_day.take(), self.field()) else {
            return false;
        };
        self.caret = text.len();
        self.apply(&Edit::Write { field, text });
        self.days = DateInput::Calendar;
        true
    }

    fn walk(&mut self, action: Action) -> Reaction {
        self.days = DateInput::Calendar;
        self.act(
            action,
            Mode::Calendar,
            askback_terminal::key::Key::char(' '),
        )
    }

    /// Moves the caret by wrapped rows.
    pub(super) fn move_line(&mut self, action: Action) -> Reaction {
        let text = self.field_text();
        let pieces = wrap(text, field::columns(self));
        let at = caret::row_of(&pieces, self.caret);
        let column =
            text_width(&text[pieces[at].shown.start..self.caret.max(pieces[at].shown.start)]);
        let to = match action {
            Action::Up if at > 0 => at - 1,
            Action::Down if at + 1 < pieces.len() => at + 1,
            Action::Up | Action::PageUp => {
                self.caret = 0;
                return Reaction::Redraw;
            }
            _ => {
                self.caret = text.len();
                return Reaction::Redraw;
            }
        };
        self.caret = caret::at_column(text, &pieces[to], column);
        Reaction::Redraw
    }
}

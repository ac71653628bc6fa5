//! Answers with one key: digits, and the letters for yes and no.

use std::time::Duration;

use askback_core::draft::{Edit, FocusMove, row_count};
use askback_core::inquiry::Inquiry;
use askback_core::question::Kind;
use askback_locale::YesNo;

use super::{Prompt, PromptOptions, Reaction};
use crate::keymap::{Action, Keymap};
use crate::yes_no::YesNoChoices;
use askback_terminal::key::{Key, KeyCode};

/// A second digit within this time belongs to the first.
const SECOND_DIGIT: Duration = Duration::from_millis(800);

/// Who put the focus where it is. On a yes/no question, enter answers only what the user moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FocusOrigin {
    Initial,
    User,
}

impl Prompt {
    pub(super) fn digit(&mut self, key: Key) -> Reaction {
        let rows = row_count(self.question());
        let Some(row) = digit(key) else {
            return Reaction::Nothing;
        };
        if !self.digits_move() {
            return if self.listed().contains(&row) {
                self.edit(&Edit::Pick { row })
            } else {
                Reaction::Nothing
            };
        }
        let number = row + 1;
        let first = self
            .digits
            .take()
            .filter(|(_, at)| self.now.saturating_sub(*at) <= SECOND_DIGIT);
        let both = first
            .map(|(first, _)| first * 10 + number)
            .filter(|both| *both <= rows);
        if both.is_none() {
            self.digits = Some((number, self.now));
        }
        let row = both.unwrap_or(number) - 1;
        self.apply(&Edit::Move {
            to: FocusMove::Row(row),
        })
    }

    /// Whether digits only move the focus, because rows have numbers of two digits.
    pub(super) fn digits_move(&self) -> bool {
        matches!(self.question().kind, Kind::Choice(_)) && row_count(self.question()) >= 10
    }

    /// A zero is valid only as the second digit.
    pub(super) fn zero_digit(&mut self) -> Reaction {
        let rows = row_count(self.question());
        match self.digits.take() {
            Some((first, at))
                if self.now.saturating_sub(at) <= SECOND_DIGIT && first * 10 <= rows =>
            {
                self.apply(&Edit::Move {
                    to: FocusMove::Row(first * 10 - 1),
                })
            }
            _ => Reaction::Nothing,
        }
    }

    /// The choices of a yes/no question.
    pub(super) fn yes_no_choices(&self) -> Option<&YesNoChoices> {
        let choices = self.yes_no.get(self.index())?.as_ref();
        choices.map(|(choices, _)| choices)
    }

    /// The visible row that the key for yes or no chooses; none if several choices mean the same.
    pub(super) fn yes_no_row(&self, action: Action) -> Option<usize> {
        let meanings = [(Action::Yes, YesNo::Yes), (Action::No, YesNo::No)];
        let (_, meaning) = meanings.into_iter().find(|(key, _)| *key == action)?;
        let row = self.yes_no_choices()?.row(meaning)?;
        self.listed().contains(&row).then_some(row)
    }

    /// Whether the focus of a yes/no question is where it was put by us: it is not a choice of the user.
    pub(super) fn is_yes_no_untouched(&self) -> bool {
        let is_yes_no = self.yes_no_choices().is_some();
        let focus = self.entry().focus;
        let is_initial = self.focus_origin == FocusOrigin::Initial;
        is_yes_no && is_initial && !self.entry().is_ticked(self.question(), focus)
    }

    pub(super) fn answer_yes_no(&mut self, action: Action) -> Reaction {
        match self.yes_no_row(action) {
            Some(row) => self.edit(&Edit::Pick { row }),
            None => Reaction::Nothing,
        }
    }
}

pub(super) fn yes_no(
    inquiry: &Inquiry,
    options: &PromptOptions,
) -> Vec<Option<(YesNoChoices, Keymap)>> {
    let questions = inquiry.questions().iter();
    let choices = questions.map(|question| YesNoChoices::of(question, options.locale));
    let bound = choices.map(|choices| {
        let choices = choices?;
        let keymap = options.keymap.with_yes_no(&choices.letters);
        Some((choices, keymap))
    });
    bound.collect()
}

pub(super) fn digit(key: Key) -> Option<usize> {
    let KeyCode::Char(ch) = key.code else {
        return None;
    };
    let number = usize::try_from(ch.to_digit(10)?).ok()?;
    number.checked_sub(1)
}

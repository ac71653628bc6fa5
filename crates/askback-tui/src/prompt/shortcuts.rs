//! Answers with one key: digits, and the letters for yes and no.

use std::time::Duration;

use askback_core::draft::{Edit, FocusMove, row_count};
use askback_locale::YesNo;

use super::{Prompt, Reaction};
use askback_terminal::key::{Key, KeyCode};

/// A second digit within this time belongs to the first.
const SECOND_DIGIT: Duration = Duration::from_millis(800);

impl Prompt {
    pub(super) fn digit(&mut self, key: Key) -> Reaction {
        let rows = row_count(self.question());
        let Some(row) = digit(key) else {
            return Reaction::Nothing;
        };
        if rows < 10 {
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

    /// Does nothing if several choices mean the same.
    pub(super) fn answer_yes_no(&mut self, meaning: YesNo) -> Reaction {
        let choices = self.yes_no.get(self.index()).and_then(Option::as_ref);
        match choices.and_then(|(choices, _)| choices.row(meaning)) {
            Some(row) if self.listed().contains(&row) => self.edit(&Edit::Pick { row }),
            Some(_) | None => Reaction::Nothing,
        }
    }
}

pub(super) fn digit(key: Key) -> Option<usize> {
    let KeyCode::Char(ch) = key.code else {
        return None;
    };
    let number = usize::try_from(ch.to_digit(10)?).ok()?;
    number.checked_sub(1)
}

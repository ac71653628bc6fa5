//! Digits in a list whose rows have numbers of two digits: they move the focus.

use std::time::Duration;

use askback_terminal::clock::MonotonicTime;
use askback_terminal::key::{Key, KeyCode};

/// A second digit within this time belongs to the first.
const SECOND_DIGIT: Duration = Duration::from_millis(800);

/// The first digit, which another one may follow.
#[derive(Debug, Clone, Default)]
pub(super) struct TypedDigits {
    first: Option<(usize, MonotonicTime)>,
}

impl TypedDigits {
    pub(super) fn clear(&mut self) {
        self.first = None;
    }

    /// The row of this digit, or of it and the one before. A zero is valid only as the second digit.
    pub(super) fn row(&mut self, digit: usize, rows: usize, now: MonotonicTime) -> Option<usize> {
        let first = self.first.take();
        let first = first.filter(|(_, at)| now.saturating_sub(*at) <= SECOND_DIGIT);
        let both = first.map(|(first, _)| first * 10 + digit);
        if let Some(both) = both.filter(|both| *both <= rows) {
            return Some(both - 1);
        }
        let row = digit.checked_sub(1)?;
        self.first = Some((digit, now));
        Some(row)
    }
}

/// The row that a digit chooses.
pub(super) fn digit_row(key: Key) -> Option<usize> {
    let KeyCode::Char(ch) = key.code else {
        return None;
    };
    let number = usize::try_from(ch.to_digit(10)?).ok()?;
    number.checked_sub(1)
}

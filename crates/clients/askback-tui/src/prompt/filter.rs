//! The filter of a long list.

use askback_core::draft::{is_own_row, row_count};
use askback_core::limits::ASK_USER_CHOICES_MAX;
use askback_core::question::Question;
use askback_core::text::{Lines, clean};

/// A list with fewer rows has no filter.
const ROWS_MIN: usize = 5;

/// What is typed to search a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Filter {
    text: String,
    is_typed: bool,
}

impl Filter {
    /// More choices than an agent may give come from a script and are searched: what is typed filters them at once.
    pub(super) fn of(question: &Question) -> Filter {
        Filter {
            text: String::new(),
            is_typed: question.choices().len() > ASK_USER_CHOICES_MAX,
        }
    }

    /// Whether a question has so many rows that they can be filtered.
    pub(super) fn fits(question: &Question) -> bool {
        row_count(question) >= ROWS_MIN
    }

    pub(super) fn start(&mut self) {
        self.is_typed = true;
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether what is typed goes into it.
    pub(super) fn is_typed(&self) -> bool {
        self.is_typed
    }

    pub(super) fn is_shown(&self) -> bool {
        self.is_typed || !self.text.is_empty()
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(&clean(text, Lines::One));
    }

    pub(super) fn pop(&mut self) {
        self.text.pop();
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
    }

    /// The rows that match; all without a text.
    pub(super) fn rows(&self, question: &Question) -> Vec<usize> {
        let wanted = self.text.trim().to_lowercase();
        let fits = |row: &usize| match question.choices().get(*row) {
            Some(choice) => {
                let described = choice.description.as_ref().map(ToString::to_string);
                wanted.is_empty()
                    || choice.label.as_str().to_lowercase().contains(&wanted)
                    || (wanted.chars().count() > 2
                        && described.is_some_and(|text| text.to_lowercase().contains(&wanted)))
            }
            None => is_own_row(question, *row),
        };
        (0..row_count(question)).filter(fits).collect()
    }
}

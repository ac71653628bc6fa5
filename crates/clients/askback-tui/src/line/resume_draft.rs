//! Answers from before line mode started: they are printed with the question, and an empty line
//! keeps them.

use askback_core::draft::{DraftField, Edit, RangeEnd, is_own_row};
use askback_core::question::Kind;

use super::{LineOutput, LinePrompt};
use crate::answer_summary;

impl LinePrompt {
    pub(super) fn so_far(&self, index: usize) -> Option<String> {
        let question = &self.inquiry.questions()[index];
        let entry = &self.draft.entries[index];
        let text = match (&question.kind, entry.field, entry.part) {
            (Kind::Choice(_), Some(DraftField::Own), _) => entry.own.clone(),
            (Kind::DateRange(_), _, RangeEnd::End) => self.long_date(&entry.typed_end),
            (Kind::DateRange(_), _, RangeEnd::Start) | (Kind::Date(_), ..) => {
                self.long_date(&entry.typed)
            }
            (Kind::Choice(_) | Kind::Text(_) | Kind::Number(_), ..) => {
                answer_summary::read_text(self.options.locale, &self.typing, question, entry)
            }
        };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        (!text.is_empty()).then_some(text)
    }

    /// The date that was typed, in full; other text as it is.
    fn long_date(&self, typed: &str) -> String {
        let date = self.typing.date(typed);
        date.map_or_else(
            || typed.to_owned(),
            |date| self.options.locale.date_long(date),
        )
    }

    pub(super) fn keep(&mut self, index: usize) -> LineOutput {
        let question = &self.inquiry.questions()[index];
        let entry = &self.draft.entries[index];
        let ticked = match &question.kind {
            Kind::Choice(kind) if !kind.several && entry.field != Some(DraftField::Own) => {
                let mut rows = 0..=kind.choices.len();
                rows.find(|row| entry.is_ticked(question, *row) && !is_own_row(question, *row))
            }
            Kind::Choice(_)
            | Kind::Text(_)
            | Kind::Number(_)
            | Kind::Date(_)
            | Kind::DateRange(_) => None,
        };
        let own = entry.own_ticked && entry.field.is_none();
        if let Some(row) = ticked {
            return self.edit(&Edit::Pick { row });
        }
        if own {
            let field = DraftField::Own;
            let open = Edit::Open { field };
            self.apply(&open);
        }
        self.edit(&Edit::Confirm)
    }
}

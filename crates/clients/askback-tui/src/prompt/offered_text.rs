//! A text that was typed outside of the question and may be its answer.

use askback_core::draft::{DraftField, DraftPage, Edit, FocusMove};
use askback_core::question::Kind;

use super::Prompt;

impl Prompt {
    /// Shows a text as the answer of the visible question, so that enter sends it: the choice with this
    /// label gets the focus, other text goes into the field. False if the question does not accept the
    /// text, or if its field is not empty; nothing has changed then.
    pub(crate) fn offer_text(&mut self, text: &str) -> bool {
        if self.draft.page == DraftPage::Review {
            return false;
        }
        let question = self.question();
        if let Some(row) = self.labelled_row(text) {
            self.show_question();
            self.apply(&Edit::Close);
            self.apply(&Edit::Move {
                to: FocusMove::Row(row),
            });
            return true;
        }
        let field = match &question.kind {
            Kind::Choice(kind) if kind.own_text => DraftField::Own,
            Kind::Text(_) => DraftField::Answer,
            Kind::Number(rules) if self.typing.number(text, rules).is_some() => DraftField::Answer,
            Kind::Date(_) if self.typing.date(text).is_some() => DraftField::Answer,
            Kind::Choice(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => return false,
        };
        if !self.entry().text(field).trim().is_empty() {
            return false;
        }
        self.show_question();
        self.remember();
        if field == DraftField::Own {
            self.apply(&Edit::Open { field });
        } else {
            self.apply(&Edit::Close);
        }
        let text = text.to_owned();
        self.caret = text.len();
        self.apply(&Edit::Write { field, text });
        true
    }

    fn show_question(&mut self) {
        self.overlay = None;
        self.folded = false;
        self.filter = super::Filter::default();
    }
}

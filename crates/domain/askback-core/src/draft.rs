//! Drafts: what a respondent has ticked, typed and looked at so far.
//!
//! Terminal and web hold the same [`Draft`] and send it the same [`Edit`]s; what a key or a click
//! means is decided here, once. A draft is plain data: it is stored while it grows and comes back
//! after a reload or a crash. Highlighting is not answering: nothing is ticked before an edit says so.
#![expect(
    missing_docs,
    reason = "fields are documented where their names do not say enough"
)]

mod edit;
mod entry;
mod nudge;
mod reduce;

use serde::{Deserialize, Serialize};

pub use edit::{DraftField, Edit, FocusMove, Nudge};
use entry::has_text;
pub use entry::{AnswerStatus, DraftEntry, RangeEnd};

use crate::answer::{AnswerError, Answers};
use crate::input_parser::InputParser;
use crate::inquiry::Inquiry;
use crate::limits;
use crate::question::{Kind, Question};

/// An answer that is not sent yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// What the respondent looks at.
    pub page: DraftPage,
    /// What they gave so far, one entry for each question.
    pub entries: Vec<DraftEntry>,
    /// The focused row of the review: a question, or behind the last one the row that sends.
    #[serde(default)]
    pub review_focus: usize,
    /// Whether the question was opened from the review and leads back there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_review: bool,
    /// Why the last edit led no further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<AnswerError>,
}

/// What the respondent looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DraftPage {
    /// The question at this place.
    Question(usize),
    /// All answers, before they are sent.
    Review,
}

/// What an edit led to.
#[derive(Debug, Clone, PartialEq)]
pub struct EditResult {
    /// The draft after the edit.
    pub draft: Draft,
    /// The answers, if the edit sent them. They fit their questions.
    pub sent: Option<Answers>,
}

impl Draft {
    /// Whether anything was chosen or typed.
    pub fn has_content(&self) -> bool {
        self.entries.iter().any(|entry| {
            let texts = [&entry.own, &entry.typed, &entry.typed_end, &entry.note];
            entry.skipped || !entry.picked.is_empty() || texts.iter().any(|text| has_text(text))
        })
    }

    /// Nothing given yet, the first question in view.
    pub fn new(inquiry: &Inquiry) -> Draft {
        Draft {
            page: DraftPage::Question(0),
            entries: inquiry
                .questions()
                .iter()
                .map(|_| DraftEntry::default())
                .collect(),
            review_focus: 0,
            from_review: false,
            problem: None,
        }
    }

    /// A stored draft, made to fit `inquiry` again: what does not belong to it is dropped.
    pub fn restore(inquiry: &Inquiry, mut stored: Draft) -> Draft {
        let questions = inquiry.questions();
        stored
            .entries
            .resize_with(questions.len(), DraftEntry::default);
        for (entry, question) in stored.entries.iter_mut().zip(questions) {
            entry.fit(question);
        }
        stored.page = match stored.page {
            DraftPage::Question(index) => DraftPage::Question(index.min(questions.len() - 1)),
            DraftPage::Review if questions.len() > 1 => DraftPage::Review,
            DraftPage::Review => DraftPage::Question(0),
        };
        stored.review_focus = stored.review_focus.min(questions.len());
        stored.problem = None;
        stored
    }

    /// What one edit leads to. Pure: the same draft and edit give the same step.
    pub fn reduce(&self, inquiry: &Inquiry, edit: &Edit, parser: &InputParser) -> EditResult {
        reduce::reduce(self, inquiry, edit, parser)
    }

    /// Each question with whether it is answered, skipped or open.
    pub fn statuses<'a>(
        &'a self,
        inquiry: &'a Inquiry,
    ) -> impl Iterator<Item = (&'a Question, AnswerStatus)> {
        let questions = inquiry.questions().iter();
        questions
            .zip(&self.entries)
            .map(|(question, entry)| (question, entry.status(question)))
    }

    /// The places of the questions that have no answer yet, explicitly skipped ones apart.
    pub fn unanswered(&self, inquiry: &Inquiry) -> Vec<usize> {
        let open = |(index, (_, status))| (status == AnswerStatus::Open).then_some(index);
        self.statuses(inquiry)
            .enumerate()
            .filter_map(open)
            .collect()
    }

    /// Checks everything given so far as if it were sent now.
    pub fn answers(
        &self,
        inquiry: &Inquiry,
        parser: &InputParser,
    ) -> Result<Answers, Vec<AnswerError>> {
        let questions = inquiry.questions().iter();
        let raw: Vec<_> = questions
            .zip(&self.entries)
            .map(|(question, entry)| entry.raw(question, parser))
            .collect();
        Answers::check(inquiry, &raw)
    }
}

/// The rows of a question: its choices, and one more for own text where that is offered.
pub fn row_count(question: &Question) -> usize {
    match &question.kind {
        Kind::Choice(choice) => choice.choices.len() + usize::from(choice.own_text),
        Kind::Text(_) | Kind::Number(_) | Kind::Date(_) | Kind::DateRange(_) => 0,
    }
}

/// Whether `row` is the one for own text.
pub fn is_own_row(question: &Question, row: usize) -> bool {
    row < row_count(question) && row >= question.choices().len()
}

/// The most characters a field of `question` takes.
pub fn field_max(question: &Question, field: DraftField) -> usize {
    match (field, &question.kind) {
        (DraftField::Note, _) => limits::NOTE_CHARS_MAX,
        (DraftField::Answer, Kind::Text(rules)) => {
            rules.max_length.unwrap_or(limits::OWN_TEXT_CHARS_MAX)
        }
        (DraftField::Answer | DraftField::End | DraftField::Own, _) => limits::OWN_TEXT_CHARS_MAX,
    }
}

#[cfg(test)]
#[path = "draft/draft_tests.rs"]
mod tests;

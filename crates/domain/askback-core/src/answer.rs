//! What a respondent gave to the questions of one inquiry, checked against them.
//!
//! An [`Answers`] exists only for answers that fit: surfaces send what they have through
//! [`Answers::check`], and every surface gets the same verdict in the same words. Answers that were
//! stored or sent by a server are put together again by [`Answers::restore`].
#![expect(
    missing_docs,
    reason = "fields are documented where their names do not say enough"
)]

mod check;
mod pattern;
mod problem;
mod read;
mod typed;
mod typed_choices;

use std::collections::BTreeSet;

use jiff::civil::Date;
use serde::Serialize;
use serde_json::Value;

pub(crate) use check::{check_answer, check_number_rules, parse_iso_date};
pub(crate) use pattern::{compile_pattern, pattern_positions};
pub use problem::{AnswerError, AnswerProblem, ExpectedAnswer};
pub use read::RawAnswer;
pub use typed_choices::{ShownChoices, TypedChoices};

use crate::inquiry::Inquiry;
use crate::number::Number;
use crate::question::{Choice, Question, QuestionId};
use crate::text::Text;

/// One answer to each question of an inquiry, in the order of the questions.
#[derive(Debug, Clone, PartialEq)]
pub struct Answers(Vec<Answer>);

/// The answer to one question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub question: QuestionId,
    /// What was given.
    pub given: AnswerValue,
    /// What the respondent wrote beside it.
    pub note: Option<Text>,
}

/// What a respondent gave to one question.
#[derive(Debug, Clone, PartialEq)]
pub enum AnswerValue {
    /// Choices by value, in the order of the question, and text of the respondent's own.
    Chosen {
        /// Values of the taken choices.
        values: Vec<Text>,
        /// The respondent's own text.
        own: Option<Text>,
    },
    /// Free text.
    Text { text: Text },
    /// A number.
    Number { number: Number },
    /// A day.
    Date { date: Date },
    /// A first and a last day.
    DateRange {
        start: Date,
        /// The last day, not before the first.
        end: Date,
    },
    /// Skipped explicitly.
    Skipped,
    /// Sent without an answer to this question.
    Unanswered,
}

/// An answer as a program goes on with it, as JSON: a text or null, a list of texts, true or false, a number, a day, or
/// an object with both ends of a range.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum PlainValue<'a> {
    One(Option<&'a Text>),
    Several(Vec<&'a Text>),
    Bool(bool),
    Number(Number),
    Date(Date),
    Range { start: Date, end: Date },
}

/// Answers that no check can have made, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BrokenAnswers(pub &'static str);

impl Answers {
    /// Puts answers together again that were checked, and then stored or sent. Their questions may be
    /// gone, so they are not checked against them.
    pub fn restore(answers: Vec<Answer>) -> Result<Answers, BrokenAnswers> {
        let ids: BTreeSet<&QuestionId> = answers.iter().map(|answer| &answer.question).collect();
        if ids.len() != answers.len() {
            return Err(BrokenAnswers("two answers are for the same question"));
        }
        Ok(Answers(answers))
    }

    /// The answers, one for each question, in the order of the questions.
    pub fn iter(&self) -> impl Iterator<Item = &Answer> {
        self.0.iter()
    }

    /// The answers by question id, in the form in which a surface sends them. Questions without an
    /// answer are left out.
    pub fn to_json(&self) -> Value {
        let raw = self.0.iter().filter_map(|answer| {
            let raw = RawAnswer::from(answer);
            let sent = raw != RawAnswer::default();
            sent.then(|| Some((answer.question.to_string(), serde_json::to_value(raw).ok()?)))?
        });
        Value::Object(raw.collect())
    }

    /// Each question of `inquiry` with its answer.
    pub fn with_questions<'a>(
        &'a self,
        inquiry: &'a Inquiry,
    ) -> impl Iterator<Item = (&'a Question, &'a Answer)> {
        inquiry.questions().iter().zip(&self.0)
    }
}

impl AnswerValue {
    /// Whether something was given: neither skipped nor left open.
    pub fn is_answer(&self) -> bool {
        !matches!(self, AnswerValue::Skipped | AnswerValue::Unanswered)
    }

    /// What was given as one value, in the form of the kind: what a program goes on with.
    pub fn plain<'a>(&'a self, question: &Question) -> PlainValue<'a> {
        match self {
            AnswerValue::Chosen { values, own } => {
                let mut all = values.iter().chain(own);
                match question.choice_kind() {
                    Some(kind) if kind.several => PlainValue::Several(all.collect()),
                    Some(kind) if kind.confirm => {
                        let yes = kind.choices.first().map(|choice| &choice.value);
                        PlainValue::Bool(all.next() == yes)
                    }
                    Some(_) | None => PlainValue::One(all.next()),
                }
            }
            AnswerValue::Text { text } => PlainValue::One(Some(text)),
            AnswerValue::Number { number } => PlainValue::Number(*number),
            AnswerValue::Date { date } => PlainValue::Date(*date),
            AnswerValue::DateRange { start, end } => PlainValue::Range {
                start: *start,
                end: *end,
            },
            AnswerValue::Skipped | AnswerValue::Unanswered => PlainValue::One(None),
        }
    }

    /// The choices of `question` that were taken, in its order.
    pub fn chosen<'a>(&'a self, question: &'a Question) -> impl Iterator<Item = &'a Choice> {
        let values: &[Text] = if let AnswerValue::Chosen { values, .. } = self {
            values
        } else {
            &[]
        };
        question
            .choices()
            .iter()
            .filter(move |choice| values.contains(&choice.value))
    }

    /// What was given as short texts, one for each choice, own text last.
    pub fn display_parts<'a>(&'a self, question: &'a Question) -> Vec<String> {
        match self {
            AnswerValue::Chosen { own, .. } => self
                .chosen(question)
                .map(|choice| choice.label.to_string())
                .chain(own.iter().map(Text::to_string))
                .collect(),
            AnswerValue::Text { text } => vec![text.to_string()],
            AnswerValue::Number { number } => vec![number.to_string()],
            AnswerValue::Date { date } => vec![date.to_string()],
            AnswerValue::DateRange { start, end } => vec![format!("{start} to {end}")],
            AnswerValue::Skipped | AnswerValue::Unanswered => Vec::new(),
        }
    }
}

//! Outcomes of inquiries and their answers.

use askback_core::answer::{Answer, AnswerValue, Answers};
use askback_core::inquiry::Inquiry;
use askback_core::number::Number;
use askback_core::outcome::{Outcome, UndeliverableReason};
use askback_core::question::{Question, QuestionId};
use askback_core::text::Text;
use askback_macros::skip_none;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::inquiry::InquiryStatus;
use crate::question::{to_optional_text, to_text};

/// How an inquiry ended. `type` says which.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OutcomeResponse {
    /// The respondent sent answers.
    Answered {
        /// One answer for each question, in the same order.
        answers: Vec<AnswerResponse>,
    },
    /// The agent continues without an answer.
    Declined,
    /// The respondent stopped the agent.
    Cancelled,
    /// The respondent rejected the question. The agent stops.
    Rejected,
    /// The respondent wrote a message instead of answering.
    Superseded {
        /// The message.
        message: String,
    },
    /// Nobody answered before the deadline.
    Expired,
    /// The agent withdrew it, or its conversation was stopped or deleted.
    Withdrawn,
    /// The question was never shown.
    Undeliverable {
        /// `nobody_there`, `disabled`, `limit_reached` or `sub_agent`.
        reason: String,
    },
    /// An outcome of a newer version. Servers never send this.
    #[serde(other)]
    Unknown,
}

/// The answer to one question.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnswerResponse {
    /// The question it belongs to.
    #[schema(value_type = String, example = "q1")]
    pub question: QuestionId,
    /// What a program goes on with: the value of the chosen choice, own text if there is only that, or a text; with
    /// several choices, an array of values with own text last; true or false; a number; a date; an object with `start`
    /// and `end`; or null if there is no answer.
    #[serde(default)]
    pub value: Value,
    /// The answer in detail. `given` says of which kind.
    #[serde(flatten)]
    pub given: GivenResponse,
    /// The answer as text for people. Missing if there is none.
    pub display: Option<String>,
    /// A comment of the respondent.
    pub note: Option<String>,
}

/// An answer by kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "given", rename_all = "snake_case")]
pub enum GivenResponse {
    /// Selected choices, own text, or both.
    Chosen {
        /// Values of the selected choices, in the order of the question.
        values: Vec<String>,
        /// The respondent's own text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        own: Option<String>,
    },
    /// Free text.
    Text {
        /// The text.
        text: String,
    },
    /// A number.
    Number {
        /// The number.
        #[schema(value_type = f64)]
        number: Number,
    },
    /// A date.
    Date {
        /// The date.
        date: Date,
    },
    /// A range of dates.
    DateRange {
        /// The first day.
        start: Date,
        /// The last day. Not before the first.
        end: Date,
    },
    /// Explicitly skipped.
    Skipped,
    /// Left without an answer.
    Unanswered,
    /// A kind of a newer version. Servers never send this.
    #[serde(other)]
    Unknown,
}

impl OutcomeResponse {
    /// The outcome of `inquiry`.
    pub fn new(inquiry: &Inquiry, outcome: &Outcome) -> OutcomeResponse {
        match outcome {
            Outcome::Answered { answers } => OutcomeResponse::Answered {
                answers: answers
                    .with_questions(inquiry)
                    .map(|(question, answer)| AnswerResponse::new(question, answer))
                    .collect(),
            },
            Outcome::Declined => OutcomeResponse::Declined,
            Outcome::Cancelled => OutcomeResponse::Cancelled,
            Outcome::Rejected => OutcomeResponse::Rejected,
            Outcome::Superseded { message } => OutcomeResponse::Superseded {
                message: message.to_string(),
            },
            Outcome::Expired => OutcomeResponse::Expired,
            Outcome::Withdrawn => OutcomeResponse::Withdrawn,
            Outcome::Undeliverable { reason } => OutcomeResponse::Undeliverable {
                reason: reason_code(*reason).to_owned(),
            },
        }
    }

    /// The status of an inquiry with this outcome.
    pub fn status(&self) -> InquiryStatus {
        match self {
            OutcomeResponse::Answered { .. } => InquiryStatus::Answered,
            OutcomeResponse::Declined => InquiryStatus::Declined,
            OutcomeResponse::Cancelled => InquiryStatus::Cancelled,
            OutcomeResponse::Rejected => InquiryStatus::Rejected,
            OutcomeResponse::Superseded { .. } => InquiryStatus::Superseded,
            OutcomeResponse::Expired => InquiryStatus::Expired,
            OutcomeResponse::Withdrawn => InquiryStatus::Withdrawn,
            OutcomeResponse::Undeliverable { .. } => InquiryStatus::Undeliverable,
            OutcomeResponse::Unknown => InquiryStatus::Unknown("unknown".to_owned()),
        }
    }
}

/// Answers as a type of the core. `None` if a newer version sent them.
pub fn to_answers(answers: &[AnswerResponse]) -> Option<Answers> {
    let answers = answers.iter().map(AnswerResponse::to_answer);
    Answers::restore(answers.collect::<Option<_>>()?).ok()
}

fn reason_code(reason: UndeliverableReason) -> &'static str {
    match reason {
        UndeliverableReason::NobodyThere => "nobody_there",
        UndeliverableReason::Disabled => "disabled",
        UndeliverableReason::LimitReached => "limit_reached",
        UndeliverableReason::SubAgent => "sub_agent",
    }
}

impl AnswerResponse {
    fn new(question: &Question, answer: &Answer) -> AnswerResponse {
        let parts = answer.given.display_parts(question);
        AnswerResponse {
            question: answer.question.clone(),
            value: serde_json::to_value(answer.given.plain(question)).unwrap_or_default(),
            given: GivenResponse::from(&answer.given),
            display: (!parts.is_empty()).then(|| parts.join(", ")),
            note: answer.note.as_ref().map(Text::to_string),
        }
    }

    fn to_answer(&self) -> Option<Answer> {
        Some(Answer {
            question: self.question.clone(),
            given: self.given.to_value()?,
            note: to_optional_text(self.note.as_ref()).ok()?,
        })
    }
}

impl GivenResponse {
    fn to_value(&self) -> Option<AnswerValue> {
        Some(match self {
            GivenResponse::Chosen { values, own } => AnswerValue::Chosen {
                values: values
                    .iter()
                    .map(|value| to_text(value))
                    .collect::<Option<_>>()?,
                own: to_optional_text(own.as_ref()).ok()?,
            },
            GivenResponse::Text { text } => AnswerValue::Text {
                text: to_text(text)?,
            },
            GivenResponse::Number { number } => AnswerValue::Number { number: *number },
            GivenResponse::Date { date } => AnswerValue::Date { date: *date },
            GivenResponse::DateRange { start, end } => AnswerValue::DateRange {
                start: *start,
                end: *end,
            },
            GivenResponse::Skipped => AnswerValue::Skipped,
            GivenResponse::Unanswered => AnswerValue::Unanswered,
            GivenResponse::Unknown => return None,
        })
    }
}

impl From<&AnswerValue> for GivenResponse {
    fn from(given: &AnswerValue) -> GivenResponse {
        match given {
            AnswerValue::Chosen { values, own } => GivenResponse::Chosen {
                values: values.iter().map(Text::to_string).collect(),
                own: own.as_ref().map(Text::to_string),
            },
            AnswerValue::Text { text } => GivenResponse::Text {
                text: text.to_string(),
            },
            AnswerValue::Number { number } => GivenResponse::Number { number: *number },
            AnswerValue::Date { date } => GivenResponse::Date { date: *date },
            AnswerValue::DateRange { start, end } => GivenResponse::DateRange {
                start: *start,
                end: *end,
            },
            AnswerValue::Skipped => GivenResponse::Skipped,
            AnswerValue::Unanswered => GivenResponse::Unanswered,
        }
    }
}

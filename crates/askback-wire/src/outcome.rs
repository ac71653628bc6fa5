//! How an inquiry ended, and what was answered.

use askback_core::answer::{Answer, AnswerValue};
use askback_core::inquiry::Inquiry;
use askback_core::number::Number;
use askback_core::outcome::{Outcome, UndeliverableReason};
use askback_core::question::{Question, QuestionId};
use askback_core::text::Text;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How an inquiry ended, told apart by `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum OutcomeResponse {
    /// The respondent sent answers.
    Answered {
        /// One for each question, in the order of the questions.
        answers: Vec<AnswerResponse>,
    },
    /// The respondent wants the agent to go on without an answer.
    Declined,
    /// The respondent stopped the agent.
    Cancelled,
    /// The respondent refused the question; the agent stops.
    Rejected,
    /// The respondent wrote a message instead.
    Superseded {
        /// What they wrote.
        message: String,
    },
    /// Nobody answered before the deadline.
    Expired,
    /// The asker went away, or its conversation was stopped or deleted.
    Withdrawn,
    /// The question was never shown to anybody.
    Undeliverable {
        /// `nobody_there`, `disabled`, `limit_reached` or `sub_agent`.
        reason: String,
    },
    /// An outcome of a newer version; a server never sends it.
    #[serde(other)]
    Unknown,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnswerResponse {
    /// The question it belongs to.
    #[schema(value_type = String, example = "q1")]
    pub question: QuestionId,
    /// What was given, told apart by `given`.
    #[serde(flatten)]
    pub given: GivenResponse,
    /// What was given as a person reads it; missing where nothing was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// What the respondent wrote beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What was given to one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "given", rename_all = "snake_case")]
pub enum GivenResponse {
    /// Choices, and text of the respondent's own.
    Chosen {
        /// Values of the taken choices, in the order of the question.
        values: Vec<String>,
        /// The respondent's own text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        own: Option<String>,
    },
    /// Free text.
    Text {
        /// What was written.
        text: String,
    },
    /// A number.
    Number {
        /// Which one.
        #[schema(value_type = f64)]
        number: Number,
    },
    /// A day.
    Date {
        /// Which one.
        date: Date,
    },
    /// A first and a last day.
    DateRange {
        /// The first day.
        start: Date,
        /// The last day, not before the first.
        end: Date,
    },
    /// Passed over explicitly.
    Skipped,
    /// Sent without an answer to this question.
    Unanswered,
    /// A form of a newer version; a server never sends it.
    #[serde(other)]
    Unknown,
}

impl OutcomeResponse {
    /// The outcome of `inquiry` as the wire has it.
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
                reason: reason_word(*reason).to_owned(),
            },
        }
    }
}

fn reason_word(reason: UndeliverableReason) -> &'static str {
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
            given: GivenResponse::from(&answer.given),
            display: (!parts.is_empty()).then(|| parts.join(", ")),
            note: answer.note.as_ref().map(Text::to_string),
        }
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

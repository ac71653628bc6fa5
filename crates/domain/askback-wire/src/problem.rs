//! Error responses after RFC 9457: a stable `code` for programs and a sentence for people. Neither
//! contains an answer.

mod code;

use std::borrow::Cow;

use askback_core::answer::AnswerError;
use askback_core::conversation::rejection::Rejection;
use askback_core::dialect::ParseError;
use askback_core::id::InquiryId;
use askback_core::limits::PROBLEMS_MAX;
use askback_core::question::QuestionId;
use askback_core::text::{Lines, escape};
use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::actor::SurfaceName;
use crate::inquiry::{InquiryResponse, InquiryStatus};
use crate::outcome::OutcomeResponse;

pub use code::ProblemCode;

/// The media type of [`ProblemResponse`].
pub const PROBLEM_MEDIA_TYPE: &str = "application/problem+json";

/// Why a request was refused.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProblemResponse {
    /// `urn:askback:problem:` followed by the code.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// The kind of problem in words.
    #[serde(default)]
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// The kind of problem: one of a documented list.
    #[serde(default)]
    pub code: String,
    /// What is wrong and what to do, in a sentence.
    #[serde(default)]
    pub detail: String,
    /// With `invalid_answer`: what is wrong with which answer. With `incomplete`: the open questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<AnswerErrorResponse>,
    /// With `invalid_input`: what is wrong where in the tool input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<InputProblemResponse>,
    /// With `not_pending` and `stale_inquiry`: how the question ended, and who ended it.
    pub winner: Option<WinnerResponse>,
    /// Seconds to wait before the next attempt.
    pub retry_after_seconds: Option<u32>,
    /// The id of the request, as in the header `x-request-id` and in the log of the server.
    pub request_id: Option<String>,
}

/// One invalid answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AnswerErrorResponse {
    /// The question. Missing if the problem is not about a single one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub question: Option<QuestionId>,
    /// A stable code: `empty`, `too_long`, `unknown_choice`, …
    pub code: String,
    /// A sentence for the person who answered.
    pub message: String,
}

/// One problem of a tool input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InputProblemResponse {
    /// Such as `questions[0].options[1].label`. Empty for the whole input.
    pub path: String,
    /// A stable code.
    pub code: String,
    /// What to send instead.
    pub hint: String,
}

/// How a question ended before the answer of this request arrived.
#[skip_none]
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WinnerResponse {
    /// The inquiry that ended.
    #[schema(value_type = String)]
    pub inquiry_id: InquiryId,
    /// The kind of its outcome.
    pub status: InquiryStatus,
    /// The outcome with its answers.
    pub outcome: Option<OutcomeResponse>,
    /// Who ended it, if they gave a name.
    pub answered_by: Option<String>,
    /// Where it was ended from.
    pub surface: Option<SurfaceName>,
    /// When it ended.
    pub at: Option<Timestamp>,
}

impl ProblemResponse {
    /// A problem with title and status of its code.
    pub fn new(code: ProblemCode, detail: impl Into<String>) -> ProblemResponse {
        ProblemResponse {
            kind: code.urn(),
            title: code.title().to_owned(),
            status: code.status(),
            code: code.as_str().to_owned(),
            detail: detail.into(),
            errors: Vec::new(),
            problems: Vec::new(),
            winner: None,
            retry_after_seconds: None,
            request_id: None,
        }
    }

    /// Escapes what repeats the request: names, paths, values.
    pub fn escape_texts(&mut self) {
        let details = std::iter::once(&mut self.detail);
        let errors = self.errors.iter_mut().map(|error| &mut error.message);
        let inputs = self.problems.iter_mut();
        let inputs = inputs.flat_map(|input| [&mut input.path, &mut input.hint]);
        for text in details.chain(errors).chain(inputs) {
            if let Cow::Owned(escaped) = escape(text, Lines::Many) {
                *text = escaped;
            }
        }
    }

    /// `None` for codes of newer versions.
    pub fn known_code(&self) -> Option<ProblemCode> {
        ProblemCode::from_code(&self.code)
    }

    /// Adds how the inquiry ended, if it did, or the answer that can still be undone.
    #[must_use]
    pub fn with_winner(mut self, inquiry: &InquiryResponse) -> ProblemResponse {
        self.winner = match &inquiry.held {
            Some(held) => Some(WinnerResponse {
                inquiry_id: inquiry.id.clone(),
                status: inquiry.status.clone(),
                outcome: Some(held.outcome.clone()),
                answered_by: held.answered_by.clone(),
                surface: Some(held.surface.clone()),
                at: Some(held.at),
            }),
            None => inquiry.status.is_resolved().then(|| WinnerResponse {
                inquiry_id: inquiry.id.clone(),
                status: inquiry.status.clone(),
                outcome: inquiry.outcome.clone(),
                answered_by: inquiry.answered_by.clone(),
                surface: inquiry.surface.clone(),
                at: inquiry.resolved_at,
            }),
        };
        self
    }
}

// Leaves out the answers, because problems are logged.
askback_core::debug_only!(WinnerResponse: inquiry_id, status, surface, at);

impl std::fmt::Display for ProblemResponse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = [&self.detail, &self.title, &self.code];
        let text = text.into_iter().find(|text| !text.is_empty());
        match text {
            Some(text) => f.write_str(text),
            None => write!(f, "The server answered with status {}.", self.status),
        }
    }
}

impl std::error::Error for ProblemResponse {}

impl From<&Rejection> for ProblemResponse {
    fn from(rejection: &Rejection) -> ProblemResponse {
        let mut problem = ProblemResponse::new(rejection.into(), rejection.to_string());
        if let Rejection::InvalidAnswer(errors) = rejection {
            problem.errors = errors.iter().map(AnswerErrorResponse::from).collect();
            if let Some(first) = errors.first() {
                problem.detail = first.to_string();
            }
        }
        problem
    }
}

impl From<Rejection> for ProblemResponse {
    fn from(rejection: Rejection) -> ProblemResponse {
        ProblemResponse::from(&rejection)
    }
}

impl From<&ParseError> for ProblemResponse {
    fn from(error: &ParseError) -> ProblemResponse {
        let mut problem = ProblemResponse::new(ProblemCode::InvalidInput, error.to_string());
        let problems = error.problems().iter().take(PROBLEMS_MAX);
        problem.problems = problems
            .map(|problem| InputProblemResponse {
                path: problem.path.clone(),
                code: word_of(serde_json::to_value(problem.code).ok()),
                hint: problem.hint.clone(),
            })
            .collect();
        problem
    }
}

impl From<&AnswerError> for AnswerErrorResponse {
    fn from(error: &AnswerError) -> AnswerErrorResponse {
        let json = serde_json::to_value(&error.problem).ok();
        AnswerErrorResponse {
            question: error.question.clone(),
            code: word_of(json.and_then(|json| json.get("code").cloned())),
            message: error.to_string(),
        }
    }
}

/// The name of an enum variant as serde writes it.
fn word_of(json: Option<Value>) -> String {
    match json {
        Some(Value::String(word)) => word,
        Some(_) | None => String::new(),
    }
}

#[cfg(test)]
#[path = "problem_tests.rs"]
mod tests;

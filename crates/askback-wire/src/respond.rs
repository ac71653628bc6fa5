//! What respondents send: answers, and the ways to go on without one.
//!
//! None of these shows what is in it when it is printed for debugging.

use std::fmt;

use askback_core::conversation::command::Target;
use askback_core::id::InquiryId;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// An answer to the waiting question of a conversation.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct RespondParams {
    /// Answers by question id or text: a label, a list of labels, or a typed value such as
    /// `{"values": […], "other": "…"}`, `{"text": "…"}`, `{"number": 3}`, `{"date": "2027-03-27"}`,
    /// `{"start": "…", "end": "…"}` or `{"skipped": true}`. A number or a day may also be sent as
    /// the person typed it, to be read by the habits of `locale`: `{"typed": "27 mar 2027"}`, and
    /// `{"typed_start": "…", "typed_end": "…"}` for a range.
    #[schema(value_type = Object)]
    pub answers: Value,
    /// Notes by question id or text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub notes: Option<Value>,
    /// The inquiry it is meant for; the one that waits if missing and only one does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub inquiry_id: Option<InquiryId>,
    /// What the sender saw; an answer to an older revision is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Makes a repeated send harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// How long it can be taken back, in seconds: the question waits on with the answer in `held`,
    /// and `POST /inquiries/{id}/undo` takes it back. By default it takes effect at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 60)]
    pub undo_seconds: Option<u32>,
    /// The language of the person: typed numbers and days are read by its habits, and what does
    /// not fit is said in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// The day it is where the person is, for words such as “tomorrow”; by default the server's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub today: Option<Date>,
}

/// An answer to one inquiry.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct AnswerParams {
    /// Answers by question id or text, as in [`RespondParams`].
    #[schema(value_type = Object)]
    pub answers: Value,
    /// Notes by question id or text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub notes: Option<Value>,
    /// What the sender saw; an answer to an older revision is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Makes a repeated send harmless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// How long it can be taken back, in seconds: the inquiry waits on with the answer in `held`,
    /// and `POST …/undo` takes it back. By default it takes effect at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 60)]
    pub undo_seconds: Option<u32>,
    /// The language of the person: typed numbers and days are read by its habits, and what does
    /// not fit is said in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// The day it is where the person is, for words such as “tomorrow”; by default the server's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub today: Option<Date>,
}

/// The respondent wants the agent to go on without an answer. An empty body will do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct DeclineParams {
    /// The inquiry that is meant; the one that waits if missing and only one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub inquiry_id: Option<InquiryId>,
    /// What the sender saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Makes a repeated send harmless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// How long it can be taken back, in seconds, as with an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 60)]
    pub undo_seconds: Option<u32>,
}

/// The respondent refuses the question. An empty body will do.
pub type RejectParams = DeclineParams;

/// The user stops the agent, or one inquiry of an external one. An empty body will do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CancelParams {
    /// The inquiry that is meant; whatever is going on if missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub inquiry_id: Option<InquiryId>,
    /// What the sender saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Makes a repeated send harmless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// The asker takes its question back. An empty body will do.
pub type WithdrawParams = CancelParams;

fn target(inquiry: Option<&InquiryId>, revision: Option<u32>) -> Option<Target> {
    let id = inquiry?.clone();
    Some(Target::Inquiry { id, revision })
}

impl RespondParams {
    /// The inquiry that is meant.
    pub fn target(&self) -> Target {
        target(self.inquiry_id.as_ref(), self.revision).unwrap_or(Target::Pending)
    }
}

impl DeclineParams {
    /// The inquiry that is meant.
    pub fn target(&self) -> Target {
        target(self.inquiry_id.as_ref(), self.revision).unwrap_or(Target::Pending)
    }
}

impl CancelParams {
    /// The inquiry that is meant; none stops whatever is going on.
    pub fn target(&self) -> Option<Target> {
        target(self.inquiry_id.as_ref(), self.revision)
    }
}

impl fmt::Debug for RespondParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RespondParams")
            .field("inquiry_id", &self.inquiry_id)
            .field("revision", &self.revision)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for AnswerParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AnswerParams")
            .field("revision", &self.revision)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "respond_tests.rs"]
mod tests;

//! Requests of respondents: answer, decline, reject, cancel.
//!
//! Their `Debug` output leaves out answers.

use askback_core::conversation::command::Target;
use askback_core::id::InquiryId;
use askback_macros::skip_none;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// Answers the pending question of a conversation.
#[skip_none]
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct RespondParams {
    /// Answers by question id or text: what a person would type in the language of `locale` (a label, a number, `27 mar 2027`), a list
    /// of labels, true or false, null to skip, or an object such as
    /// `{"values": […], "own": "…"}`, `{"text": "…"}`, `{"number": 3}`, `{"date": "2027-03-27"}`,
    /// `{"start": "…", "end": "…"}` or `{"skipped": true}`. `{"typed": "27 mar 2027"}` is the same as the text, and
    /// `{"typed_start": "…", "typed_end": "…"}` are the two fields of a range.
    #[schema(value_type = BTreeMap<String, Value>)]
    pub answers: Value,
    /// Notes by question id or text.
    #[schema(value_type = Option<BTreeMap<String, String>>)]
    pub notes: Option<Value>,
    /// Whether to leave the other questions unanswered. Without it, an answer that leaves a question open is refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// The inquiry to answer. If missing, the only pending one.
    #[schema(value_type = Option<String>)]
    pub inquiry_id: Option<InquiryId>,
    /// The revision that the sender saw. An answer to an older revision is refused.
    pub revision: Option<u32>,
    /// A repeated request with the same key has no further effect.
    pub key: Option<String>,
    /// The undo window in seconds. Until its end the question stays pending with the answer in `held`, and
    /// `POST /inquiries/{id}/undo` undoes it. With 0, as by default, the answer takes effect at once.
    #[schema(maximum = 60)]
    pub undo_seconds: Option<u32>,
    /// The language of the person, for parsing typed numbers and dates and for error messages.
    pub locale: Option<String>,
    /// The date where the person is, for words such as “tomorrow”. By default that of the server.
    pub today: Option<Date>,
}

/// Answers one inquiry.
#[skip_none]
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct AnswerParams {
    /// Answers by question id or text, as in [`RespondParams`].
    #[schema(value_type = BTreeMap<String, Value>)]
    pub answers: Value,
    /// Notes by question id or text.
    #[schema(value_type = Option<BTreeMap<String, String>>)]
    pub notes: Option<Value>,
    /// Whether to leave the other questions unanswered. Without it, an answer that leaves a question open is refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// The revision that the sender saw. An answer to an older revision is refused.
    pub revision: Option<u32>,
    /// A repeated request with the same key has no further effect.
    pub key: Option<String>,
    /// The undo window in seconds. Until its end the inquiry stays pending with the answer in `held`, and
    /// `POST …/undo` undoes it. With 0, as by default, the answer takes effect at once.
    #[schema(maximum = 60)]
    pub undo_seconds: Option<u32>,
    /// The language of the person, for parsing typed numbers and dates and for error messages.
    pub locale: Option<String>,
    /// The date where the person is, for words such as “tomorrow”. By default that of the server.
    pub today: Option<Date>,
}

/// Declines one inquiry: the agent continues without an answer. The body may be empty.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct DeclineParams {
    /// The revision that the sender saw.
    pub revision: Option<u32>,
    /// A repeated request with the same key has no further effect.
    pub key: Option<String>,
    /// The undo window in seconds, as with an answer.
    #[schema(maximum = 60)]
    pub undo_seconds: Option<u32>,
}

/// Rejects one inquiry: the agent stops. The body may be empty.
pub type RejectParams = DeclineParams;

/// Cancels one inquiry of an external agent. The body may be empty.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CancelParams {
    /// The revision that the sender saw.
    pub revision: Option<u32>,
    /// A repeated request with the same key has no further effect.
    pub key: Option<String>,
}

/// Withdraws one inquiry on behalf of the agent. The body may be empty.
pub type WithdrawParams = CancelParams;

/// Declines the pending question of a conversation. The body may be empty.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct DeclinePendingParams {
    /// The inquiry to decline or reject. If missing, the only pending one.
    #[schema(value_type = Option<String>)]
    pub inquiry_id: Option<InquiryId>,
    /// The revision that the sender saw.
    pub revision: Option<u32>,
    /// A repeated request with the same key has no further effect.
    pub key: Option<String>,
    /// The undo window in seconds, as with an answer.
    #[schema(maximum = 60)]
    pub undo_seconds: Option<u32>,
}

/// Rejects the pending question of a conversation: the agent stops. The body may be empty.
pub type RejectPendingParams = DeclinePendingParams;

/// Stops the agent of a conversation, or cancels one of its inquiries. The body may be empty.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CancelWorkParams {
    /// The inquiry to cancel. If missing, all current work.
    #[schema(value_type = Option<String>)]
    pub inquiry_id: Option<InquiryId>,
    /// The revision that the sender saw.
    pub revision: Option<u32>,
    /// A repeated request with the same key has no further effect.
    pub key: Option<String>,
}

fn target(inquiry: Option<&InquiryId>, revision: Option<u32>) -> Option<Target> {
    let id = inquiry?.clone();
    Some(Target::Inquiry { id, revision })
}

impl RespondParams {
    /// The named inquiry, or the pending one.
    pub fn target(&self) -> Target {
        target(self.inquiry_id.as_ref(), self.revision).unwrap_or(Target::Pending)
    }
}

impl DeclinePendingParams {
    /// The named inquiry, or the pending one.
    pub fn target(&self) -> Target {
        target(self.inquiry_id.as_ref(), self.revision).unwrap_or(Target::Pending)
    }
}

impl CancelWorkParams {
    /// The named inquiry. `None` stops all current work.
    pub fn target(&self) -> Option<Target> {
        target(self.inquiry_id.as_ref(), self.revision)
    }
}

askback_core::debug_only!(RespondParams: inquiry_id, revision);

askback_core::debug_only!(AnswerParams: revision);

#[cfg(test)]
#[path = "respond_tests.rs"]
mod tests;

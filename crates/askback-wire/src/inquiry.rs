//! An inquiry: what was asked, and how it stands.

use askback_core::conversation::event::CallResult;
use askback_core::conversation::state::{HeldAnswer, PendingInquiry};
use askback_core::id::{ConversationId, InquiryId};
use askback_core::inquiry::Inquiry;
use askback_core::outcome::{Outcome, Resolution};
use askback_core::text::Text;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};

use crate::actor::SurfaceName;
use crate::asker::{AskerParams, AskerResponse};
use crate::duration::HumanDuration;
use crate::outcome::OutcomeResponse;
use crate::question::QuestionResponse;
use crate::word::words;

words! {
    /// How an inquiry stands: `pending`, or the name of its outcome.
    InquiryStatus {
        /// It waits for its outcome.
        Pending => "pending",
        /// The respondent sent answers.
        Answered => "answered",
        /// The respondent wants the agent to go on without an answer.
        Declined => "declined",
        /// The respondent stopped the agent.
        Cancelled => "cancelled",
        /// The respondent refused the question.
        Rejected => "rejected",
        /// The respondent wrote a message instead.
        Superseded => "superseded",
        /// Nobody answered before the deadline.
        Expired => "expired",
        /// The asker went away.
        Withdrawn => "withdrawn",
        /// The question was never shown to anybody.
        Undeliverable => "undeliverable",
    }
}

impl InquiryStatus {
    /// Whether it certainly has its outcome. A status that is not known is not an end.
    pub fn is_resolved(&self) -> bool {
        !matches!(self, InquiryStatus::Pending | InquiryStatus::Unknown(_))
    }
}

impl From<&Outcome> for InquiryStatus {
    fn from(outcome: &Outcome) -> InquiryStatus {
        InquiryStatus::from(outcome.name())
    }
}

/// An inquiry as it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InquiryResponse {
    /// Its id.
    #[schema(value_type = String, example = "inq_01hzy3v5q0k2m4n6p8r0s2t4v6")]
    pub id: InquiryId,
    /// The conversation it was asked in.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// `pending`, or the name of its outcome.
    pub status: InquiryStatus,
    /// Counts up when what is asked changes; an answer to an older one is refused.
    pub revision: u32,
    /// The contract it was asked in: the name of a tool.
    pub dialect: String,
    /// What is asked, at least one question; none if it was withdrawn because its conversation was
    /// deleted.
    pub questions: Vec<QuestionResponse>,
    /// Who or what asks, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it ends unanswered; missing if it waits for as long as it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// What was done with it and can still be taken back. It is `pending` until then, and its
    /// asker hears nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<HeldResponse>,
    /// When it ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved_at: Option<Timestamp>,
    /// How it ended, the answers included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<OutcomeResponse>,
    /// Who ended it, if they gave a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// From where it was ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<SurfaceName>,
    /// What the asker is told, in the form of its dialect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultResponse>,
    /// The agent that asked, if it named itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asker: Option<AskerResponse>,
}

/// What a respondent has done with an inquiry and can take back for a while.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HeldResponse {
    /// When it can no longer be taken back, and takes effect.
    pub until: Timestamp,
    /// When they did it.
    pub at: Timestamp,
    /// What they did, the answers included.
    pub outcome: OutcomeResponse,
    /// Who did it, if they gave a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// From where it was done.
    pub surface: SurfaceName,
}

impl HeldResponse {
    fn new(inquiry: &Inquiry, held: &HeldAnswer) -> HeldResponse {
        let resolution = &held.resolution;
        HeldResponse {
            until: held.until,
            at: resolution.at,
            outcome: OutcomeResponse::new(inquiry, &resolution.outcome),
            answered_by: resolution.by.name.as_ref().map(Text::to_string),
            surface: resolution.by.surface.into(),
        }
    }
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResultResponse {
    /// What the model reads.
    pub content: String,
    /// Whether it is an error.
    #[serde(default)]
    pub is_error: bool,
}

impl From<&CallResult> for ResultResponse {
    fn from(result: &CallResult) -> ResultResponse {
        ResultResponse {
            content: result.content.clone(),
            is_error: result.is_error,
        }
    }
}

/// An inquiry that is not what the domain knows: written by a newer version, or damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the inquiry holds something that this version does not know")]
pub struct UnknownInquiry;

impl InquiryResponse {
    /// An inquiry that waits.
    pub fn pending(conversation: &ConversationId, pending: &PendingInquiry) -> InquiryResponse {
        let inquiry = &pending.inquiry;
        InquiryResponse {
            id: pending.id.clone(),
            conversation_id: conversation.clone(),
            status: InquiryStatus::Pending,
            revision: pending.revision,
            dialect: inquiry.dialect().name().to_owned(),
            questions: inquiry.questions().iter().map(Into::into).collect(),
            source: inquiry.source().map(Text::to_string),
            asked_at: pending.asked_at,
            expires_at: pending.expires_at,
            held: pending
                .held
                .as_ref()
                .map(|held| HeldResponse::new(inquiry, held)),
            resolved_at: None,
            outcome: None,
            answered_by: None,
            surface: None,
            result: None,
            asker: None,
        }
    }

    /// The same with its outcome.
    #[must_use]
    pub fn resolved(
        mut self,
        inquiry: &Inquiry,
        resolution: &Resolution,
        result: &CallResult,
    ) -> InquiryResponse {
        self.status = InquiryStatus::from(&resolution.outcome);
        self.held = None;
        self.resolved_at = Some(resolution.at);
        self.outcome = Some(OutcomeResponse::new(inquiry, &resolution.outcome));
        self.answered_by = resolution.by.name.as_ref().map(Text::to_string);
        self.surface = Some(resolution.by.surface.into());
        self.result = Some(result.into());
        self
    }

    /// The inquiry as the domain has it, for surfaces that hold a draft of its answer.
    pub fn to_inquiry(&self) -> Result<Inquiry, UnknownInquiry> {
        let inquiry = json!({
            "dialect": self.dialect,
            "questions": self.questions,
        });
        let inquiry: Inquiry = serde_json::from_value(inquiry).map_err(|_| UnknownInquiry)?;
        if inquiry.questions().is_empty() {
            return Err(UnknownInquiry);
        }
        Ok(inquiry)
    }
}

/// An external agent asks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct NewInquiryParams {
    /// The contract in which `input` is written: `ask_user_question`, `AskUserQuestion`, `question`
    /// or `ask_user`. Recognised by its shape if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// The tool input, as a model writes it.
    #[schema(value_type = Object)]
    pub input: Value,
    /// Who or what asks, in words, shown with the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The external conversation to ask in; a new one begins if missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub conversation_id: Option<ConversationId>,
    /// Makes a repeated send harmless: the same key brings the same inquiry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// Where to `POST` the inquiry once it has its outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub webhook: Option<String>,
    /// After which time it ends unanswered: `30s`, `5m`, `2h` or a number of seconds. By default never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<HumanDuration>,
    /// What the asker assumes until it has the answer, in a sentence for the respondent; it is shown
    /// beside the questions and does not tell calls apart. Cut after 300 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumption: Option<String>,
    /// The agent that asks. The same call of the same agent again brings the same inquiry until its
    /// outcome was delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asker: Option<AskerParams>,
}

/// How to read an inquiry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ReadInquiryParams {
    /// Wait up to this long for the outcome: `30s`. At most a minute; ask again if it is pending still.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wait: Option<HumanDuration>,
}

/// A new deadline: a time, a length of time from now, or none at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct DeadlineParams {
    /// When it ends unanswered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
    /// After which time it ends unanswered. Not together with `expires_at`; with neither, it waits
    /// for as long as it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<HumanDuration>,
    /// What the sender saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
}

/// Takes back an answer that is held.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UndoParams {
    /// What the sender saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
    /// Makes a repeated request harmless: it never undoes an answer that was given later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
}

/// More time for a respondent who is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct KeepOpenParams {
    /// How much time they get at least, from now on; with none, the deadline is taken away. Never
    /// makes the time shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_in: Option<HumanDuration>,
    /// What the sender saw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<u32>,
}

#[cfg(test)]
#[path = "inquiry_tests.rs"]
mod tests;

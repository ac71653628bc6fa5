//! Inquiries: questions of agents with their status and outcome.

use askback_core::conversation::event::CallResult;
use askback_core::conversation::state::HeldAnswer;
use askback_core::dialect::Dialect;
use askback_core::id::{CallId, ConversationId, InquiryId};
use askback_core::identity::{Identity, NodeName};
use askback_core::inquiry::{HandedOn, Inquiry, Metadata};
use askback_core::outcome::{Next, Outcome, Resolution};
use askback_core::text::{Lines, Text};
use askback_macros::skip_none;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::actor::SurfaceName;
use crate::asker::{AskerParams, AskerResponse};
use crate::duration::HumanDuration;
use crate::far_time;
use crate::outcome::OutcomeResponse;
use crate::question::{QuestionParams, QuestionResponse};
use crate::string_enum::string_enum;

string_enum! {
    /// The status of an inquiry: `pending`, or the kind of its outcome.
    InquiryStatus {
        /// No outcome yet.
        Pending => "pending",
        /// The respondent sent answers.
        Answered => "answered",
        /// The agent continues without an answer.
        Declined => "declined",
        /// The respondent stopped the agent.
        Cancelled => "cancelled",
        /// The respondent rejected the question. The agent stops.
        Rejected => "rejected",
        /// The respondent wrote a message instead of answering.
        Superseded => "superseded",
        /// Nobody answered before the deadline.
        Expired => "expired",
        /// The agent withdrew it, or its conversation was stopped or deleted.
        Withdrawn => "withdrawn",
        /// The question was never shown.
        Undeliverable => "undeliverable",
    }
}

impl InquiryStatus {
    /// Whether there is an outcome. False for an unknown status.
    pub fn is_resolved(&self) -> bool {
        !matches!(self, InquiryStatus::Pending | InquiryStatus::Unknown(_))
    }
}

impl From<&Outcome> for InquiryStatus {
    fn from(outcome: &Outcome) -> InquiryStatus {
        InquiryStatus::from(outcome.name())
    }
}

/// An inquiry with its current status.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InquiryResponse {
    /// Starts with `inq_`.
    #[schema(value_type = String, example = "inq_01hzy3v5q0k2m4n6p8r0s2t4v6")]
    pub id: InquiryId,
    /// The conversation in which it was asked.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// `pending`, or the kind of its outcome.
    pub status: InquiryStatus,
    /// Never decreases. Of two copies of an inquiry, the one with the higher version is newer.
    #[serde(default)]
    pub version: u64,
    /// Increases when the question changes. An answer to an older revision is refused.
    pub revision: u32,
    /// The contract in which it was asked: `questions`, or the name of a tool.
    pub dialect: String,
    /// What a respondent can do with it.
    #[serde(default)]
    pub flags: InquiryFlags,
    /// At least one question. Empty only if the conversation was deleted, or if the feed says that a pending inquiry is not
    /// for the reader any more.
    pub questions: Vec<QuestionResponse>,
    /// The tool input in the words of `dialect`, if a request asks for it by `with_input`: it says again what is in `questions`.
    #[schema(value_type = Option<Object>)]
    pub input: Option<Value>,
    /// The id of the tool call that asks it, if the built-in agent made it.
    #[schema(value_type = Option<String>)]
    pub tool_use_id: Option<CallId>,
    /// Who or what asks, as text.
    pub source: Option<String>,
    /// The idempotency key with which it was asked.
    pub key: Option<String>,
    /// What the agent sent with it as `metadata`.
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    pub metadata: Option<Map<String, Value>>,
    /// What the agent assumes until it has the answer. The last line of each `context` says it too.
    pub assumption: Option<String>,
    /// The alias of the recipient: the one that the agent named, or the one to whom it was handed on. Missing if
    /// it is for everybody.
    pub recipient: Option<String>,
    /// The name of that person. Missing if it is a group, or an alias that is no longer configured.
    pub recipient_name: Option<String>,
    /// Whether only that person and administrators see it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// In the response to asking somebody: whether they get a message about it. Otherwise it waits where they look for it, and
    /// `warning` says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reachable: Option<bool>,
    /// In the response to asking: what the asker should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// Who handed it on to `recipient`. Missing if nobody did.
    pub handed_on: Option<Box<HandedOnResponse>>,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// The deadline. Missing if there is none.
    pub expires_at: Option<Timestamp>,
    /// Hidden from the inbox until then: the requested time, or that of the reminder if its deadline is nearer.
    pub snoozed_until: Option<Timestamp>,
    /// An answer that can still be undone. The inquiry stays `pending`, and the agent is not told, until
    /// the undo window ends.
    pub held: Option<HeldResponse>,
    /// When it ended.
    pub resolved_at: Option<Timestamp>,
    /// The outcome, with the answers.
    pub outcome: Option<OutcomeResponse>,
    /// The name of the person who ended it, if known.
    pub answered_by: Option<String>,
    /// Who that is, if a service has proved it: `telegram:42`.
    pub identity: Option<String>,
    /// Where it was ended from.
    pub surface: Option<SurfaceName>,
    /// The id of the message in which it was ended, as the service of `identity` gives it.
    pub message_id: Option<String>,
    /// The node of the server on which it ended. Missing if an earlier version stored it.
    pub node: Option<String>,
    /// What to return to the agent, in the format of its dialect.
    pub result: Option<ResultResponse>,
    /// The agent that asked, if it identified itself.
    pub asker: Option<AskerResponse>,
}

/// What a respondent can do with an inquiry, so that no surface has to know the dialects. Nothing once it has its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct InquiryFlags {
    /// Whether a message to the conversation answers it. Its answer becomes the next message of the user.
    pub takes_message: bool,
    /// Whether skipping every question is an answer. Otherwise, decline it.
    pub can_skip: bool,
}

impl From<&Inquiry> for InquiryFlags {
    fn from(inquiry: &Inquiry) -> InquiryFlags {
        InquiryFlags {
            takes_message: inquiry.takes_message(),
            can_skip: inquiry.can_skip(),
        }
    }
}

/// How an inquiry came to its present recipient.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HandedOnResponse {
    /// The name of the person who handed it on, if known.
    pub by: Option<String>,
    /// Who that is, if a service has proved it: `telegram:42`.
    pub identity: Option<String>,
    /// Where it was handed on from.
    pub surface: SurfaceName,
    /// Why, in their words.
    pub reason: Option<String>,
    /// The alias of the recipient before. Missing if it was for everybody.
    pub from: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl From<&HandedOn> for HandedOnResponse {
    fn from(handed_on: &HandedOn) -> HandedOnResponse {
        HandedOnResponse {
            by: handed_on.by.name.as_ref().map(Text::to_string),
            identity: handed_on.by.identity.as_ref().map(Identity::to_string),
            surface: handed_on.by.surface.into(),
            reason: handed_on.reason.as_ref().map(Text::to_string),
            from: handed_on.from.as_ref().map(Text::to_string),
            at: handed_on.at,
        }
    }
}

/// An answer, a decline or a rejection that can still be undone.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HeldResponse {
    /// The end of the undo window, when it takes effect.
    pub until: Timestamp,
    /// When it was given.
    pub at: Timestamp,
    /// The outcome it will have, with the answers.
    pub outcome: OutcomeResponse,
    /// The name of the person, if known.
    pub answered_by: Option<String>,
    /// Who that is, if a service has proved it: `telegram:42`.
    pub identity: Option<String>,
    /// Where it was given from.
    pub surface: SurfaceName,
    /// The node of the server that took it.
    pub node: Option<String>,
}

impl HeldResponse {
    /// A held answer to this inquiry.
    pub fn new(inquiry: &Inquiry, held: &HeldAnswer) -> HeldResponse {
        let resolution = &held.resolution;
        HeldResponse {
            until: held.until,
            at: resolution.at,
            outcome: OutcomeResponse::new(inquiry, &resolution.outcome),
            answered_by: resolution.by.name.as_ref().map(Text::to_string),
            identity: resolution.by.identity.as_ref().map(Identity::to_string),
            surface: resolution.by.surface.into(),
            node: resolution.node.as_ref().map(NodeName::to_string),
        }
    }
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ResultResponse {
    /// The text for the model.
    pub content: String,
    /// Whether the call failed.
    #[serde(default)]
    pub is_error: bool,
    /// Whether the agent continues with `content`, or stops and does not call the model again.
    pub next: NextStep,
}

string_enum! {
    /// What the agent does once the outcome is known.
    NextStep {
        /// It continues with the result.
        Resume => "resume",
        /// Its turn ends.
        Stop => "stop",
    }
}

impl From<Next> for NextStep {
    fn from(next: Next) -> NextStep {
        match next {
            Next::Resume => NextStep::Resume,
            Next::Stop => NextStep::Stop,
        }
    }
}

/// The inquiry is from a newer version, or invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the inquiry contains something that this version does not know")]
pub struct UnknownInquiry;

impl InquiryResponse {
    /// What an inquiry says itself, as if it was just asked.
    pub fn new(
        id: InquiryId,
        conversation: ConversationId,
        inquiry: &Inquiry,
        asked_at: Timestamp,
    ) -> InquiryResponse {
        InquiryResponse {
            id,
            conversation_id: conversation,
            status: InquiryStatus::Pending,
            version: 0,
            revision: 1,
            dialect: inquiry.dialect().name().to_owned(),
            flags: inquiry.into(),
            questions: inquiry.questions().iter().map(Into::into).collect(),
            input: None,
            tool_use_id: None,
            source: inquiry.source().map(Text::to_string),
            key: inquiry.key().map(str::to_owned),
            metadata: inquiry.metadata().map(Metadata::to_object),
            assumption: inquiry.assumption().map(Text::to_string),
            recipient: inquiry.recipient().map(Text::to_string),
            recipient_name: None,
            private: inquiry.is_private(),
            reachable: None,
            warning: None,
            handed_on: inquiry.handed_on().map(|it| Box::new(it.into())),
            asked_at,
            expires_at: None,
            snoozed_until: None,
            held: None,
            resolved_at: None,
            outcome: None,
            answered_by: None,
            identity: None,
            surface: None,
            message_id: None,
            node: None,
            result: None,
            asker: None,
        }
    }

    /// Whether the feed says with it that it is not for the reader any more.
    pub fn is_gone(&self) -> bool {
        self.status == InquiryStatus::Pending && self.questions.is_empty()
    }

    /// Whether this is at least as new as another copy of the same inquiry.
    pub fn is_as_new_as(&self, other: &InquiryResponse) -> bool {
        self.version >= other.version
    }

    /// Who asks, on every surface: the name that was given, or that of the program.
    pub fn asker_name(&self) -> Option<&str> {
        let client = self.asker.as_ref().map(|asker| asker.client.as_str());
        self.source.as_deref().or(client)
    }

    /// What people call the recipient: the name, or the alias.
    pub fn shown_recipient(&self) -> Option<&str> {
        let name = self.recipient_name.as_ref().or(self.recipient.as_ref());
        name.map(String::as_str)
    }

    /// Whether it is known that the agent does not wait for the answer at the moment.
    pub fn is_detached(&self) -> bool {
        self.status == InquiryStatus::Pending && self.asker.as_ref().is_some_and(|it| it.detached)
    }

    /// Adds the outcome.
    #[must_use]
    pub fn resolved(
        mut self,
        inquiry: &Inquiry,
        resolution: &Resolution,
        result: &CallResult,
    ) -> InquiryResponse {
        self.status = InquiryStatus::from(&resolution.outcome);
        self.flags = InquiryFlags::default();
        self.held = None;
        self.resolved_at = Some(resolution.at);
        self.outcome = Some(OutcomeResponse::new(inquiry, &resolution.outcome));
        self.answered_by = resolution.by.name.as_ref().map(Text::to_string);
        self.identity = resolution.by.identity.as_ref().map(Identity::to_string);
        self.surface = Some(resolution.by.surface.into());
        self.message_id = resolution.by.message.as_ref().map(Text::to_string);
        self.node = resolution.node.as_ref().map(NodeName::to_string);
        self.result = Some(ResultResponse {
            content: result.content.clone(),
            is_error: result.is_error,
            next: resolution.outcome.next().into(),
        });
        self
    }

    /// The inquiry as a type of the core, for surfaces that edit a draft of the answer.
    pub fn to_inquiry(&self) -> Result<Inquiry, UnknownInquiry> {
        let dialect = Dialect::from_name(&self.dialect).ok_or(UnknownInquiry)?;
        let questions = self.questions.iter().map(QuestionResponse::to_question);
        let questions: Vec<_> = questions.collect::<Option<_>>().ok_or(UnknownInquiry)?;
        if questions.is_empty() {
            return Err(UnknownInquiry);
        }
        let inquiry = Inquiry::restore(dialect, None, questions).map_err(|_| UnknownInquiry)?;
        let assumption = self.assumption.as_deref();
        let assumption = assumption.and_then(|text| Text::clean(text, Lines::One));
        Ok(inquiry.restore_assumption(assumption))
    }
}

/// Asks a question as an external agent.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
pub struct NewInquiryParams {
    /// 1 to 20 questions of mixed kinds. Send these or `input`.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    #[schema(value_type = Option<Vec<QuestionParams>>)]
    pub questions: Value,
    /// The input of a tool, as a model writes it.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    pub input: Value,
    /// The tool contract of `input`: `ask_user_question`, `AskUserQuestion`, `question` or `ask_user`.
    /// Detected from the input if missing.
    pub dialect: Option<String>,
    /// Who or what asks, shown with the question.
    pub source: Option<String>,
    /// The external conversation to ask in. A new one if missing.
    #[schema(value_type = Option<String>)]
    pub conversation_id: Option<ConversationId>,
    /// A repeated request with the same key returns the same inquiry.
    pub key: Option<String>,
    /// A URL to `POST` the inquiry to when it has its outcome.
    pub webhook: Option<String>,
    /// The deadline. Send this or `expires_in`. Without either, there is none.
    #[serde(deserialize_with = "far_time::deserialize")]
    pub expires_at: Option<Timestamp>,
    /// Time until the deadline: `30s`, `5m`, `2h` or a number of seconds.
    pub expires_in: Option<HumanDuration>,
    /// The alias of the recipient or group who gets the question through channels. Everybody if missing.
    pub recipient: Option<String>,
    /// Whether only that person and administrators see it: no group, and nobody else if they do not answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub private: bool,
    /// An object that is returned with the inquiry, everywhere. At most 4 KB as JSON.
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    pub metadata: Option<Map<String, Value>>,
    /// What the agent assumes until it has the answer, as a sentence for the respondent. Ignored when
    /// calls are compared. Truncated to 300 characters.
    pub assumption: Option<String>,
    /// The agent that asks. If its session repeats the call, it gets the same inquiry until the outcome is about
    /// to be delivered.
    pub asker: Option<AskerParams>,
}

/// Whether to wait for the outcome.
#[skip_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct WaitParams {
    /// How long to wait for the outcome: `30s`. At most a minute. If the inquiry is still pending, ask again.
    pub wait: Option<HumanDuration>,
}

/// Whether to wait for the outcome, and what to return.
#[skip_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ReadInquiryParams {
    /// How long to wait for the outcome: `30s`. At most a minute. If the inquiry is still pending, ask again.
    pub wait: Option<HumanDuration>,
    /// Whether to return the tool input, too. False by default.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub with_input: bool,
}

/// Gives a pending inquiry to another recipient.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
pub struct HandOnParams {
    /// The alias of the new recipient or group.
    pub recipient: String,
    /// Why. The new recipient reads it. Truncated to 300 characters.
    pub reason: Option<String>,
    /// The revision that you saw. Refused if it is not the current one.
    pub revision: Option<u32>,
}

/// A new deadline: a time, a duration from now, or none.
#[skip_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct DeadlineParams {
    /// The new deadline.
    #[serde(deserialize_with = "far_time::deserialize")]
    pub expires_at: Option<Timestamp>,
    /// Time until the new deadline. Send this or `expires_at`. Without either, the deadline is removed.
    pub expires_in: Option<HumanDuration>,
    /// The revision that the sender saw.
    pub revision: Option<u32>,
}

/// Undoes an answer within its undo window.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct UndoParams {
    /// The revision that the sender saw.
    pub revision: Option<u32>,
    /// A repeated request with the same key does not undo a later answer.
    pub key: Option<String>,
}

/// Lets an answer take effect before its undo window ends.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct CommitAnswerParams {
    /// `held.until` of the answer that is meant. A later answer is not committed. If missing, any answer is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// Removes or extends the deadline for a respondent who is working on the answer.
#[skip_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct KeepOpenParams {
    /// The least time that is left from now. Never shortens the time. If missing, the deadline is
    /// removed.
    pub expires_in: Option<HumanDuration>,
    /// The revision that the sender saw.
    pub revision: Option<u32>,
}

#[cfg(test)]
#[path = "inquiry_tests.rs"]
mod tests;

//! Where a conversation stands.

use askback_core::conversation::event::FailureKind;
use askback_core::conversation::state::{Child, PendingInquiry, Round, State};
use askback_core::id::{CallId, ConversationId, InquiryId};
use askback_core::text::Text;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::question::QuestionResponse;

/// Where a conversation stands, told apart by `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StateResponse {
    /// It waits for a message.
    Idle,
    /// A provider request is under way.
    LlmRequesting {
        /// How often it was tried, this time included.
        attempt: u32,
    },
    /// A tool is to run or runs.
    ToolExecuting {
        /// Its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// The call it runs for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<String>)]
        call_id: Option<CallId>,
    },
    /// A question waits for its answer.
    AwaitingUserResponse {
        /// What waits; the oldest, if an external agent has asked several times.
        #[serde(flatten)]
        pending: PendingResponse,
        /// Further inquiries that wait, oldest first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        others: Vec<OtherPending>,
    },
    /// Sub-agents work on a call.
    AwaitingSubAgents {
        /// Which ones.
        agents: Vec<SubAgentResponse>,
    },
    /// The provider refused for good; a new message tries again.
    Error {
        /// `overloaded`, `network`, `malformed`, `refused`, `too_many_rounds` or `same_failures`.
        code: String,
        /// What to tell the user.
        message: String,
    },
    /// The conversation was deleted; nothing follows.
    Closed,
    /// A state of a newer version; a server never sends it.
    #[serde(other)]
    Unknown,
}

/// An inquiry that waits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PendingResponse {
    /// Its id, to be sent along with the answer.
    #[schema(value_type = String)]
    pub inquiry_id: InquiryId,
    /// Its revision, to be sent along with the answer.
    #[serde(default)]
    pub revision: u32,
    /// The contract it was asked in.
    #[serde(default)]
    pub dialect: String,
    /// Who or what asks, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What is asked.
    pub questions: Vec<QuestionResponse>,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it ends unanswered, if ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// A further inquiry that waits. `GET /inquiries` has its questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OtherPending {
    /// Its id.
    #[schema(value_type = String)]
    pub inquiry_id: InquiryId,
    /// Its revision.
    #[serde(default)]
    pub revision: u32,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it ends unanswered, if ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// A sub-agent at work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SubAgentResponse {
    /// Its conversation.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// What its parent calls it.
    pub name: String,
    /// Whether it has reported.
    #[serde(default)]
    pub finished: bool,
}

impl StateResponse {
    /// The `type` of the state.
    pub fn name(&self) -> &'static str {
        match self {
            StateResponse::Idle => "idle",
            StateResponse::LlmRequesting { .. } => "llm_requesting",
            StateResponse::ToolExecuting { .. } => "tool_executing",
            StateResponse::AwaitingUserResponse { .. } => "awaiting_user_response",
            StateResponse::AwaitingSubAgents { .. } => "awaiting_sub_agents",
            StateResponse::Error { .. } => "error",
            StateResponse::Closed => "closed",
            StateResponse::Unknown => "unknown",
        }
    }

    /// The inquiry that waits, if one does.
    pub fn pending(&self) -> Option<&PendingResponse> {
        match self {
            StateResponse::AwaitingUserResponse { pending, .. } => Some(pending),
            StateResponse::Idle
            | StateResponse::LlmRequesting { .. }
            | StateResponse::ToolExecuting { .. }
            | StateResponse::AwaitingSubAgents { .. }
            | StateResponse::Error { .. }
            | StateResponse::Closed
            | StateResponse::Unknown => None,
        }
    }
}

impl From<&State> for StateResponse {
    fn from(state: &State) -> StateResponse {
        match state {
            State::Idle => StateResponse::Idle,
            State::LlmRequesting { attempt, .. } => {
                StateResponse::LlmRequesting { attempt: *attempt }
            }
            State::ToolExecuting { round, .. } => StateResponse::executing(round),
            State::AwaitingUserResponse(_) => match state.pending() {
                [first, others @ ..] => StateResponse::AwaitingUserResponse {
                    pending: first.into(),
                    others: others.iter().map(OtherPending::from).collect(),
                },
                // The machine leaves the state with the last inquiry.
                [] => StateResponse::Idle,
            },
            State::AwaitingSubAgents { children, .. } => StateResponse::AwaitingSubAgents {
                agents: children.iter().map(SubAgentResponse::from).collect(),
            },
            State::Error { failure } => StateResponse::Error {
                code: failure_code(failure.kind).to_owned(),
                message: failure.message.to_string(),
            },
            State::Closed => StateResponse::Closed,
        }
    }
}

impl StateResponse {
    /// The same with further inquiries that wait behind the first.
    #[must_use]
    pub fn with_others(mut self, further: impl IntoIterator<Item = OtherPending>) -> StateResponse {
        if let StateResponse::AwaitingUserResponse { others, .. } = &mut self {
            others.extend(further);
        }
        self
    }

    fn executing(round: &Round) -> StateResponse {
        let call = round.current();
        StateResponse::ToolExecuting {
            tool: call.map(|call| call.name.clone()),
            call_id: call.map(|call| call.id.clone()),
        }
    }
}

/// The stable word for a failed provider request.
pub fn failure_code(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Overloaded => "overloaded",
        FailureKind::Network => "network",
        FailureKind::Malformed => "malformed",
        FailureKind::Refused => "refused",
        FailureKind::TooManyRounds => "too_many_rounds",
        FailureKind::SameFailures => "same_failures",
    }
}

impl From<&PendingInquiry> for PendingResponse {
    fn from(pending: &PendingInquiry) -> PendingResponse {
        let inquiry = &pending.inquiry;
        PendingResponse {
            inquiry_id: pending.id.clone(),
            revision: pending.revision,
            dialect: inquiry.dialect().name().to_owned(),
            source: inquiry.source().map(Text::to_string),
            questions: inquiry.questions().iter().map(Into::into).collect(),
            asked_at: pending.asked_at,
            expires_at: pending.expires_at,
        }
    }
}

impl From<&PendingInquiry> for OtherPending {
    fn from(pending: &PendingInquiry) -> OtherPending {
        OtherPending {
            inquiry_id: pending.id.clone(),
            revision: pending.revision,
            asked_at: pending.asked_at,
            expires_at: pending.expires_at,
        }
    }
}

impl From<&Child> for SubAgentResponse {
    fn from(child: &Child) -> SubAgentResponse {
        SubAgentResponse {
            conversation_id: child.started.conversation.clone(),
            name: child.started.name.to_string(),
            finished: child.result.is_some(),
        }
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;

//! States of conversations.

use askback_core::conversation::event::FailureKind;
use askback_core::conversation::state::{Child, Round, State};
use askback_core::id::{CallId, ConversationId, InquiryId};
use askback_core::limits::LLM_ATTEMPTS_MAX;
use askback_core::text::Text;
use askback_macros::skip_none;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// What a conversation is doing. `type` says which.
#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum StateResponse {
    /// Waiting for a message.
    Idle,
    /// Waiting for the model.
    LlmRequesting {
        /// The number of this attempt, starting at 1.
        attempt: u32,
        /// Why the attempt before failed, such as “Cannot reach HOST (connection refused)”.
        reason: Option<String>,
        /// After how many attempts the turn fails. Given with `reason`.
        attempts_max: Option<u32>,
    },
    /// A tool is about to run or running.
    ToolExecuting {
        /// The name of the tool.
        tool: Option<String>,
        /// The id of the call.
        #[schema(value_type = Option<String>)]
        call_id: Option<CallId>,
    },
    /// A question is pending.
    AwaitingUserResponse {
        /// The pending inquiry. The oldest, if an external agent has asked several.
        #[schema(value_type = String)]
        inquiry_id: InquiryId,
        /// The id of the tool call that asks it, if the built-in agent made it.
        #[schema(value_type = Option<String>)]
        tool_use_id: Option<CallId>,
        /// The questions as the tool sent them, in its own words. Missing in lists and in the feed of all conversations:
        /// the inquiry has them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Vec<Object>)]
        questions: Vec<Value>,
        /// Who or what asks, as text.
        source: Option<String>,
        /// Further pending inquiries, oldest first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Vec<String>)]
        others: Vec<InquiryId>,
    },
    /// Sub-agents are working on a call.
    AwaitingSubAgents {
        /// The sub-agents.
        agents: Vec<SubAgentResponse>,
    },
    /// The turn failed. A new message tries again.
    Error {
        /// `overloaded`, `network`, `malformed`, `refused`, `too_many_rounds` or `same_failures`.
        code: String,
        /// A sentence for the user.
        message: String,
    },
    /// The conversation was deleted. This is final.
    Closed,
    /// A state of a newer version. Servers never send this.
    #[serde(other)]
    Unknown,
}

/// A sub-agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SubAgentResponse {
    /// The conversation of the sub-agent.
    #[schema(value_type = String)]
    pub conversation_id: ConversationId,
    /// The name that its parent gave it.
    pub name: String,
    /// Whether it has returned its result.
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

    /// The pending inquiry, if there is one.
    pub fn inquiry_id(&self) -> Option<&InquiryId> {
        if let StateResponse::AwaitingUserResponse { inquiry_id, .. } = self {
            Some(inquiry_id)
        } else {
            None
        }
    }

    /// The state without what is asked, for lists and the feed of all conversations.
    #[must_use]
    pub fn without_questions(mut self) -> StateResponse {
        if let StateResponse::AwaitingUserResponse { questions, .. } = &mut self {
            questions.clear();
        }
        self
    }
}

impl From<&State> for StateResponse {
    fn from(state: &State) -> StateResponse {
        match state {
            State::Idle => StateResponse::Idle,
            State::LlmRequesting {
                attempt,
                last_failure,
                ..
            } => StateResponse::LlmRequesting {
                attempt: *attempt,
                reason: last_failure
                    .as_ref()
                    .map(|failure| first_sentence(failure.message.as_str()).to_owned()),
                attempts_max: last_failure.as_ref().map(|_| LLM_ATTEMPTS_MAX),
            },
            State::ToolExecuting { round, .. } => StateResponse::executing(round),
            State::AwaitingUserResponse(_) => match state.pending() {
                [first, others @ ..] => StateResponse::AwaitingUserResponse {
                    inquiry_id: first.id.clone(),
                    tool_use_id: first.call.clone(),
                    questions: first.inquiry.to_input_questions(),
                    source: first.inquiry.source().map(Text::to_string),
                    others: others.iter().map(|pending| pending.id.clone()).collect(),
                },
                // Cannot happen: the state ends with its last inquiry.
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
    fn executing(round: &Round) -> StateResponse {
        let call = round.current();
        StateResponse::ToolExecuting {
            tool: call.map(|call| call.name.clone()),
            call_id: call.map(|call| call.id.clone()),
        }
    }
}

/// What happened, without the advice that follows it and without its full stop.
fn first_sentence(message: &str) -> &str {
    let first = message.split(". ").next().unwrap_or(message);
    first.trim_end_matches('.')
}

/// The stable code of a failed turn.
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

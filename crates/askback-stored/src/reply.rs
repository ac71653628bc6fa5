//! What a model replied: its text, its tool calls, and the sub-agents that they start.

use std::borrow::Cow;

use askback_core::conversation::event::{
    AgentFailure, AssistantReply, ChildStarted, FailureKind, ToolCall,
};
use askback_core::id::{CallId, ConversationId};
use askback_core::text::Text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::name::Named;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredReply<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<Text>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reasoning: Option<Cow<'a, Value>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<StoredCall<'a>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredCall<'a> {
    id: CallId,
    provider_id: Cow<'a, str>,
    name: Cow<'a, str>,
    pub(crate) input: Cow<'a, Value>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredChildStarted {
    conversation: ConversationId,
    name: Text,
    task: Text,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFailure {
    kind: Named<FailureKind>,
    message: Text,
}

impl<'a> From<&'a AssistantReply> for StoredReply<'a> {
    fn from(reply: &'a AssistantReply) -> StoredReply<'a> {
        StoredReply {
            text: reply.text.clone(),
            reasoning: reply.reasoning.as_ref().map(Cow::Borrowed),
            calls: reply.calls.iter().map(Into::into).collect(),
        }
    }
}

impl From<StoredReply<'_>> for AssistantReply {
    fn from(stored: StoredReply<'_>) -> AssistantReply {
        AssistantReply {
            text: stored.text,
            reasoning: stored.reasoning.map(Cow::into_owned),
            calls: stored.calls.into_iter().map(Into::into).collect(),
        }
    }
}

impl<'a> From<&'a ToolCall> for StoredCall<'a> {
    fn from(call: &'a ToolCall) -> StoredCall<'a> {
        StoredCall {
            id: call.id.clone(),
            provider_id: Cow::Borrowed(&call.provider_id),
            name: Cow::Borrowed(&call.name),
            input: Cow::Borrowed(&call.input),
        }
    }
}

impl From<StoredCall<'_>> for ToolCall {
    fn from(stored: StoredCall<'_>) -> ToolCall {
        ToolCall {
            id: stored.id,
            provider_id: stored.provider_id.into_owned(),
            name: stored.name.into_owned(),
            input: stored.input.into_owned(),
        }
    }
}

impl From<&ChildStarted> for StoredChildStarted {
    fn from(child: &ChildStarted) -> StoredChildStarted {
        StoredChildStarted {
            conversation: child.conversation.clone(),
            name: child.name.clone(),
            task: child.task.clone(),
        }
    }
}

impl From<StoredChildStarted> for ChildStarted {
    fn from(stored: StoredChildStarted) -> ChildStarted {
        ChildStarted {
            conversation: stored.conversation,
            name: stored.name,
            task: stored.task,
        }
    }
}

impl From<&AgentFailure> for StoredFailure {
    fn from(failure: &AgentFailure) -> StoredFailure {
        StoredFailure {
            kind: Named(failure.kind),
            message: failure.message.clone(),
        }
    }
}

impl From<StoredFailure> for AgentFailure {
    fn from(stored: StoredFailure) -> AgentFailure {
        AgentFailure {
            kind: stored.kind.0,
            message: stored.message,
        }
    }
}

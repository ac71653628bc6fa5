//! What a model replied: its text, its tool calls, and the sub-agents that they start.

use std::borrow::Cow;

use askback_core::conversation::event::{
    AgentFailure, AssistantReply, ChildStarted, FailureKind, ToolCall,
};
use askback_core::id::{CallId, ConversationId};
use askback_core::text::Text;
use askback_macros::skip_none;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::form::forms;
use crate::name::Named;

#[skip_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredReply<'a> {
    text: Option<Text>,
    reasoning: Option<Cow<'a, Value>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<StoredCall<'a>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredCall<'a> {
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

forms! {
    struct StoredReply<'a> = AssistantReply { text, reasoning, calls }
    struct StoredCall<'a> = ToolCall { id, provider_id, name, input }
    struct StoredChildStarted = ChildStarted { conversation, name, task }
    struct StoredFailure = AgentFailure { kind, message }
}

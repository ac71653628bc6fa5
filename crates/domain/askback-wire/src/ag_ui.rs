//! The request of AG-UI, the protocol between agents and front ends. Only what the server reads.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::schema::{AnyOfBuilder, ArrayBuilder, Object, Type};

/// A run of an agent, as AG-UI 1.0 defines it. Further fields, such as `tools`, `state` and `context`,
/// are ignored.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunAgentInput {
    /// The client's name of the conversation, or the id of a conversation.
    pub thread_id: String,
    /// The client's name of the run.
    pub run_id: String,
    /// The last one of the user is sent to the agent. A repeated id has no further effect.
    #[serde(default)]
    pub messages: Vec<AgUiMessage>,
    /// Answers to the interrupts of an earlier run.
    #[serde(default)]
    pub resume: Vec<ResumeEntry>,
    /// An object whose `app` names the app of a new conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    pub forwarded_props: Option<Value>,
}

/// A message of AG-UI.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgUiMessage {
    /// The sender's id for the message.
    pub id: String,
    /// Only messages of `user` are read.
    pub role: String,
    /// A text, or a list of parts. Only parts with a `text` are read.
    #[serde(default)]
    #[schema(schema_with = message_content)]
    pub content: Value,
}

/// A text, or a list of objects.
fn message_content() -> AnyOfBuilder {
    let part = Object::with_type(Type::Object);
    AnyOfBuilder::new()
        .item(Object::with_type(Type::String))
        .item(ArrayBuilder::new().items(part))
        .description(Some(
            "A text, or a list of parts. Only parts with a `text` are read.",
        ))
}

/// The answer to an interrupt.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResumeEntry {
    /// The id of the inquiry.
    pub interrupt_id: String,
    /// Answered, or abandoned: then the question is declined.
    pub status: ResumeStatus,
    /// Answers by question id or text, as in `POST /inquiries/{id}/answer`.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, Value>)]
    pub payload: Value,
}

/// How a client ends an interrupt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ResumeStatus {
    /// With an answer.
    Resolved,
    /// Without one.
    Cancelled,
}

impl RunAgentInput {
    /// The last message of the user, with its id.
    pub fn user_message(&self) -> Option<(&str, String)> {
        let last = self
            .messages
            .iter()
            .rfind(|message| message.role == "user")?;
        let text = match &last.content {
            Value::String(text) => text.clone(),
            Value::Array(parts) => {
                let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
                texts.collect::<Vec<_>>().join("\n")
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
        };
        Some((&last.id, text))
    }

    /// The app of a new conversation.
    pub fn app(&self) -> Option<&str> {
        self.forwarded_props.as_ref()?.get("app")?.as_str()
    }
}

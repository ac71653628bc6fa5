//! What the protocols have in common when they read a reply and send it back.

use askback_core::conversation::command::RawReply;
use askback_core::conversation::event::CallResult;
use askback_engine::ports::{LlmFailure, TokenSink};
use serde_json::{Map, Value, json};

use super::endpoint::{Endpoint, refused};

/// Builds a reply from the events of a stream.
pub(super) trait StreamParser {
    /// Handles one event. Unknown events are ignored: protocols grow.
    fn handle_event(&mut self, event: &Value, tokens: &dyn TokenSink);

    /// The error that an event reports instead of content.
    fn error<'a>(&self, event: &'a Value) -> Option<&'a Value> {
        event.get("error").filter(|error| !error.is_null())
    }

    /// Whether the last event has arrived. The connection may stay open after it.
    fn is_complete(&self) -> bool;

    /// The reply; `None` if the stream ended before the reply was complete.
    fn finish(self) -> Option<ParsedReply>;
}

/// A complete reply, and why the model stopped.
#[derive(Debug, PartialEq)]
pub(super) struct ParsedReply {
    pub(super) reply: RawReply,
    pub(super) stop: StopReason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StopReason {
    Complete,
    TokenLimit,
    /// The model, or a content filter, refused.
    Filtered,
    /// The reply does not follow its protocol.
    Malformed,
}

impl ParsedReply {
    pub(super) fn malformed() -> ParsedReply {
        ParsedReply {
            reply: RawReply::default(),
            stop: StopReason::Malformed,
        }
    }

    /// The reply, unless it is empty for a reason that another attempt would meet again.
    pub(super) fn into_reply(self, endpoint: &Endpoint) -> Result<RawReply, LlmFailure> {
        let empty = self.reply.text.trim().is_empty() && self.reply.calls.is_empty();
        match self.stop {
            StopReason::Malformed => Err(endpoint.malformed("it has no message in it")),
            StopReason::TokenLimit if empty => Err(refused(
                "The model used up its tokens before it said anything. Raise `reply_tokens_max` in \
                 the limits of the app, or lower the model's reasoning effort.",
            )),
            StopReason::Filtered if empty => Err(refused(
                "The model, or a content filter, refused to reply. Rephrase your message, or start \
                 a new conversation.",
            )),
            StopReason::Complete | StopReason::TokenLimit | StopReason::Filtered => Ok(self.reply),
        }
    }
}

/// Tool arguments as JSON, or as a string if they are not valid JSON.
pub(super) fn parse_arguments(raw: &str) -> Value {
    if raw.trim().is_empty() {
        return Value::Object(Map::new());
    }
    serde_json::from_str(raw).unwrap_or_else(|_| Value::String(raw.to_owned()))
}

/// The input of a call as it is sent back. Providers accept only objects, so anything else is
/// wrapped in one.
pub(super) fn input_object(input: &Value) -> Value {
    match input {
        Value::Object(_) => input.clone(),
        Value::Null => Value::Object(Map::new()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            json!({ "malformed_input": input })
        }
    }
}

/// The content of a tool result. Providers refuse blank content.
pub(super) fn result_content(content: &str) -> &str {
    if content.trim().is_empty() {
        "[no output]"
    } else {
        content
    }
}

/// The content of a tool result for protocols without an error flag: an error says that it is one.
pub(super) fn flagged_content(result: &CallResult) -> String {
    let content = result_content(&result.content);
    if result.is_error && !content.to_lowercase().starts_with("error") {
        format!("Error: {content}")
    } else {
        content.to_owned()
    }
}

/// The name of a tool as it is sent back. A model may have made up one that providers refuse.
pub(super) fn tool_name(name: &str) -> String {
    let allowed = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-');
    let name: String = name
        .chars()
        .take(64)
        .map(|ch| if allowed(ch) { ch } else { '_' })
        .collect();
    if name.is_empty() {
        "unnamed".to_owned()
    } else {
        name
    }
}

/// Appends a piece of text to a string field, which a stream may not have created yet.
pub(super) fn append_text(object: &mut Map<String, Value>, field: &str, text: &str) {
    match object.get_mut(field) {
        Some(Value::String(whole)) => whole.push_str(text),
        _ => drop(object.insert(field.to_owned(), json!(text))),
    }
}

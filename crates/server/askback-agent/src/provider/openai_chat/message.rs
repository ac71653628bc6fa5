//! The message of a completion, read whole or accumulated from a stream.

use askback_core::conversation::command::{RawCall, RawReply};
use serde_json::{Map, Value};

use super::reasoning;
use crate::provider::reply::{ParsedReply, StopReason, parse_arguments};

#[derive(Default)]
pub(super) struct Message {
    pub(super) text: String,
    /// Reasoning, under the field names it arrived with.
    pub(super) reasoning: Map<String, Value>,
    pub(super) calls: Vec<MessageCall>,
}

#[derive(Default)]
pub(super) struct MessageCall {
    pub(super) index: Option<u64>,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    /// `extra_content`, which must be sent back with the call.
    pub(super) extra: Option<Value>,
}

/// Parses a completion that was not streamed.
pub(in crate::provider) fn parse_completion(reply: &Value) -> ParsedReply {
    let choice = &reply["choices"][0];
    if !choice["message"].is_object() {
        return ParsedReply::malformed();
    }
    let mut message = Message::default();
    message.text.push_str(&text_in(&choice["message"]));
    message.add_whole(&choice["message"]);
    message.into_reply(choice["finish_reason"].as_str())
}

/// The text of a message or delta. Some servers send it in parts, and a refusal has its own field.
pub(super) fn text_in(message: &Value) -> String {
    let mut text = match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    };
    text.push_str(message["refusal"].as_str().unwrap_or_default());
    text
}

impl Message {
    /// Adds the reasoning and the calls of a complete message. Each element is a call of its own, even
    /// if two have the same id or index.
    fn add_whole(&mut self, message: &Value) {
        reasoning::merge(&mut self.reasoning, message);
        for element in tool_calls(message) {
            let mut call = MessageCall::default();
            call.add(element);
            self.calls.push(call);
        }
    }

    /// Adds the reasoning and the calls of a streamed delta.
    pub(super) fn add_delta(&mut self, delta: &Value) {
        reasoning::merge(&mut self.reasoning, delta);
        for element in tool_calls(delta) {
            self.call_for(element).add(element);
        }
    }

    /// The call that a delta belongs to. Servers send an index, an id, or neither. Without an index, a
    /// tool name that follows complete arguments starts a new call.
    fn call_for(&mut self, delta: &Value) -> &mut MessageCall {
        let index = delta["index"].as_u64();
        let id = delta["id"].as_str().unwrap_or_default();
        let name = delta["function"]["name"].as_str().unwrap_or_default();
        let same = |call: &MessageCall| {
            let same_id = id.is_empty() || call.id.is_empty() || call.id == id;
            let same_index = index == call.index && (index.is_some() || !id.is_empty());
            let continues = index.is_none() && id.is_empty();
            (same_index && same_id) || continues
        };
        let found = self.calls.iter().rposition(same);
        let starts_new =
            |call: &MessageCall| index.is_none() && !name.is_empty() && call.is_complete();
        let found = found.filter(|position| !starts_new(&self.calls[*position]));
        let position = found.unwrap_or_else(|| {
            self.calls.push(MessageCall {
                index,
                ..MessageCall::default()
            });
            self.calls.len() - 1
        });
        &mut self.calls[position]
    }

    pub(super) fn into_reply(self, finish_reason: Option<&str>) -> ParsedReply {
        let extras: Vec<_> = self.calls.iter().map(|call| call.extra.clone()).collect();
        let reasoning = reasoning::to_stored(&self.reasoning, &extras);
        let calls = self.calls.into_iter().map(|call| RawCall {
            provider_id: call.id,
            name: call.name,
            input: parse_arguments(&call.arguments),
        });
        ParsedReply {
            reply: RawReply {
                text: self.text,
                reasoning,
                calls: calls.collect(),
            },
            stop: match finish_reason {
                Some("length") => StopReason::TokenLimit,
                Some("content_filter") => StopReason::Filtered,
                _ => StopReason::Complete,
            },
        }
    }
}

/// The calls of a message, or the parts of calls in a delta.
fn tool_calls(message: &Value) -> impl Iterator<Item = &Value> {
    message["tool_calls"].as_array().into_iter().flatten()
}

impl MessageCall {
    /// Whether no more deltas can belong to it: its arguments are a complete JSON object.
    fn is_complete(&self) -> bool {
        let arguments = serde_json::from_str::<Map<String, Value>>(&self.arguments);
        !self.name.is_empty() && arguments.is_ok()
    }

    fn add(&mut self, delta: &Value) {
        let function = &delta["function"];
        if let Some(id) = delta["id"].as_str().filter(|_| self.id.is_empty()) {
            id.clone_into(&mut self.id);
        }
        if let Some(name) = function["name"].as_str().filter(|_| self.name.is_empty()) {
            name.clone_into(&mut self.name);
        }
        match &function["arguments"] {
            Value::String(part) => self.arguments.push_str(part),
            // Some servers send an object instead of its JSON text.
            whole @ Value::Object(_) => self.arguments = whole.to_string(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
        }
        if let Some(extra) = delta.get("extra_content").filter(|extra| !extra.is_null()) {
            self.extra = Some(extra.clone());
        }
    }
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;

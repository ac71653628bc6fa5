//! The message of a reply, whether it came at once or was put together from a stream.

use askback_core::conversation::command::{RawCall, RawReply};
use serde_json::{Map, Value};

use super::reasoning;
use crate::provider::reply::{Outcome, Stop, arguments};

/// A message in the making, or whole.
#[derive(Default)]
pub(super) struct Message {
    pub(super) text: String,
    /// Reasoning under the names it came by.
    pub(super) reasoning: Map<String, Value>,
    pub(super) calls: Vec<Call>,
}

/// One call of it.
#[derive(Default)]
pub(super) struct Call {
    pub(super) index: Option<u64>,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    /// What must come back with the call.
    pub(super) extra: Option<Value>,
}

/// Reads a whole reply.
pub(in crate::provider) fn read(reply: &Value) -> Outcome {
    let choice = &reply["choices"][0];
    if !choice["message"].is_object() {
        return Outcome {
            reply: RawReply::default(),
            stop: Stop::Unreadable,
        };
    }
    let mut message = Message::default();
    message.text.push_str(&text_in(&choice["message"]));
    message.take_whole(&choice["message"]);
    message.outcome(choice["finish_reason"].as_str())
}

/// The text in a message or a piece of one. Some servers send it in parts, and some send a refusal
/// apart from it.
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
    /// Takes the reasoning and the calls of a message that is whole. Each element is a call of its
    /// own, whatever its id and number say.
    fn take_whole(&mut self, message: &Value) {
        reasoning::gather(&mut self.reasoning, message);
        for element in elements(message) {
            let mut call = Call::default();
            call.grow(element);
            self.calls.push(call);
        }
    }

    /// Takes the reasoning and the calls of a piece of a message.
    pub(super) fn grow(&mut self, piece: &Value) {
        reasoning::gather(&mut self.reasoning, piece);
        for element in elements(piece) {
            self.call(element).grow(element);
        }
    }

    /// The call that a piece belongs to. Servers number calls, name them, or do neither. Where the
    /// number does not tell, a tool's name behind arguments that are complete begins another call.
    fn call(&mut self, piece: &Value) -> &mut Call {
        let index = piece["index"].as_u64();
        let id = piece["id"].as_str().unwrap_or_default();
        let name = piece["function"]["name"].as_str().unwrap_or_default();
        let same = |call: &Call| {
            let same_id = id.is_empty() || call.id.is_empty() || call.id == id;
            let same_index = index == call.index && (index.is_some() || !id.is_empty());
            let goes_on = index.is_none() && id.is_empty();
            (same_index && same_id) || goes_on
        };
        let found = self.calls.iter().rposition(same);
        let begins = |call: &Call| index.is_none() && !name.is_empty() && call.is_complete();
        let found = found.filter(|position| !begins(&self.calls[*position]));
        let position = found.unwrap_or_else(|| {
            self.calls.push(Call {
                index,
                ..Call::default()
            });
            self.calls.len() - 1
        });
        &mut self.calls[position]
    }

    pub(super) fn outcome(self, finish_reason: Option<&str>) -> Outcome {
        let extras: Vec<_> = self.calls.iter().map(|call| call.extra.clone()).collect();
        let reasoning = reasoning::keep(&self.reasoning, &extras);
        let calls = self.calls.into_iter().map(|call| RawCall {
            provider_id: call.id,
            name: call.name,
            input: arguments(&call.arguments),
        });
        Outcome {
            reply: RawReply {
                text: self.text,
                reasoning,
                calls: calls.collect(),
            },
            stop: match finish_reason {
                Some("length") => Stop::Length,
                Some("content_filter") => Stop::Filtered,
                _ => Stop::Done,
            },
        }
    }
}

/// The calls in a message, or the pieces of calls in a piece of one.
fn elements(message: &Value) -> impl Iterator<Item = &Value> {
    message["tool_calls"].as_array().into_iter().flatten()
}

impl Call {
    /// Whether nothing can follow: it has its name, and its arguments are a JSON object.
    fn is_complete(&self) -> bool {
        let arguments = serde_json::from_str::<Map<String, Value>>(&self.arguments);
        !self.name.is_empty() && arguments.is_ok()
    }

    fn grow(&mut self, piece: &Value) {
        let function = &piece["function"];
        if let Some(id) = piece["id"].as_str().filter(|_| self.id.is_empty()) {
            id.clone_into(&mut self.id);
        }
        if let Some(name) = function["name"].as_str().filter(|_| self.name.is_empty()) {
            name.clone_into(&mut self.name);
        }
        match &function["arguments"] {
            Value::String(piece) => self.arguments.push_str(piece),
            // Some servers send the arguments as what they are.
            whole @ Value::Object(_) => self.arguments = whole.to_string(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
        }
        if let Some(extra) = piece.get("extra_content").filter(|extra| !extra.is_null()) {
            self.extra = Some(extra.clone());
        }
    }
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;

//! Turns the output items of a response into a reply.

use askback_core::conversation::command::{RawCall, RawReply};
use serde_json::{Value, json};

use super::REASONING_PROTOCOL;
use crate::provider::reply::{ParsedReply, StopReason, parse_arguments};

/// Parses a response that was not streamed, or that the last event of a stream contains.
pub(in crate::provider) fn parse_response(response: &Value) -> ParsedReply {
    match response["output"].as_array() {
        Some(items) => reply_from_items(items, response),
        None => ParsedReply::malformed(),
    }
}

pub(super) fn reply_from_items(items: &[Value], response: &Value) -> ParsedReply {
    let calls = items.iter().filter(|item| is_call(item)).map(|item| {
        let text = |field: &str| item[field].as_str().unwrap_or_default();
        RawCall {
            provider_id: text("call_id").to_owned(),
            name: text("name").to_owned(),
            input: parse_arguments(text("arguments")),
        }
    });
    ParsedReply {
        reply: RawReply {
            text: items.iter().map(message_text).collect(),
            reasoning: reasoning_layout(items),
            calls: calls.collect(),
        },
        stop: match response["incomplete_details"]["reason"].as_str() {
            Some("content_filter") => StopReason::Filtered,
            Some(_) => StopReason::TokenLimit,
            None => StopReason::Complete,
        },
    }
}

/// The items that must be sent back unchanged, in their position among the others. `None` if there
/// are none.
///
/// The history stores calls, and text in a single message, by itself. Their items are placeholders.
fn reasoning_layout(items: &[Value]) -> Option<Value> {
    if items.iter().all(|item| is_call(item) || is_message(item)) {
        return None;
    }
    let one_message = items.iter().filter(|item| is_message(item)).count() == 1;
    let layout = items.iter().map(|item| {
        if is_call(item) {
            json!({ "type": "function_call" })
        } else if is_message(item) && one_message {
            json!({ "type": "message" })
        } else {
            item.clone()
        }
    });
    Some(json!({ "wire": REASONING_PROTOCOL, "items": layout.collect::<Vec<_>>() }))
}

/// The text of a message, or its refusal.
fn message_text(item: &Value) -> String {
    let parts = item["content"].as_array().filter(|_| is_message(item));
    let text = |part: &Value| {
        let text = part["text"].as_str().or_else(|| part["refusal"].as_str());
        text.map(str::to_owned)
    };
    parts.into_iter().flatten().filter_map(text).collect()
}

fn is_message(item: &Value) -> bool {
    item["type"] == "message"
}

fn is_call(item: &Value) -> bool {
    item["type"] == "function_call"
}

//! Turns the output items of a response into a reply.

use askback_core::conversation::command::{RawCall, RawReply};
use serde_json::{Value, json};

use super::{ITEMS, REASONING_PROTOCOL};
use crate::provider::reply::{ParsedReply, StopReason, parse_arguments};

/// Parses a response that was not streamed, or that the last event of a stream contains.
pub(in crate::provider) fn parse_response(response: &Value) -> ParsedReply {
    match response["output"].as_array() {
        Some(items) => reply_from_items(items, response),
        None => ParsedReply::malformed(),
    }
}

pub(super) fn reply_from_items(items: &[Value], response: &Value) -> ParsedReply {
    let calls = items.iter().filter(|item| item["type"] == ITEMS.call);
    let calls = calls.map(|item| {
        let text = |field: &str| item[field].as_str().unwrap_or_default();
        RawCall {
            provider_id: text("call_id").to_owned(),
            name: text("name").to_owned(),
            input: parse_arguments(text("arguments")),
        }
    });
    let layout = ITEMS.layout(items);
    ParsedReply {
        reply: RawReply {
            text: items.iter().map(message_text).collect(),
            reasoning: layout.map(|items| json!({ "wire": REASONING_PROTOCOL, "items": items })),
            calls: calls.collect(),
        },
        stop: match response["incomplete_details"]["reason"].as_str() {
            Some("content_filter") => StopReason::Filtered,
            Some(_) => StopReason::TokenLimit,
            None => StopReason::Complete,
        },
    }
}

/// The text of a message, or its refusal.
fn message_text(item: &Value) -> String {
    let parts = item["content"].as_array();
    let parts = parts.filter(|_| item["type"] == ITEMS.text);
    let text = |part: &Value| {
        let text = part["text"].as_str().or_else(|| part["refusal"].as_str());
        text.map(str::to_owned)
    };
    parts.into_iter().flatten().filter_map(text).collect()
}

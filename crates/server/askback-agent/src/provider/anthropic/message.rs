//! Turns the content blocks of a message into a reply.

use askback_core::conversation::command::{RawCall, RawReply};
use serde_json::{Value, json};

use super::{BLOCKS, REASONING_PROTOCOL};
use crate::provider::reply::{ParsedReply, StopReason};

/// Parses a message that was not streamed.
pub(in crate::provider) fn parse_message(message: &Value) -> ParsedReply {
    let stop = message["stop_reason"].as_str();
    match message["content"].as_array() {
        Some(blocks) => reply_from_blocks(blocks, stop),
        None => ParsedReply::malformed(),
    }
}

pub(super) fn reply_from_blocks(blocks: &[Value], stop_reason: Option<&str>) -> ParsedReply {
    let of_type = |kind: &'static str| blocks.iter().filter(move |block| block["type"] == kind);
    let texts = of_type("text").filter_map(|block| block["text"].as_str());
    let calls = of_type("tool_use").map(|block| RawCall {
        provider_id: text_of(block, "id"),
        name: text_of(block, "name"),
        input: block["input"].clone(),
    });
    let layout = BLOCKS.layout(blocks);
    ParsedReply {
        reply: RawReply {
            text: texts.collect(),
            reasoning: layout.map(|blocks| json!({ "wire": REASONING_PROTOCOL, "blocks": blocks })),
            calls: calls.collect(),
        },
        stop: match stop_reason {
            Some("max_tokens" | "model_context_window_exceeded") => StopReason::TokenLimit,
            Some("refusal") => StopReason::Filtered,
            _ => StopReason::Complete,
        },
    }
}

fn text_of(block: &Value, field: &str) -> String {
    block[field].as_str().unwrap_or_default().to_owned()
}

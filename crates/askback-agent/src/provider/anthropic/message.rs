//! The content of a reply, whether it came at once or was put together from a stream.

use askback_core::conversation::command::{RawCall, RawReply};
use serde_json::{Value, json};

use super::MARK;
use crate::provider::reply::{Outcome, Stop};

/// Reads a whole message.
pub(in crate::provider) fn read(message: &Value) -> Outcome {
    let stop = message["stop_reason"].as_str();
    match message["content"].as_array() {
        Some(blocks) => outcome(blocks, stop),
        None => Outcome {
            reply: RawReply::default(),
            stop: Stop::Unreadable,
        },
    }
}

/// The reply that the blocks of a message give.
pub(super) fn outcome(blocks: &[Value], stop_reason: Option<&str>) -> Outcome {
    let of_type = |kind: &'static str| blocks.iter().filter(move |block| block["type"] == kind);
    let texts = of_type("text").filter_map(|block| block["text"].as_str());
    let calls = of_type("tool_use").map(|block| RawCall {
        provider_id: text_of(block, "id"),
        name: text_of(block, "name"),
        input: block["input"].clone(),
    });
    Outcome {
        reply: RawReply {
            text: texts.collect(),
            reasoning: layout(blocks),
            calls: calls.collect(),
        },
        stop: match stop_reason {
            Some("max_tokens" | "model_context_window_exceeded") => Stop::Length,
            Some("refusal") => Stop::Filtered,
            _ => Stop::Done,
        },
    }
}

/// The blocks that must come back unchanged, and between which others they stood.
///
/// What the history keeps anyway is only marked: the calls, and the text if it is in one piece.
fn layout(blocks: &[Value]) -> Option<Value> {
    let is = |block: &Value, kind: &str| block["type"] == kind;
    if blocks
        .iter()
        .all(|block| is(block, "text") || is(block, "tool_use"))
    {
        return None;
    }
    let one_text = blocks.iter().filter(|block| is(block, "text")).count() == 1;
    let kept = blocks.iter().map(|block| {
        if is(block, "tool_use") {
            json!({ "type": "tool_use" })
        } else if is(block, "text") && one_text {
            json!({ "type": "text" })
        } else {
            block.clone()
        }
    });
    Some(json!({ "wire": MARK, "blocks": kept.collect::<Vec<_>>() }))
}

fn text_of(block: &Value, field: &str) -> String {
    block[field].as_str().unwrap_or_default().to_owned()
}

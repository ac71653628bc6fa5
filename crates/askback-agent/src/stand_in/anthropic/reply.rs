//! Replies: the blocks of a step, at once or in pieces.

use serde_json::{Value, json};

use super::thinking_block;
use crate::scripted::Play;
use crate::stand_in::pieces::pieces;

/// A whole message.
pub(in crate::stand_in) fn message(body: &Value, play: &Play) -> Value {
    json!({
        "id": "msg_stand_in",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": blocks(play),
        "stop_reason": stop_reason(play),
        "stop_sequence": null,
        "usage": { "input_tokens": 1, "output_tokens": 1 },
    })
}

/// The same message as events.
pub(in crate::stand_in) fn events(body: &Value, play: &Play) -> Vec<String> {
    let mut start = message(body, play);
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    let mut events = vec![
        event(&json!({ "type": "message_start", "message": start })),
        event(&json!({ "type": "ping" })),
    ];
    for (index, block) in blocks(play).iter().enumerate() {
        let (empty, deltas) = in_pieces(block);
        let start =
            json!({ "type": "content_block_start", "index": index, "content_block": empty });
        events.push(event(&start));
        for delta in deltas {
            let delta = json!({ "type": "content_block_delta", "index": index, "delta": delta });
            events.push(event(&delta));
        }
        events.push(event(
            &json!({ "type": "content_block_stop", "index": index }),
        ));
    }
    let delta = json!({ "stop_reason": stop_reason(play), "stop_sequence": null });
    let usage = json!({ "output_tokens": 1 });
    events.push(event(
        &json!({ "type": "message_delta", "delta": delta, "usage": usage }),
    ));
    events.push(event(&json!({ "type": "message_stop" })));
    events
}

fn blocks(play: &Play) -> Vec<Value> {
    let mut blocks: Vec<Value> = play.think.iter().map(thinking_block).collect();
    if !play.say.is_empty() {
        blocks.push(json!({ "type": "text", "text": play.say }));
    }
    blocks.extend(play.calls.iter().map(|call| {
        json!({ "type": "tool_use", "id": call.provider_id, "name": call.name, "input": call.input })
    }));
    blocks
}

fn stop_reason(play: &Play) -> &'static str {
    if play.calls.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    }
}

/// A block as it begins, and what makes it whole.
fn in_pieces(block: &Value) -> (Value, Vec<Value>) {
    let mut empty = block.clone();
    let text = |field: &str| block[field].as_str().unwrap_or_default();
    let deltas = |kind: &str, field: &str, text: &str| -> Vec<Value> {
        let pieces = pieces(text).into_iter();
        pieces
            .map(|piece| json!({ "type": kind, field: piece }))
            .collect()
    };
    match block["type"].as_str() {
        Some("text") => {
            empty["text"] = json!("");
            (empty, deltas("text_delta", "text", text("text")))
        }
        Some("thinking") => {
            empty["thinking"] = json!("");
            empty["signature"] = json!("");
            let mut deltas = deltas("thinking_delta", "thinking", text("thinking"));
            deltas.push(json!({ "type": "signature_delta", "signature": block["signature"] }));
            (empty, deltas)
        }
        Some("tool_use") => {
            empty["input"] = json!({});
            // A text is what a model sends that does not manage JSON.
            let input = &block["input"];
            let raw = input
                .as_str()
                .map_or_else(|| input.to_string(), str::to_owned);
            (empty, deltas("input_json_delta", "partial_json", &raw))
        }
        _ => (empty, Vec::new()),
    }
}

fn event(data: &Value) -> String {
    let name = data["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}

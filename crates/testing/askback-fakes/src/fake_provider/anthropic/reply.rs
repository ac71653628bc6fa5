//! Messages made from the steps of a script, whole or streamed.

use serde_json::{Value, json};

use super::thinking_block;
use crate::fake_provider::chunks::{chunks, raw_arguments};
use askback_agent::scripted::ScriptedReply;

pub(in crate::fake_provider) fn message(body: &Value, reply: &ScriptedReply) -> Value {
    json!({
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": blocks(reply),
        "stop_reason": stop_reason(reply),
        "stop_sequence": null,
        "usage": { "input_tokens": 1, "output_tokens": 1 },
    })
}

/// The events of a streamed message.
pub(in crate::fake_provider) fn events(body: &Value, reply: &ScriptedReply) -> Vec<String> {
    let mut start = message(body, reply);
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    let mut events = vec![
        event(&json!({ "type": "message_start", "message": start })),
        event(&json!({ "type": "ping" })),
    ];
    for (index, block) in blocks(reply).iter().enumerate() {
        let (empty, deltas) = split_block(block);
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
    let delta = json!({ "stop_reason": stop_reason(reply), "stop_sequence": null });
    let usage = json!({ "output_tokens": 1 });
    events.push(event(
        &json!({ "type": "message_delta", "delta": delta, "usage": usage }),
    ));
    events.push(event(&json!({ "type": "message_stop" })));
    events
}

fn blocks(reply: &ScriptedReply) -> Vec<Value> {
    let mut blocks: Vec<Value> = reply.think.iter().map(thinking_block).collect();
    if !reply.say.is_empty() {
        blocks.push(json!({ "type": "text", "text": reply.say }));
    }
    blocks.extend(reply.calls.iter().map(|call| {
        json!({ "type": "tool_use", "id": call.provider_id, "name": call.name, "input": call.input })
    }));
    blocks
}

fn stop_reason(reply: &ScriptedReply) -> &'static str {
    if reply.calls.is_empty() {
        "end_turn"
    } else {
        "tool_use"
    }
}

/// The empty block that a stream starts with, and the deltas that complete it.
fn split_block(block: &Value) -> (Value, Vec<Value>) {
    let mut empty = block.clone();
    let text = |field: &str| block[field].as_str().unwrap_or_default();
    let deltas = |kind: &str, field: &str, text: &str| -> Vec<Value> {
        let chunks = chunks(text).into_iter();
        chunks
            .map(|chunk| json!({ "type": kind, field: chunk }))
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
            let raw = raw_arguments(&block["input"]);
            (empty, deltas("input_json_delta", "partial_json", &raw))
        }
        _ => (empty, Vec::new()),
    }
}

fn event(data: &Value) -> String {
    let name = data["type"].as_str().unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}

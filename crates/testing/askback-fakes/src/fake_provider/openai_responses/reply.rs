//! Responses made from the steps of a script, whole or streamed.

use askback_core::conversation::command::RawCall;
use serde_json::{Value, json};

use super::reasoning_item;
use crate::fake_provider::chunks::{chunks, raw_arguments};
use askback_agent::scripted::ScriptedReply;

pub(in crate::fake_provider) fn response(body: &Value, reply: &ScriptedReply) -> Value {
    json!({
        "id": "resp_fake",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "error": null,
        "incomplete_details": null,
        "model": body["model"],
        "output": items(reply),
        "usage": { "input_tokens": 1, "output_tokens": 1, "total_tokens": 2 },
    })
}

/// The events of a streamed response.
pub(in crate::fake_provider) fn events(body: &Value, reply: &ScriptedReply) -> Vec<String> {
    let whole = response(body, reply);
    let mut started = whole.clone();
    started["status"] = json!("in_progress");
    started["output"] = json!([]);
    let mut events = vec![
        json!({ "type": "response.created", "response": started }),
        json!({ "type": "response.in_progress", "response": started }),
    ];
    for (index, item) in items(reply).into_iter().enumerate() {
        events.extend(item_events(index, &item));
    }
    events.push(json!({ "type": "response.completed", "response": whole }));
    let numbered = events.into_iter().enumerate();
    numbered
        .map(|(number, mut event)| {
            event["sequence_number"] = json!(number);
            let name = event["type"].as_str().unwrap_or_default();
            format!("event: {name}\ndata: {event}\n\n")
        })
        .collect()
}

fn items(reply: &ScriptedReply) -> Vec<Value> {
    let mut items: Vec<Value> = reply.think.iter().map(reasoning_item).collect();
    if !reply.say.is_empty() {
        let content = json!([{ "type": "output_text", "text": reply.say, "annotations": [] }]);
        items.push(json!({
            "type": "message",
            "id": "msg_fake",
            "role": "assistant",
            "status": "completed",
            "content": content,
        }));
    }
    items.extend(reply.calls.iter().map(call_item));
    items
}

fn call_item(call: &RawCall) -> Value {
    json!({
        "type": "function_call",
        "id": format!("fc_{}", call.provider_id),
        "call_id": call.provider_id,
        "name": call.name,
        "arguments": raw_arguments(&call.input),
        "status": "completed",
    })
}

/// An item is added without content, receives it in deltas, and is then repeated as a whole.
fn item_events(index: usize, item: &Value) -> Vec<Value> {
    let mut added = item.clone();
    let (kind, text) = match item["type"].as_str() {
        Some("message") => {
            added["content"] = json!([]);
            ("output_text", &item["content"][0]["text"])
        }
        Some("function_call") => {
            added["arguments"] = json!("");
            ("function_call_arguments", &item["arguments"])
        }
        _ => ("", &Value::Null),
    };
    let item_id = &item["id"];
    let mut events =
        vec![json!({ "type": "response.output_item.added", "output_index": index, "item": added })];
    for chunk in chunks(text.as_str().unwrap_or_default()) {
        let name = format!("response.{kind}.delta");
        events.push(
            json!({ "type": name, "item_id": item_id, "output_index": index, "delta": chunk }),
        );
    }
    events
        .push(json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
    events
}

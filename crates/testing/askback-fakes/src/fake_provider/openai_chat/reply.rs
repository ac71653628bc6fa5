//! Completions made from the steps of a script, whole or streamed.

use serde_json::{Value, json};

use super::reasoning_text;
use crate::fake_provider::chunks::{chunks, raw_arguments};
use askback_agent::scripted::ScriptedReply;

pub(in crate::fake_provider) fn completion(body: &Value, reply: &ScriptedReply) -> Value {
    let mut message = json!({ "role": "assistant", "content": null, "refusal": null });
    if !reply.say.is_empty() {
        message["content"] = json!(reply.say);
    }
    if let Some(think) = &reply.think {
        message["reasoning_content"] = json!(reasoning_text(think));
    }
    if !reply.calls.is_empty() {
        let calls = reply.calls.iter().map(|call| {
            json!({
                "id": call.provider_id,
                "type": "function",
                "function": { "name": call.name, "arguments": raw_arguments(&call.input) },
            })
        });
        message["tool_calls"] = calls.collect();
    }
    json!({
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{ "index": 0, "message": message, "finish_reason": finish_reason(reply) }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
    })
}

/// The events of a streamed completion.
pub(in crate::fake_provider) fn events(body: &Value, reply: &ScriptedReply) -> Vec<String> {
    let mut deltas = vec![json!({ "role": "assistant", "content": "" })];
    let reasoning = reply.think.as_ref().map(reasoning_text).unwrap_or_default();
    let deltas_of = |field: &str, text: &str| -> Vec<Value> {
        let chunks = chunks(text).into_iter();
        chunks.map(|chunk| json!({ field: chunk })).collect()
    };
    deltas.extend(deltas_of("reasoning_content", &reasoning));
    deltas.extend(deltas_of("content", &reply.say));
    for (index, call) in reply.calls.iter().enumerate() {
        let start = json!({
            "index": index,
            "id": call.provider_id,
            "type": "function",
            "function": { "name": call.name, "arguments": "" },
        });
        deltas.push(json!({ "tool_calls": [start] }));
        let chunks = deltas_of("arguments", &raw_arguments(&call.input)).into_iter();
        deltas.extend(
            chunks.map(|chunk| json!({ "tool_calls": [{ "index": index, "function": chunk }] })),
        );
    }
    let chunk = |delta: &Value, finish: &Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        let chunk = json!({
            "id": "chatcmpl-fake",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": body["model"],
            "choices": [choice],
        });
        format!("data: {chunk}\n\n")
    };
    let deltas = deltas.iter().map(|delta| chunk(delta, &Value::Null));
    let end = chunk(&json!({}), &json!(finish_reason(reply)));
    deltas.chain([end, "data: [DONE]\n\n".to_owned()]).collect()
}

fn finish_reason(reply: &ScriptedReply) -> &'static str {
    if reply.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    }
}

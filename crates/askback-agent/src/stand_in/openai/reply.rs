//! Replies: the message of a step, at once or in pieces.

use askback_core::conversation::command::RawCall;
use serde_json::{Value, json};

use super::reasoning;
use crate::scripted::Play;
use crate::stand_in::pieces::pieces;

/// A whole reply.
pub(in crate::stand_in) fn completion(body: &Value, play: &Play) -> Value {
    let mut message = json!({ "role": "assistant", "content": null, "refusal": null });
    if !play.say.is_empty() {
        message["content"] = json!(play.say);
    }
    if let Some(think) = &play.think {
        message["reasoning_content"] = json!(reasoning(think));
    }
    if !play.calls.is_empty() {
        let calls = play.calls.iter().map(|call| {
            json!({
                "id": call.provider_id,
                "type": "function",
                "function": { "name": call.name, "arguments": arguments(call) },
            })
        });
        message["tool_calls"] = calls.collect();
    }
    json!({
        "id": "chatcmpl-stand-in",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{ "index": 0, "message": message, "finish_reason": finish_reason(play) }],
        "usage": { "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 },
    })
}

/// The same reply as events.
pub(in crate::stand_in) fn events(body: &Value, play: &Play) -> Vec<String> {
    let mut deltas = vec![json!({ "role": "assistant", "content": "" })];
    let thought = play.think.as_ref().map(reasoning).unwrap_or_default();
    let grow = |field: &str, text: &str| -> Vec<Value> {
        let pieces = pieces(text).into_iter();
        pieces.map(|piece| json!({ field: piece })).collect()
    };
    deltas.extend(grow("reasoning_content", &thought));
    deltas.extend(grow("content", &play.say));
    for (index, call) in play.calls.iter().enumerate() {
        let begin = json!({
            "index": index,
            "id": call.provider_id,
            "type": "function",
            "function": { "name": call.name, "arguments": "" },
        });
        deltas.push(json!({ "tool_calls": [begin] }));
        let pieces = grow("arguments", &arguments(call)).into_iter();
        deltas.extend(
            pieces.map(|piece| json!({ "tool_calls": [{ "index": index, "function": piece }] })),
        );
    }
    let chunk = |delta: &Value, finish: &Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        let chunk = json!({
            "id": "chatcmpl-stand-in",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": body["model"],
            "choices": [choice],
        });
        format!("data: {chunk}\n\n")
    };
    let deltas = deltas.iter().map(|delta| chunk(delta, &Value::Null));
    let end = chunk(&json!({}), &json!(finish_reason(play)));
    deltas.chain([end, "data: [DONE]\n\n".to_owned()]).collect()
}

/// A text is what a model sends that does not manage JSON.
fn arguments(call: &RawCall) -> String {
    let raw = call.input.as_str().map(str::to_owned);
    raw.unwrap_or_else(|| call.input.to_string())
}

fn finish_reason(play: &Play) -> &'static str {
    if play.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    }
}

//! Builds the request body: the history as input items.

use askback_core::conversation::event::{AssistantReply, CallResult};
use askback_core::conversation::history::HistoryEntry;
use askback_engine::ports::{LlmRequest, ToolDefinition};
use serde_json::{Value, json};

use super::{ITEMS, REASONING_PROTOCOL};
use crate::provider::call_ids::CallIds;
use crate::provider::endpoint::Endpoint;
use crate::provider::reasoning;
use crate::provider::reply::{flagged_content, input_object, tool_name};

/// Longest call id that the protocol accepts.
const CALL_ID_CHARS_MAX: usize = 64;

pub(in crate::provider) fn request_body(
    endpoint: &Endpoint,
    model: &str,
    request: &LlmRequest,
) -> Value {
    let mut input = Vec::new();
    let mut ids = CallIds::default();
    for entry in request.history.iter() {
        match entry {
            HistoryEntry::User(text) => input.push(message("user", text.as_str())),
            HistoryEntry::Assistant { reply, results } => {
                let stored = reply.reasoning.as_ref();
                let stored =
                    reasoning::if_from_endpoint(stored, REASONING_PROTOCOL, endpoint, model);
                let ids = ids.for_round(&reply.calls, is_valid_id);
                input.extend(assistant_items(reply, stored, &ids));
                let results = ids.iter().zip(results);
                input.extend(results.map(|(id, result)| result_item(id, result)));
            }
        }
    }
    let mut body = json!({
        "model": model,
        "input": input,
        // The history is ours: nothing depends on what the server keeps.
        "store": false,
    });
    if is_reasoning_model(model) {
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    if !request.system.trim().is_empty() {
        body["instructions"] = json!(request.system);
    }
    if let Some(tokens_max) = request.tokens_max {
        body["max_output_tokens"] = json!(tokens_max);
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter();
        body["tools"] = tools.map(|definition| tool(definition)).collect();
    }
    body
}

/// Whether the model has reasoning to send back. Older models refuse a request that asks for it.
fn is_reasoning_model(model: &str) -> bool {
    let name = model.rsplit('/').next().unwrap_or(model);
    let older = ["gpt-3", "gpt-4", "chatgpt-4", "ft:gpt-3", "ft:gpt-4"];
    !older.iter().any(|prefix| name.starts_with(prefix))
}

/// `strict` is always set: the API's default is true, which other people's schemas may not allow.
fn tool(tool: &ToolDefinition) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "strict": false,
        "parameters": tool.input_schema,
    })
}

/// The text and calls of a reply, with its reasoning items in their original positions.
fn assistant_items(reply: &AssistantReply, stored: Option<&Value>, ids: &[String]) -> Vec<Value> {
    let text = reply.text.as_ref();
    let text = text.map(|text| message("assistant", text.as_str()));
    let calls = reply.calls.iter().zip(ids).map(|(call, id)| {
        json!({
            "type": "function_call",
            "call_id": id,
            "name": tool_name(&call.name),
            "arguments": input_object(&call.input).to_string(),
        })
    });
    let layout = stored.map(|stored| &stored["items"]);
    ITEMS.restore(layout, text, calls)
}

fn message(role: &str, text: &str) -> Value {
    json!({ "type": "message", "role": role, "content": text })
}

fn result_item(id: &str, result: &CallResult) -> Value {
    json!({ "type": "function_call_output", "call_id": id, "output": flagged_content(result) })
}

fn is_valid_id(id: &str) -> bool {
    !id.is_empty() && id.chars().count() <= CALL_ID_CHARS_MAX
}

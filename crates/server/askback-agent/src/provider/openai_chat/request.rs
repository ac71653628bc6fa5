//! Builds the request body: the history as messages, calls followed by their results.

use askback_core::conversation::event::{AssistantReply, CallResult};
use askback_core::conversation::history::HistoryEntry;
use askback_engine::ports::{LlmRequest, ToolDefinition};
use serde_json::{Value, json};

use super::REASONING_PROTOCOL;
use crate::provider::call_ids::CallIds;
use crate::provider::endpoint::Endpoint;
use crate::provider::reasoning;
use crate::provider::reply::{flagged_content, input_object, tool_name};

pub(in crate::provider) fn request_body(
    endpoint: &Endpoint,
    model: &str,
    request: &LlmRequest,
) -> Value {
    let mut messages = Vec::new();
    if !request.system.trim().is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    let mut ids = CallIds::default();
    for entry in request.history.iter() {
        match entry {
            HistoryEntry::User(text) => push_user(&mut messages, text.as_str()),
            HistoryEntry::Assistant { reply, results } => {
                let stored = reply.reasoning.as_ref();
                let stored =
                    reasoning::if_from_endpoint(stored, REASONING_PROTOCOL, endpoint, model);
                let ids = ids.for_round(&reply.calls, |id| !id.is_empty());
                messages.extend(assistant_message(reply, stored, &ids));
                let results = ids.iter().zip(results);
                messages.extend(results.map(|(id, result)| result_message(id, result)));
            }
        }
    }
    let mut body = json!({ "model": model, "messages": messages });
    if let Some(tokens_max) = request.tokens_max {
        // OpenAI's newer models refuse the old name; other servers may not know the new one.
        let field = if endpoint.is_openai() {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        body[field] = json!(tokens_max);
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter();
        body["tools"] = tools.map(|definition| tool(definition)).collect();
    }
    body
}

fn tool(tool: &ToolDefinition) -> Value {
    json!({ "type": "function", "function": {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.input_schema,
    }})
}

/// Adds user text. Consecutive texts share a message, since many chat templates require alternating
/// roles.
fn push_user(messages: &mut Vec<Value>, text: &str) {
    if let Some(last) = messages.last_mut().filter(|last| last["role"] == "user")
        && let Some(before) = last["content"].as_str()
    {
        last["content"] = json!(format!("{before}\n\n{text}"));
        return;
    }
    messages.push(json!({ "role": "user", "content": text }));
}

/// The text and calls of a reply, with its reasoning; `None` if it has neither.
fn assistant_message(
    reply: &AssistantReply,
    stored: Option<&Value>,
    ids: &[String],
) -> Option<Value> {
    if reply.text.is_none() && reply.calls.is_empty() {
        return None;
    }
    let mut message = json!({ "role": "assistant", "content": reply.text });
    let fields = stored.and_then(|stored| stored["message"].as_object());
    for (field, value) in fields.into_iter().flatten() {
        message[field] = value.clone();
    }
    if !reply.calls.is_empty() {
        let calls = reply.calls.iter().zip(ids).enumerate();
        let calls = calls.map(|(index, (call, id))| {
            let mut json = json!({
                "id": id,
                "type": "function",
                "function": {
                    "name": tool_name(&call.name),
                    "arguments": input_object(&call.input).to_string(),
                },
            });
            let extra = stored.map(|stored| &stored["calls"][index]);
            if let Some(extra) = extra.filter(|extra| !extra.is_null()) {
                json["extra_content"] = extra.clone();
            }
            json
        });
        message["tool_calls"] = calls.collect();
    }
    Some(message)
}

fn result_message(id: &str, result: &CallResult) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": flagged_content(result) })
}

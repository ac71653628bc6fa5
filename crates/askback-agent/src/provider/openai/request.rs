//! The request: the history as messages, each call followed by its results.

use askback_core::contract::Flavor;
use askback_core::conversation::event::{AssistantReply, CallResult};
use askback_core::conversation::history::Entry;
use askback_engine::ports::{LlmRequest, ToolDefinition};
use serde_json::{Value, json};

use super::reasoning;
use crate::provider::peer::Peer;
use crate::provider::reply::{as_object, result_content, tool_name};
use crate::provider::settings::Settings;
use crate::provider::tools::strict_schema;
use crate::provider::wire_ids::WireIds;

/// The body of a request.
pub(in crate::provider) fn body(
    settings: &Settings,
    peer: &Peer,
    (model, request): (&str, &LlmRequest),
) -> Value {
    let mut messages = Vec::new();
    if !request.system.trim().is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    let mut ids = WireIds::default();
    for entry in request.history.iter() {
        match entry {
            Entry::User(text) => push_user(&mut messages, text.as_str()),
            Entry::Assistant { reply, results } => {
                let kept = reasoning::from_here(reply.reasoning.as_ref(), peer, model);
                let ids = ids.of_round(&reply.calls, |id| !id.is_empty());
                messages.extend(said(reply, kept, &ids));
                let results = ids.iter().zip(results);
                messages.extend(results.map(|(id, result)| result_message(id, result)));
            }
        }
    }
    let mut body = json!({ "model": model, "messages": messages, "stream": settings.stream });
    if let Some(tokens_max) = request.tokens_max.or(settings.tokens_max) {
        // Newer models of OpenAI refuse the old name; other servers may not know the new one.
        let field = if peer.is_openai_itself() {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        body[field] = json!(tokens_max);
    }
    if !request.tools.is_empty() {
        let tools = request
            .tools
            .iter()
            .map(|definition| tool(settings, definition));
        body["tools"] = tools.collect();
    }
    for (field, value) in &settings.extra {
        body[field] = value.clone();
    }
    body
}

fn tool(settings: &Settings, tool: &ToolDefinition) -> Value {
    let strict = strict_schema(tool, Flavor::OpenAiStrict).filter(|_| settings.strict);
    let is_strict = strict.is_some();
    let mut function = json!({
        "name": tool.name,
        "description": tool.description,
        "parameters": strict.unwrap_or_else(|| tool.input_schema.clone()),
    });
    if is_strict {
        function["strict"] = json!(true);
    }
    json!({ "type": "function", "function": function })
}

/// Adds what the user said. Neighbours share a message, since many chat templates want the roles to
/// alternate.
fn push_user(messages: &mut Vec<Value>, text: &str) {
    if let Some(last) = messages.last_mut().filter(|last| last["role"] == "user")
        && let Some(before) = last["content"].as_str()
    {
        last["content"] = json!(format!("{before}\n\n{text}"));
        return;
    }
    messages.push(json!({ "role": "user", "content": text }));
}

/// What the model said and called, with its reasoning; nothing if it did neither.
fn said(reply: &AssistantReply, kept: Option<&Value>, ids: &[String]) -> Option<Value> {
    if reply.text.is_none() && reply.calls.is_empty() {
        return None;
    }
    let mut message = json!({ "role": "assistant", "content": reply.text });
    let fields = kept.and_then(|kept| kept["message"].as_object());
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
                    "arguments": as_object(&call.input).to_string(),
                },
            });
            let extra = kept.map(|kept| &kept["calls"][index]);
            if let Some(extra) = extra.filter(|extra| !extra.is_null()) {
                json["extra_content"] = extra.clone();
            }
            json
        });
        message["tool_calls"] = calls.collect();
    }
    Some(message)
}

/// A result. The protocol has no mark for errors, so an error says that it is one.
fn result_message(id: &str, result: &CallResult) -> Value {
    let content = result_content(&result.content);
    let content = if result.is_error && !content.to_lowercase().starts_with("error") {
        format!("Error: {content}")
    } else {
        content.to_owned()
    };
    json!({ "role": "tool", "tool_call_id": id, "content": content })
}

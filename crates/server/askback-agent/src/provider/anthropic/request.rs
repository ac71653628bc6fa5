//! Builds the request body: the history as messages of content blocks.
//!
//! Roles must alternate, so consecutive entries of one role share a message. Tool results come first
//! in the user message that follows their calls, and the user's own text comes after them.

use std::collections::BTreeSet;

use askback_core::conversation::event::{AssistantReply, CallResult};
use askback_core::conversation::history::HistoryEntry;
use askback_engine::ports::{LlmRequest, ToolDefinition};
use serde_json::{Value, json};

use super::{BLOCKS, REASONING_PROTOCOL};
use crate::provider::call_ids::CallIds;
use crate::provider::reply::{input_object, result_content, tool_name};

/// Used if no limit is set: the protocol requires one.
const TOKENS_MAX: u32 = 16_384;

pub(in crate::provider) fn request_body(model: &str, request: &LlmRequest) -> Value {
    let mut body = json!({
        "model": model,
        "max_tokens": request.tokens_max.unwrap_or(TOKENS_MAX),
        "messages": messages(&request.history),
    });
    if !request.system.trim().is_empty() {
        let block = json!({ "type": "text", "text": request.system });
        body["system"] = json!([with_cache_control(block)]);
    }
    let tools = request.tools.iter();
    let mut tools: Vec<Value> = tools.map(|definition| tool(definition)).collect();
    if tools.is_empty() {
        tools = removed_tools(&request.history);
    }
    if !tools.is_empty() {
        body["tools"] = Value::Array(tools);
    }
    body
}

fn tool(tool: &ToolDefinition) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.input_schema,
    })
}

/// Definitions of tools that were called earlier and are no longer available. The protocol refuses a
/// history with calls if the request defines no tools.
fn removed_tools(history: &[HistoryEntry]) -> Vec<Value> {
    let mut names = BTreeSet::new();
    for entry in history {
        if let HistoryEntry::Assistant { reply, .. } = entry {
            names.extend(reply.calls.iter().map(|call| tool_name(&call.name)));
        }
    }
    let definition = |name| {
        json!({
            "name": name,
            "description": "No longer available. Do not call it.",
            "input_schema": { "type": "object" },
        })
    };
    names.into_iter().map(definition).collect()
}

fn messages(history: &[HistoryEntry]) -> Vec<Value> {
    let mut messages = Messages::default();
    let mut ids = CallIds::default();
    for entry in history {
        match entry {
            HistoryEntry::User(text) => messages.push("user", vec![text_block(text.as_str())]),
            HistoryEntry::Assistant { reply, results } => {
                let ids = ids.for_round(&reply.calls, is_valid_id);
                messages.push("assistant", assistant_blocks(reply, &ids));
                let results = ids.iter().zip(results);
                messages.push(
                    "user",
                    results
                        .map(|(id, result)| result_block(id, result))
                        .collect(),
                );
            }
        }
    }
    messages.into_json()
}

#[derive(Default)]
struct Messages(Vec<(&'static str, Vec<Value>)>);

impl Messages {
    /// Adds blocks to the last message if it has this role, otherwise to a new one.
    fn push(&mut self, role: &'static str, blocks: Vec<Value>) {
        if blocks.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some((last_role, content)) if *last_role == role => content.extend(blocks),
            _ => self.0.push((role, blocks)),
        }
    }

    fn into_json(mut self) -> Vec<Value> {
        // The next request starts with the same messages, so the provider can cache up to here.
        if let Some(last) = self.0.last_mut().and_then(|(_, blocks)| blocks.last_mut()) {
            *last = with_cache_control(last.take());
        }
        let messages = self.0.into_iter();
        messages
            .map(|(role, blocks)| json!({ "role": role, "content": blocks }))
            .collect()
    }
}

/// The text and calls of a reply, with its reasoning blocks in their original positions.
fn assistant_blocks(reply: &AssistantReply, ids: &[String]) -> Vec<Value> {
    let text = reply.text.as_ref().map(|text| text_block(text.as_str()));
    let calls = reply.calls.iter().zip(ids).map(|(call, id)| {
        json!({
            "type": "tool_use",
            "id": id,
            "name": tool_name(&call.name),
            "input": input_object(&call.input),
        })
    });
    let reasoning = reply
        .reasoning
        .as_ref()
        .filter(|stored| stored["wire"] == REASONING_PROTOCOL);
    let layout = reasoning.map(|stored| &stored["blocks"]);
    BLOCKS.restore(layout, text, calls)
}

fn result_block(id: &str, result: &CallResult) -> Value {
    let mut block = json!({
        "type": "tool_result",
        "tool_use_id": id,
        "content": result_content(&result.content),
    });
    if result.is_error {
        block["is_error"] = json!(true);
    }
    block
}

fn text_block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

/// Lets the provider cache the request up to and including this block.
fn with_cache_control(mut block: Value) -> Value {
    if block.is_object() {
        block["cache_control"] = json!({ "type": "ephemeral" });
    }
    block
}

fn is_valid_id(id: &str) -> bool {
    let allowed = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-');
    !id.is_empty() && id.chars().all(allowed)
}

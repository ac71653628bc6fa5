//! The request: the history as turns of blocks.
//!
//! Roles alternate, so neighbours of one role share a turn: results come first in the turn that
//! follows their calls, and what the user says next stands behind them.

use std::collections::BTreeSet;

use askback_core::contract::Flavor;
use askback_core::conversation::event::{AssistantReply, CallResult};
use askback_core::conversation::history::Entry;
use askback_engine::ports::{LlmRequest, ToolDefinition};
use serde_json::{Value, json};

use super::MARK;
use crate::provider::reply::{as_object, result_content, tool_name};
use crate::provider::settings::Settings;
use crate::provider::tools::strict_schema;
use crate::provider::wire_ids::WireIds;

/// Tokens of a reply if nobody says; the protocol wants a number.
const TOKENS_MAX: u32 = 16_384;

/// The body of a request.
pub(in crate::provider) fn body(settings: &Settings, model: &str, request: &LlmRequest) -> Value {
    let tokens_max = request.tokens_max.or(settings.tokens_max);
    let mut body = json!({
        "model": model,
        "max_tokens": tokens_max.unwrap_or(TOKENS_MAX),
        "messages": messages(&request.history),
        "stream": settings.stream,
    });
    if !request.system.trim().is_empty() {
        let block = json!({ "type": "text", "text": request.system });
        body["system"] = json!([cached(block)]);
    }
    let mut tools: Vec<Value> = request
        .tools
        .iter()
        .map(|definition| tool(settings, definition))
        .collect();
    if tools.is_empty() {
        tools = gone_tools(&request.history);
    }
    if !tools.is_empty() {
        body["tools"] = Value::Array(tools);
    }
    for (field, value) in &settings.extra {
        body[field] = value.clone();
    }
    body
}

fn tool(settings: &Settings, tool: &ToolDefinition) -> Value {
    let strict = strict_schema(tool, Flavor::AnthropicStrict).filter(|_| settings.strict);
    let is_strict = strict.is_some();
    let mut json = json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": strict.unwrap_or_else(|| tool.input_schema.clone()),
    });
    if is_strict {
        json["strict"] = json!(true);
    }
    json
}

/// Tools that were called and are offered no more. The protocol takes a history with calls only
/// together with some tools.
fn gone_tools(history: &[Entry]) -> Vec<Value> {
    let mut names = BTreeSet::new();
    for entry in history {
        if let Entry::Assistant { reply, .. } = entry {
            names.extend(reply.calls.iter().map(|call| tool_name(&call.name)));
        }
    }
    let gone = |name| {
        json!({
            "name": name,
            "description": "Not available any more. Do not call it.",
            "input_schema": { "type": "object" },
        })
    };
    names.into_iter().map(gone).collect()
}

fn messages(history: &[Entry]) -> Vec<Value> {
    let mut turns = Turns::default();
    let mut ids = WireIds::default();
    for entry in history {
        match entry {
            Entry::User(text) => turns.push("user", vec![text_block(text.as_str())]),
            Entry::Assistant { reply, results } => {
                let ids = ids.of_round(&reply.calls, fits);
                turns.push("assistant", said(reply, &ids));
                let results = ids.iter().zip(results);
                turns.push(
                    "user",
                    results
                        .map(|(id, result)| result_block(id, result))
                        .collect(),
                );
            }
        }
    }
    turns.into_messages()
}

/// Turns in the making.
#[derive(Default)]
struct Turns(Vec<(&'static str, Vec<Value>)>);

impl Turns {
    /// Adds blocks to the turn of a role, which is the open one or a new one.
    fn push(&mut self, role: &'static str, blocks: Vec<Value>) {
        if blocks.is_empty() {
            return;
        }
        match self.0.last_mut() {
            Some((open, turn)) if *open == role => turn.extend(blocks),
            _ => self.0.push((role, blocks)),
        }
    }

    fn into_messages(mut self) -> Vec<Value> {
        // All up to here is the same in the next request, so the provider need not read it again.
        if let Some(last) = self.0.last_mut().and_then(|(_, blocks)| blocks.last_mut()) {
            *last = cached(last.take());
        }
        let turns = self.0.into_iter();
        turns
            .map(|(role, blocks)| json!({ "role": role, "content": blocks }))
            .collect()
    }
}

/// What the model said and called, with its reasoning where it stood.
fn said(reply: &AssistantReply, ids: &[String]) -> Vec<Value> {
    let mut text = reply.text.as_ref().map(|text| text_block(text.as_str()));
    let mut calls = reply.calls.iter().zip(ids).map(|(call, id)| {
        json!({
            "type": "tool_use",
            "id": id,
            "name": tool_name(&call.name),
            "input": as_object(&call.input),
        })
    });
    let reasoning = reply.reasoning.as_ref().filter(|kept| kept["wire"] == MARK);
    let layout = reasoning.and_then(|kept| kept["blocks"].as_array());
    let mut blocks: Vec<Value> = Vec::new();
    for block in layout.into_iter().flatten() {
        match block["type"].as_str() {
            Some("tool_use") => blocks.extend(calls.next()),
            Some("text") if block.get("text").is_none() => blocks.extend(text.take()),
            Some("text") => {
                text = None;
                let piece = block["text"].as_str().unwrap_or_default();
                if !piece.trim().is_empty() {
                    blocks.push(block.clone());
                }
            }
            _ => blocks.push(block.clone()),
        }
    }
    blocks.extend(text);
    blocks.extend(calls);
    blocks
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

/// A block up to which the provider may keep what it has read.
fn cached(mut block: Value) -> Value {
    if block.is_object() {
        block["cache_control"] = json!({ "type": "ephemeral" });
    }
    block
}

/// Whether an id is one that the protocol takes.
fn fits(id: &str) -> bool {
    let fits = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-');
    !id.is_empty() && id.chars().all(fits)
}

//! Refuses invalid requests in the words of the real server.

use std::collections::BTreeSet;

use askback_core::conversation::event::{AssistantReply, CallResult, ToolCall};
use askback_core::conversation::history::HistoryEntry;
use askback_core::id::CallId;
use askback_core::text::{Lines, Text};
use serde_json::Value;

use super::{signature, thinking_block};
use crate::fake_provider::FakeProviderOptions;
use crate::fake_provider::api_error::{ApiError, require};
use crate::fake_provider::http::Request;

/// The history in a request, if the request is valid.
pub(in crate::fake_provider) fn validate(
    options: &FakeProviderOptions,
    request: &Request,
    body: &Value,
) -> Result<Vec<HistoryEntry>, ApiError> {
    let key = request.header("x-api-key");
    if options.key.is_some() && key != options.key.as_deref() {
        return Err(ApiError::new(401, "invalid x-api-key"));
    }
    require(request.header("anthropic-version").is_some(), || {
        "anthropic-version: header is required".to_owned()
    })?;
    let model = body["model"].as_str().unwrap_or_default();
    if !options.models.is_empty() && !options.models.iter().any(|known| known == model) {
        return Err(ApiError::not_found(&format!("model: {model}")));
    }
    require(
        body["max_tokens"].as_u64().is_some_and(|max| max > 0),
        || "max_tokens: Field required".to_owned(),
    )?;
    check_tools(body)?;
    let mut validator = Validator {
        options,
        history: Vec::new(),
        ids: BTreeSet::new(),
    };
    validator.messages(body)?;
    Ok(validator.history)
}

fn check_tools(body: &Value) -> Result<(), ApiError> {
    let tools = list(&body["tools"]);
    for (index, tool) in tools.iter().enumerate() {
        require(is_name(tool["name"].as_str().unwrap_or_default()), || {
            format!(
                "tools.{index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
            )
        })?;
        require(tool["input_schema"]["type"] == "object", || {
            format!("tools.{index}.custom.input_schema.type: Input should be 'object'")
        })?;
    }
    let mut blocks = list(&body["messages"])
        .iter()
        .flat_map(|message| list(&message["content"]));
    let uses = blocks.any(|block| block["type"] == "tool_use" || block["type"] == "tool_result");
    require(!uses || !tools.is_empty(), || {
        "Requests which include `tool_use` or `tool_result` blocks must define tools".to_owned()
    })
}

struct Validator<'a> {
    options: &'a FakeProviderOptions,
    history: Vec<HistoryEntry>,
    ids: BTreeSet<String>,
}

impl Validator<'_> {
    fn messages(&mut self, body: &Value) -> Result<(), ApiError> {
        let messages = list(&body["messages"]);
        require(!messages.is_empty(), || {
            "messages: at least one message is required".to_owned()
        })?;
        for (index, message) in messages.iter().enumerate() {
            let role = if index % 2 == 0 { "user" } else { "assistant" };
            require(message["role"] == role, || {
                format!("messages.{index}: roles must alternate between \"user\" and \"assistant\"")
            })?;
            let content = blocks(&message["content"]);
            require(!content.is_empty(), || {
                format!("messages.{index}: all messages must have non-empty content")
            })?;
            check_texts(index, &content)?;
            if role == "user" {
                self.user_message(index, &content)?;
            } else {
                self.assistant_message(index, &content)?;
            }
        }
        require(messages.len() % 2 == 1, || {
            let open = self.open_calls().join(", ");
            format!("messages: the last one must be of the user; open calls: {open}")
        })
    }

    fn assistant_message(&mut self, index: usize, content: &[Value]) -> Result<(), ApiError> {
        self.check_reasoning(index, content)?;
        let mut calls = Vec::new();
        for (position, block) in content.iter().enumerate() {
            if block["type"] == "tool_use" {
                calls.push(self.call(&format!("messages.{index}.content.{position}"), block)?);
            }
        }
        let texts = content.iter().filter_map(|block| block["text"].as_str());
        self.history.push(HistoryEntry::Assistant {
            reply: AssistantReply {
                text: Text::clean(&texts.collect::<String>(), Lines::Many),
                reasoning: None,
                calls,
            },
            results: Vec::new(),
        });
        Ok(())
    }

    fn call(&mut self, path: &str, block: &Value) -> Result<ToolCall, ApiError> {
        let id = block["id"].as_str().unwrap_or_default();
        let name = block["name"].as_str().unwrap_or_default();
        require(is_name(id) && is_name(name), || {
            format!("{path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
        })?;
        require(self.ids.insert(id.to_owned()), || {
            format!("{path}: `tool_use` ids must be unique")
        })?;
        require(block["input"].is_object(), || {
            format!("{path}.tool_use.input: Input should be a valid dictionary")
        })?;
        Ok(ToolCall {
            id: CallId::new(id),
            provider_id: id.to_owned(),
            name: name.to_owned(),
            input: block["input"].clone(),
        })
    }

    /// Reasoning that led to calls must have been sent back unchanged.
    fn check_reasoning(&self, index: usize, content: &[Value]) -> Result<(), ApiError> {
        for block in content.iter().filter(|block| block["type"] == "thinking") {
            let text = block["thinking"].as_str().unwrap_or_default();
            require(block["signature"] == signature(text).as_str(), || {
                format!("messages.{index}.content: Invalid `signature` in `thinking` block")
            })?;
        }
        let sent = self.options.script.next_reply(&self.history).ok();
        let calls = content.iter().any(|block| block["type"] == "tool_use");
        match sent.and_then(|reply| reply.think) {
            Some(think) if calls => require(content[0] == thinking_block(&think), || {
                format!(
                    "messages.{index}.content.0.type: Expected `thinking` or `redacted_thinking`, \
                     but found `{}`",
                    content[0]["type"].as_str().unwrap_or_default()
                )
            }),
            _ => Ok(()),
        }
    }

    fn user_message(&mut self, index: usize, content: &[Value]) -> Result<(), ApiError> {
        let is_result = |block: &&Value| block["type"] == "tool_result";
        let results: Vec<&Value> = content.iter().filter(is_result).collect();
        let leading = content.iter().take_while(is_result).count();
        let open = self.open_calls();
        let mut missing: Vec<&str> = open.iter().map(String::as_str).collect();
        for result in &results {
            let id = result["tool_use_id"].as_str().unwrap_or_default();
            require(open.iter().any(|call| call == id), || {
                format!(
                    "messages.{index}.content.0: unexpected `tool_use_id` found in `tool_result` \
                     blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` \
                     block in the previous message."
                )
            })?;
            require(missing.contains(&id), || {
                format!(
                    "messages.{index}.content.0: each tool_use must have a single result. Found \
                     multiple `tool_result` blocks with id: {id}"
                )
            })?;
            missing.retain(|call| *call != id);
        }
        // The real server ignores results that follow a text.
        require(missing.is_empty() && leading == results.len(), || {
            format!(
                "messages.{index}: `tool_use` ids were found without `tool_result` blocks \
                 immediately after: {}. Each `tool_use` block must have a corresponding \
                 `tool_result` block in the next message.",
                open.join(", ")
            )
        })?;
        self.attach_results(&open, &results);
        let texts = content.iter().filter(|block| block["type"] == "text");
        let texts = texts.filter_map(|block| Text::clean(block["text"].as_str()?, Lines::Many));
        self.history.extend(texts.map(HistoryEntry::User));
        Ok(())
    }

    fn open_calls(&self) -> Vec<String> {
        match self.history.last() {
            Some(HistoryEntry::Assistant { reply, .. }) => {
                let calls = reply.calls.iter();
                calls.map(|call| call.provider_id.clone()).collect()
            }
            Some(HistoryEntry::User(_)) | None => Vec::new(),
        }
    }

    fn attach_results(&mut self, open: &[String], sent: &[&Value]) {
        let Some(HistoryEntry::Assistant { results, .. }) = self.history.last_mut() else {
            return;
        };
        let result = |id: &String| {
            let block = sent
                .iter()
                .find(|block| block["tool_use_id"] == id.as_str())?;
            let blocks = blocks(&block["content"]);
            let texts = blocks.iter().filter_map(|block| block["text"].as_str());
            Some(CallResult {
                content: texts.collect(),
                is_error: block["is_error"] == true,
            })
        };
        *results = open.iter().filter_map(result).collect();
    }
}

fn check_texts(index: usize, content: &[Value]) -> Result<(), ApiError> {
    for (position, block) in content.iter().enumerate() {
        let blank = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
        require(block["type"] != "text" || !blank(&block["text"]), || {
            format!(
                "messages.{index}.content.{position}: text content blocks must contain non-whitespace text"
            )
        })?;
        require(
            block["type"] != "tool_result" || !blank(&block["content"]),
            || {
                format!(
                    "messages.{index}.content.{position}: tool_result content must be non-empty"
                )
            },
        )?;
    }
    Ok(())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Content may be a string or a list of blocks.
fn blocks(content: &Value) -> Vec<Value> {
    match content.as_str() {
        Some(text) => vec![serde_json::json!({ "type": "text", "text": text })],
        None => list(content).to_vec(),
    }
}

fn is_name(name: &str) -> bool {
    let allowed = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-');
    !name.is_empty() && name.len() <= 128 && name.chars().all(allowed)
}

//! Refuses invalid requests in the words of the real servers.

use askback_core::conversation::event::{AssistantReply, CallResult, ToolCall};
use askback_core::conversation::history::HistoryEntry;
use askback_core::id::CallId;
use askback_core::text::{Lines, Text};
use serde_json::Value;

use super::reasoning_text;
use crate::fake_provider::FakeProviderOptions;
use crate::fake_provider::api_error::{ApiError, require};
use crate::fake_provider::http::Request;

/// The history in a request, if the request is valid.
pub(in crate::fake_provider) fn validate(
    options: &FakeProviderOptions,
    request: &Request,
    body: &Value,
) -> Result<Vec<HistoryEntry>, ApiError> {
    check_key_and_model(options, request, body)?;
    check_tools(body)?;
    let messages = list(&body["messages"]);
    require(!messages.is_empty(), || {
        "'messages' must contain at least one message.".to_owned()
    })?;
    let mut validator = Validator {
        options,
        history: Vec::new(),
        open_calls: Vec::new(),
    };
    for (index, message) in messages.iter().enumerate() {
        validator.message(index, message)?;
    }
    validator.require_closed()?;
    require(
        messages
            .last()
            .is_some_and(|last| last["role"] != "assistant"),
        || "The last message must not be of the assistant.".to_owned(),
    )?;
    Ok(validator.history)
}

pub(in crate::fake_provider) fn check_key_and_model(
    options: &FakeProviderOptions,
    request: &Request,
    body: &Value,
) -> Result<(), ApiError> {
    let authorization = request.header("authorization").unwrap_or_default();
    let key = authorization.strip_prefix("Bearer ");
    if options.key.is_some() && key != options.key.as_deref() {
        let message = format!("Incorrect API key provided: {}.", key.unwrap_or_default());
        return Err(ApiError::new(401, &message));
    }
    let model = body["model"].as_str().unwrap_or_default();
    if !options.models.is_empty() && !options.models.iter().any(|known| known == model) {
        let message =
            format!("The model `{model}` does not exist or you do not have access to it.");
        return Err(ApiError::not_found(&message));
    }
    Ok(())
}

fn check_tools(body: &Value) -> Result<(), ApiError> {
    for (index, tool) in list(&body["tools"]).iter().enumerate() {
        let function = &tool["function"];
        let named = is_name(function["name"].as_str().unwrap_or_default());
        require(tool["type"] == "function" && named, || {
            format!("Invalid 'tools[{index}].function.name': string does not match pattern")
        })?;
        require(function["parameters"]["type"] == "object", || {
            format!("Invalid schema for function 'tools[{index}]': schema must be of type object")
        })?;
    }
    Ok(())
}

struct Validator<'a> {
    options: &'a FakeProviderOptions,
    history: Vec<HistoryEntry>,
    /// Calls without a result.
    open_calls: Vec<String>,
}

impl Validator<'_> {
    fn message(&mut self, index: usize, message: &Value) -> Result<(), ApiError> {
        let role = message["role"].as_str().unwrap_or_default();
        if role != "tool" {
            self.require_closed()?;
        }
        let content = message["content"].as_str().unwrap_or_default();
        let calls = role == "assistant" && message["tool_calls"].is_array();
        require(
            !content.trim().is_empty() || (calls && message["content"].is_null()),
            || {
                format!(
                    "Invalid value for 'content' of messages[{index}]: expected a non-empty string."
                )
            },
        )?;
        match role {
            "system" => Ok(()),
            "user" => {
                let text = Text::clean(content, Lines::Many);
                self.history.extend(text.map(HistoryEntry::User));
                Ok(())
            }
            "assistant" => self.assistant_message(index, message),
            "tool" => self.tool_result(message, content),
            _ => Err(ApiError::bad_request(&format!(
                "Invalid value: '{role}' is not a role."
            ))),
        }
    }

    fn assistant_message(&mut self, index: usize, message: &Value) -> Result<(), ApiError> {
        let sent = list(&message["tool_calls"]);
        require(
            message.get("tool_calls").is_none() || !sent.is_empty(),
            || format!("Invalid 'messages[{index}].tool_calls': empty array."),
        )?;
        self.check_reasoning(index, message)?;
        let mut calls = Vec::new();
        for call in sent {
            calls.push(read_call(index, call)?);
        }
        self.open_calls = calls.iter().map(|call| call.provider_id.clone()).collect();
        let content = message["content"].as_str().unwrap_or_default();
        self.history.push(HistoryEntry::Assistant {
            reply: AssistantReply {
                text: Text::clean(content, Lines::Many),
                reasoning: None,
                calls,
            },
            results: Vec::new(),
        });
        Ok(())
    }

    /// Reasoning that led to calls must be sent back unchanged. Without it, the field is unknown.
    fn check_reasoning(&self, index: usize, message: &Value) -> Result<(), ApiError> {
        let received = message.get("reasoning_content");
        let sent = self.options.script.next_reply(&self.history).ok();
        match sent.and_then(|reply| reply.think) {
            Some(think) => {
                let wanted = Value::String(reasoning_text(&think));
                let needed = message["tool_calls"].is_array();
                require(
                    received == Some(&wanted) || (received.is_none() && !needed),
                    || {
                        format!(
                            "thinking is enabled but reasoning_content is missing in assistant tool \
                         call message at index {index}"
                        )
                    },
                )
            }
            None => require(received.is_none(), || {
                format!("'messages.{index}' : property 'reasoning_content' is unsupported")
            }),
        }
    }

    fn tool_result(&mut self, message: &Value, content: &str) -> Result<(), ApiError> {
        let id = message["tool_call_id"].as_str().unwrap_or_default();
        let Some(HistoryEntry::Assistant { reply, results }) = self.history.last_mut() else {
            return Err(ApiError::bad_request(
                "messages with role 'tool' must be a response to a preceeding message with \
                 'tool_calls'.",
            ));
        };
        let position = self.open_calls.iter().position(|open| open == id);
        let Some(position) = position else {
            return Err(ApiError::bad_request(&format!(
                "'tool_call_id' {id} was not found in the 'tool_calls' of the previous message, or \
                 has a result already."
            )));
        };
        self.open_calls.remove(position);
        let in_order = reply.calls.get(results.len());
        require(in_order.is_some_and(|call| call.provider_id == id), || {
            "results must be in the order of their calls.".to_owned()
        })?;
        results.push(CallResult {
            content: content.to_owned(),
            is_error: content.starts_with("Error: "),
        });
        Ok(())
    }

    fn require_closed(&self) -> Result<(), ApiError> {
        require(self.open_calls.is_empty(), || {
            format!(
                "An assistant message with 'tool_calls' must be followed by tool messages \
                 responding to each 'tool_call_id'. The following tool_call_ids did not have \
                 response messages: {}",
                self.open_calls.join(", ")
            )
        })
    }
}

fn read_call(index: usize, call: &Value) -> Result<ToolCall, ApiError> {
    let id = call["id"].as_str().unwrap_or_default();
    let function = &call["function"];
    let name = function["name"].as_str().unwrap_or_default();
    require(
        !id.is_empty() && call["type"] == "function" && is_name(name),
        || format!("Invalid 'messages[{index}].tool_calls': id, type and name are required."),
    )?;
    let arguments = function["arguments"].as_str().unwrap_or_default();
    let input: Option<Value> = serde_json::from_str(arguments).ok();
    let input = input.filter(Value::is_object).ok_or_else(|| {
        ApiError::bad_request(&format!(
            "Invalid 'messages[{index}].tool_calls': arguments must be JSON."
        ))
    })?;
    Ok(ToolCall {
        id: CallId::new(id),
        provider_id: id.to_owned(),
        name: name.to_owned(),
        input,
    })
}

pub(in crate::fake_provider) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(in crate::fake_provider) fn is_name(name: &str) -> bool {
    let allowed = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-');
    !name.is_empty() && name.len() <= 64 && name.chars().all(allowed)
}

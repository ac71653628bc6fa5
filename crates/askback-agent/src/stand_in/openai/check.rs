//! What is refused, as the real servers refuse it.

use askback_core::conversation::event::{AssistantReply, CallResult, ToolCall};
use askback_core::conversation::history::Entry;
use askback_core::id::CallId;
use askback_core::text::{Lines, Text};
use serde_json::Value;

use super::reasoning;
use crate::stand_in::Options;
use crate::stand_in::http::Request;
use crate::stand_in::refusal::{Refusal, require};

/// Checks a request and gives the history in it.
pub(in crate::stand_in) fn check(
    options: &Options,
    request: &Request,
    body: &Value,
) -> Result<Vec<Entry>, Refusal> {
    let authorization = request.header("authorization").unwrap_or_default();
    let key = authorization.strip_prefix("Bearer ");
    if options.key.is_some() && key != options.key.as_deref() {
        let message = format!("Incorrect API key provided: {}.", key.unwrap_or_default());
        return Err(Refusal::new(401, &message));
    }
    let model = body["model"].as_str().unwrap_or_default();
    if !options.models.is_empty() && !options.models.iter().any(|known| known == model) {
        let message =
            format!("The model `{model}` does not exist or you do not have access to it.");
        return Err(Refusal::not_found(&message));
    }
    check_tools(body)?;
    let messages = list(&body["messages"]);
    require(!messages.is_empty(), || {
        "'messages' must contain at least one message.".to_owned()
    })?;
    let mut checker = Checker {
        options,
        history: Vec::new(),
        open: Vec::new(),
    };
    for (index, message) in messages.iter().enumerate() {
        checker.message(index, message)?;
    }
    checker.require_closed()?;
    require(
        messages
            .last()
            .is_some_and(|last| last["role"] != "assistant"),
        || "The last message must not be of the assistant.".to_owned(),
    )?;
    Ok(checker.history)
}

fn check_tools(body: &Value) -> Result<(), Refusal> {
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

struct Checker<'a> {
    options: &'a Options,
    history: Vec<Entry>,
    /// The calls that have no result yet.
    open: Vec<String>,
}

impl Checker<'_> {
    fn message(&mut self, index: usize, message: &Value) -> Result<(), Refusal> {
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
                self.history.extend(text.map(Entry::User));
                Ok(())
            }
            "assistant" => self.assistant(index, message),
            "tool" => self.result(message, content),
            _ => Err(Refusal::bad(&format!(
                "Invalid value: '{role}' is not a role."
            ))),
        }
    }

    fn assistant(&mut self, index: usize, message: &Value) -> Result<(), Refusal> {
        let sent = list(&message["tool_calls"]);
        require(
            message.get("tool_calls").is_none() || !sent.is_empty(),
            || format!("Invalid 'messages[{index}].tool_calls': empty array."),
        )?;
        self.thinking(index, message)?;
        let mut calls = Vec::new();
        for call in sent {
            calls.push(read_call(index, call)?);
        }
        self.open = calls.iter().map(|call| call.provider_id.clone()).collect();
        let content = message["content"].as_str().unwrap_or_default();
        self.history.push(Entry::Assistant {
            reply: AssistantReply {
                text: Text::clean(content, Lines::Many),
                reasoning: None,
                calls,
            },
            results: Vec::new(),
        });
        Ok(())
    }

    /// What the script thought before it called something must come back as it was; a server that
    /// never thought knows no such field.
    fn thinking(&self, index: usize, message: &Value) -> Result<(), Refusal> {
        let came = message.get("reasoning_content");
        let sent = self.options.script.next(&self.history).ok();
        match sent.and_then(|play| play.think) {
            Some(think) => {
                let wanted = Value::String(reasoning(&think));
                let needed = message["tool_calls"].is_array();
                require(came == Some(&wanted) || (came.is_none() && !needed), || {
                    format!(
                        "thinking is enabled but reasoning_content is missing in assistant tool \
                         call message at index {index}"
                    )
                })
            }
            None => require(came.is_none(), || {
                format!("'messages.{index}' : property 'reasoning_content' is unsupported")
            }),
        }
    }

    fn result(&mut self, message: &Value, content: &str) -> Result<(), Refusal> {
        let id = message["tool_call_id"].as_str().unwrap_or_default();
        let Some(Entry::Assistant { reply, results }) = self.history.last_mut() else {
            return Err(Refusal::bad(
                "messages with role 'tool' must be a response to a preceeding message with \
                 'tool_calls'.",
            ));
        };
        let position = self.open.iter().position(|open| open == id);
        let Some(position) = position else {
            return Err(Refusal::bad(&format!(
                "'tool_call_id' {id} was not found in the 'tool_calls' of the previous message, or \
                 has a result already."
            )));
        };
        self.open.remove(position);
        let in_order = reply.calls.get(results.len());
        require(in_order.is_some_and(|call| call.provider_id == id), || {
            "results must stand in the order of their calls.".to_owned()
        })?;
        results.push(CallResult {
            content: content.to_owned(),
            is_error: content.starts_with("Error: "),
        });
        Ok(())
    }

    fn require_closed(&self) -> Result<(), Refusal> {
        require(self.open.is_empty(), || {
            format!(
                "An assistant message with 'tool_calls' must be followed by tool messages \
                 responding to each 'tool_call_id'. The following tool_call_ids did not have \
                 response messages: {}",
                self.open.join(", ")
            )
        })
    }
}

fn read_call(index: usize, call: &Value) -> Result<ToolCall, Refusal> {
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
        Refusal::bad(&format!(
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

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn is_name(name: &str) -> bool {
    let fits = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-');
    !name.is_empty() && name.len() <= 64 && name.chars().all(fits)
}

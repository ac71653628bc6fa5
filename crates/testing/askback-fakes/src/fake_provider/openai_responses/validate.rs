//! Refuses invalid requests in the words of the real server.

use askback_core::conversation::event::{AssistantReply, CallResult, ToolCall};
use askback_core::conversation::history::HistoryEntry;
use askback_core::id::CallId;
use askback_core::text::{Lines, Text};
use serde_json::Value;

use super::reasoning_item;
use crate::fake_provider::FakeProviderOptions;
use crate::fake_provider::api_error::{ApiError, require};
use crate::fake_provider::http::Request;
use crate::fake_provider::openai_chat::{check_key_and_model, is_name, list};

/// The history in a request, if the request is valid.
pub(in crate::fake_provider) fn validate(
    options: &FakeProviderOptions,
    request: &Request,
    body: &Value,
) -> Result<Vec<HistoryEntry>, ApiError> {
    check_key_and_model(options, request, body)?;
    check_tools(body)?;
    require(body["store"] == false, || {
        "this server stores nothing: 'store' must be false.".to_owned()
    })?;
    let input = list(&body["input"]);
    require(!input.is_empty(), || {
        "Missing required parameter: 'input'.".to_owned()
    })?;
    let mut validator = Validator {
        options,
        history: Vec::new(),
        open_calls: Vec::new(),
        reasoning: None,
        in_reply: false,
    };
    for (index, item) in input.iter().enumerate() {
        validator.item(index, item)?;
    }
    validator.require_closed()?;
    Ok(validator.history)
}

fn check_tools(body: &Value) -> Result<(), ApiError> {
    for (index, tool) in list(&body["tools"]).iter().enumerate() {
        let named = is_name(tool["name"].as_str().unwrap_or_default());
        require(tool["type"] == "function" && named, || {
            format!("Invalid 'tools[{index}].name': string does not match pattern")
        })?;
        require(
            tool["parameters"]["type"] == "object" && tool["strict"].is_boolean(),
            || format!("Invalid schema for function 'tools[{index}]'."),
        )?;
    }
    Ok(())
}

struct Validator<'a> {
    options: &'a FakeProviderOptions,
    history: Vec<HistoryEntry>,
    /// Calls without a result.
    open_calls: Vec<String>,
    /// The reasoning item of the reply that is being read.
    reasoning: Option<Value>,
    /// Whether the last item was part of a reply.
    in_reply: bool,
}

impl Validator<'_> {
    fn item(&mut self, index: usize, item: &Value) -> Result<(), ApiError> {
        let content = item["content"].as_str().unwrap_or_default();
        let of_reply = match (item["type"].as_str(), item["role"].as_str()) {
            (Some("reasoning" | "function_call"), _) | (Some("message"), Some("assistant")) => true,
            (Some("message"), Some("user")) | (Some("function_call_output"), _) => false,
            _ => {
                return Err(ApiError::bad_request(&format!(
                    "Invalid value: 'input[{index}].type'."
                )));
            }
        };
        if of_reply && !self.in_reply {
            self.require_closed()?;
            self.reasoning = None;
        }
        self.in_reply = of_reply;
        match item["type"].as_str() {
            Some("reasoning") => {
                self.reasoning = Some(item.clone());
                require(self.expected_reasoning().as_ref() == Some(item), || {
                    "The encrypted content could not be verified.".to_owned()
                })
            }
            Some("function_call") => self.call(index, item),
            Some("function_call_output") => self.result(item),
            _ => {
                require(!content.trim().is_empty(), || {
                    format!("Invalid 'input[{index}].content': empty string.")
                })?;
                let text = Text::clean(content, Lines::Many);
                if of_reply {
                    self.reply().text = text;
                    return Ok(());
                }
                self.require_closed()?;
                self.history.extend(text.map(HistoryEntry::User));
                Ok(())
            }
        }
    }

    /// The reasoning that the script had at this point of the history.
    fn expected_reasoning(&self) -> Option<Value> {
        let before = match self.history.last() {
            Some(HistoryEntry::Assistant { results, .. }) if results.is_empty() => {
                &self.history[..self.history.len() - 1]
            }
            _ => &self.history[..],
        };
        let reply = self.options.script.next_reply(before).ok()?;
        reply.think.as_ref().map(reasoning_item)
    }

    /// The reply that is being read. Its items follow each other without a result in between.
    fn reply(&mut self) -> &mut AssistantReply {
        let open = matches!(self.history.last(), Some(HistoryEntry::Assistant { results, .. }) if results.is_empty());
        if !open {
            self.history.push(HistoryEntry::Assistant {
                reply: AssistantReply {
                    text: None,
                    reasoning: None,
                    calls: Vec::new(),
                },
                results: Vec::new(),
            });
        }
        match self.history.last_mut() {
            Some(HistoryEntry::Assistant { reply, .. }) => reply,
            Some(HistoryEntry::User(_)) | None => unreachable!("a reply was just added"),
        }
    }

    fn call(&mut self, index: usize, item: &Value) -> Result<(), ApiError> {
        let id = item["call_id"].as_str().unwrap_or_default();
        let name = item["name"].as_str().unwrap_or_default();
        require(!id.is_empty() && is_name(name), || {
            format!("Invalid 'input[{index}]': call_id and name are required.")
        })?;
        let arguments = item["arguments"].as_str().unwrap_or_default();
        let input: Option<Value> = serde_json::from_str(arguments).ok();
        let input = input.filter(Value::is_object).ok_or_else(|| {
            ApiError::bad_request(&format!(
                "Invalid 'input[{index}].arguments': must be JSON."
            ))
        })?;
        require(self.reasoning == self.expected_reasoning(), || {
            format!(
                "Item '{id}' of type 'function_call' was provided without its required 'reasoning' \
                 item."
            )
        })?;
        self.open_calls.push(id.to_owned());
        self.reply().calls.push(ToolCall {
            id: CallId::new(id),
            provider_id: id.to_owned(),
            name: name.to_owned(),
            input,
        });
        Ok(())
    }

    fn result(&mut self, item: &Value) -> Result<(), ApiError> {
        let id = item["call_id"].as_str().unwrap_or_default();
        let output = item["output"].as_str().unwrap_or_default();
        let position = self.open_calls.iter().position(|open| open == id);
        let Some(position) = position else {
            return Err(ApiError::bad_request(&format!(
                "No tool call found for function call output with call_id {id}."
            )));
        };
        require(position == 0 && !output.trim().is_empty(), || {
            "outputs must be non-empty and in the order of their calls.".to_owned()
        })?;
        self.open_calls.remove(position);
        if let Some(HistoryEntry::Assistant { results, .. }) = self.history.last_mut() {
            results.push(CallResult {
                content: output.to_owned(),
                is_error: output.starts_with("Error: "),
            });
        }
        Ok(())
    }

    fn require_closed(&self) -> Result<(), ApiError> {
        require(self.open_calls.is_empty(), || {
            format!(
                "No tool output found for function call {}.",
                self.open_calls.join(", ")
            )
        })
    }
}

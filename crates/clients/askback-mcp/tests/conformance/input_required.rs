//! Tools that return what they need to know, and go on when the client calls them again with it. Only
//! clients without sessions can call them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    InputRequiredResult, InputResponses, Tool,
};
use rmcp::service::RequestContext;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{from_json, tool_without_arguments, unknown};

const PREFIX: &str = "test_input_required_result_";

/// The steps behind the request states that this process has issued. A state that it has not issued
/// was tampered with.
#[derive(Clone, Default)]
pub(super) struct RequestStates(Arc<Mutex<HashMap<String, u32>>>);

impl RequestStates {
    fn issue(&self, step: u32) -> String {
        let state = Uuid::new_v4().to_string();
        let steps = self.0.lock();
        let mut steps = steps.unwrap_or_else(PoisonError::into_inner);
        steps.insert(state.clone(), step);
        state
    }

    /// The step that the client has reached: 0 without a state.
    fn step(&self, state: Option<&str>) -> Result<u32, ErrorData> {
        let Some(state) = state else {
            return Ok(0);
        };
        let steps = self.0.lock();
        let steps = steps.unwrap_or_else(PoisonError::into_inner);
        let step = steps.get(state).copied();
        step.ok_or_else(|| {
            ErrorData::invalid_params("The request state was not issued here.", None)
        })
    }
}

pub(super) fn tools() -> Vec<Tool> {
    [
        "test_input_required_result_elicitation",
        "test_input_required_result_sampling",
        "test_input_required_result_list_roots",
        "test_input_required_result_request_state",
        "test_input_required_result_tampered_state",
        "test_input_required_result_multiple_inputs",
        "test_input_required_result_multi_round",
        "test_input_required_result_capabilities",
        "test_streaming_elicitation",
    ]
    .into_iter()
    .map(|name| tool_without_arguments(name, "Asks before it goes on."))
    .collect()
}

/// A form with one text field.
pub(super) fn elicitation(message: &str, field: &str) -> Value {
    let mut properties = Map::new();
    properties.insert(field.to_owned(), json!({"type": "string"}));
    elicitation_form(message, &Value::Object(properties), field)
}

pub(super) fn elicitation_form(message: &str, properties: &Value, required: &str) -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": message,
            "requestedSchema": {
                "type": "object",
                "properties": properties,
                "required": [required],
            },
        },
    })
}

fn sampling(prompt: &str) -> Value {
    json!({
        "method": "sampling/createMessage",
        "params": {
            "messages": [{"role": "user", "content": {"type": "text", "text": prompt}}],
            "maxTokens": 100,
        },
    })
}

fn list_roots() -> Value {
    json!({"method": "roots/list"})
}

/// The response to an input request. One that is not an object counts as missing.
pub(super) fn input_response<'a>(
    responses: Option<&'a InputResponses>,
    key: &str,
) -> Option<&'a Value> {
    responses?.get(key).filter(|response| response.is_object())
}

pub(super) fn call(
    states: &RequestStates,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let response = |key: &str| input_response(request.input_responses.as_ref(), key);
    let step = states.step(request.request_state.as_deref())?;
    let name = elicitation("What is your name?", "name");
    match request.name.strip_prefix(PREFIX).unwrap_or("") {
        "elicitation" => Ok(match response("user_name") {
            Some(user) => text(&format!("Hello, {}!", string(&user["content"]["name"]))),
            None => needs(json!({"user_name": name}), None)?,
        }),
        "sampling" => {
            let ask = sampling("What is the capital of France?");
            Ok(match response("capital_question") {
                Some(reply) => text(string(&reply["content"]["text"])),
                None => needs(json!({"capital_question": ask}), None)?,
            })
        }
        "list_roots" => Ok(match response("client_roots") {
            Some(roots) => text(&format!("The roots are {}.", roots["roots"])),
            None => needs(json!({"client_roots": list_roots()}), None)?,
        }),
        "request_state" | "tampered_state" if step == 0 => {
            let ok = json!({"ok": {"type": "boolean"}});
            let ask = elicitation_form("Is that right?", &ok, "ok");
            needs(json!({"confirm": ask}), Some(states.issue(1)))
        }
        "request_state" | "tampered_state" => Ok(text("state-ok")),
        "multiple_inputs" => {
            let wanted = ["user_name", "greeting", "client_roots"];
            if step > 0 && wanted.iter().all(|key| response(key).is_some()) {
                return Ok(text("All inputs have arrived."));
            }
            let requests = json!({
                "user_name": name,
                "greeting": sampling("Write a greeting."),
                "client_roots": list_roots(),
            });
            needs(requests, Some(states.issue(1)))
        }
        "multi_round" => match step {
            0 => needs(json!({"step1": name}), Some(states.issue(1))),
            1 => {
                let ask = elicitation("What is your favourite colour?", "color");
                needs(json!({"step2": ask}), Some(states.issue(2)))
            }
            _ => Ok(text("Both rounds are complete.")),
        },
        "capabilities" => by_capabilities(request, context),
        _ if request.name == "test_streaming_elicitation" => {
            let ask = elicitation("Which value?", "value");
            needs(json!({"value": ask}), None)
        }
        _ => Err(unknown("tool", &request.name)),
    }
}

/// Asks only what the client says that it can be asked.
fn by_capabilities(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    if request.input_responses.is_some() {
        return Ok(text("All inputs have arrived."));
    }
    let declared = context.client_capabilities().unwrap_or_default();
    let mut requests = Map::new();
    if declared.elicitation.is_some() {
        let ask = elicitation("What is your name?", "name");
        requests.insert("user_name".to_owned(), ask);
    }
    if declared.sampling.is_some() {
        requests.insert("greeting".to_owned(), sampling("Write a greeting."));
    }
    if declared.roots.is_some() {
        requests.insert("client_roots".to_owned(), list_roots());
    }
    if requests.is_empty() {
        return Ok(text("The client can be asked nothing."));
    }
    needs(Value::Object(requests), None)
}

fn needs(requests: Value, state: Option<String>) -> Result<CallToolResponse, ErrorData> {
    let requests = from_json(requests)?;
    Ok(InputRequiredResult::new(Some(requests), state).into())
}

fn text(text: &str) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

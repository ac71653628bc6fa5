//! Tools that send messages while they run: notifications, and in the `initialize` era requests to the
//! client.

#![expect(
    deprecated,
    reason = "the suite tests what the newest revision deprecates, too"
)]

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientResult,
    ContentBlock, ErrorData, LoggingLevel, LoggingMessageNotificationParam,
    ProgressNotificationParam, ServerRequest, Tool,
};
use rmcp::service::RequestContext;
use serde_json::{Value, json};

use super::{ConformanceServer, arguments, from_json, tool, tool_without_arguments, unknown};

pub(super) fn tools() -> Vec<Tool> {
    let mut tools: Vec<Tool> = [
        "test_tool_with_logging",
        "test_tool_with_progress",
        "test_elicitation_sep1034_defaults",
        "test_elicitation_sep1330_enums",
        "test_trigger_tool_change",
        "test_trigger_prompt_change",
        "test_missing_capability",
        "test_logging_tool",
    ]
    .into_iter()
    .map(|name| tool_without_arguments(name, "Sends messages while it runs."))
    .collect();
    for (name, argument) in [("test_sampling", "prompt"), ("test_elicitation", "message")] {
        let mut schema = json!({"type": "object", "required": [argument]});
        schema["properties"][argument] = json!({"type": "string"});
        tools.push(tool(name, "Sends a request to the client.", &schema));
    }
    tools
}

pub(super) async fn call(
    server: &ConformanceServer,
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let arguments = arguments(request);
    let text = match request.name.as_ref() {
        "test_tool_with_logging" => {
            for message in ["started", "processing", "completed"] {
                log(context, LoggingLevel::Info, message).await;
            }
            "Three messages were logged.".to_owned()
        }
        "test_logging_tool" => {
            // Without sessions, a request says itself what it wants to be logged.
            if let Some(level) = context.meta.log_level() {
                log(context, level, "The request asked for this.").await;
            }
            "The call is complete.".to_owned()
        }
        "test_tool_with_progress" => report_progress(context).await,
        "test_sampling" => {
            let params = json!({
                "messages": [{
                    "role": "user",
                    "content": {"type": "text", "text": arguments["prompt"]},
                }],
                "maxTokens": 100,
            });
            let request = json!({"method": "sampling/createMessage", "params": params});
            let reply = send(context, request).await?;
            format!("LLM response: {}", reply["content"]["text"])
        }
        "test_elicitation" => {
            let schema = json!({
                "type": "object",
                "properties": {
                    "username": {"type": "string", "description": "User's response"},
                    "email": {"type": "string", "description": "User's email address"},
                },
                "required": ["username", "email"],
            });
            elicit(context, &arguments["message"], schema).await?
        }
        "test_elicitation_sep1034_defaults" => {
            elicit(context, &json!("Check the defaults."), defaults_schema()).await?
        }
        "test_elicitation_sep1330_enums" => {
            elicit(context, &json!("Choose."), enums_schema()).await?
        }
        "test_trigger_tool_change" => {
            for subscription in server.subscriptions() {
                drop(subscription.notify_tool_list_changed().await);
            }
            "The subscribers know.".to_owned()
        }
        "test_trigger_prompt_change" => {
            for subscription in server.subscriptions() {
                drop(subscription.notify_prompt_list_changed().await);
            }
            "The subscribers know.".to_owned()
        }
        "test_missing_capability" => {
            let declared = context.client_capabilities().unwrap_or_default();
            if declared.sampling.is_none() {
                let required = ClientCapabilities::builder().enable_sampling().build();
                return Err(ErrorData::missing_required_client_capability(required));
            }
            "The client has the capability.".to_owned()
        }
        name => return Err(unknown("tool", name)),
    };
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
}

async fn log(context: &RequestContext<RoleServer>, level: LoggingLevel, message: &str) {
    let message = LoggingMessageNotificationParam::new(level, json!(message));
    if let Err(error) = context.peer.notify_logging_message(message).await {
        tracing::warn!(%error, "cannot log to the client");
    }
}

async fn report_progress(context: &RequestContext<RoleServer>) -> String {
    let Some(token) = context.meta.get_progress_token() else {
        return "The request has no progress token.".to_owned();
    };
    for progress in [0.0, 50.0, 100.0] {
        let progress = ProgressNotificationParam::new(token.clone(), progress).with_total(100.0);
        if let Err(error) = context.peer.notify_progress(progress).await {
            tracing::warn!(%error, "cannot report progress to the client");
        }
    }
    "Progress was reported.".to_owned()
}

async fn elicit(
    context: &RequestContext<RoleServer>,
    message: &Value,
    schema: Value,
) -> Result<String, ErrorData> {
    let params = json!({"mode": "form", "message": message, "requestedSchema": schema});
    let request = json!({"method": "elicitation/create", "params": params});
    let reply = send(context, request).await?;
    let action = reply["action"].as_str().unwrap_or_default();
    let answers = &reply["content"];
    Ok(format!("User response: action={action}, content={answers}"))
}

/// Sends a request to the client and returns its result.
async fn send(context: &RequestContext<RoleServer>, request: Value) -> Result<Value, ErrorData> {
    let request: ServerRequest = from_json(request)?;
    let sent = context.peer.send_request(request).await;
    let reply: ClientResult =
        sent.map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    serde_json::to_value(reply).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn defaults_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {
                "type": "string",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": {"type": "boolean", "default": true},
        },
    })
}

fn enums_schema() -> Value {
    let values = json!(["option1", "option2", "option3"]);
    let titled = json!([
        {"const": "value1", "title": "First Option"},
        {"const": "value2", "title": "Second Option"},
        {"const": "value3", "title": "Third Option"},
    ]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": values},
            "titledSingle": {"type": "string", "oneOf": titled},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": values}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled}},
        },
    })
}

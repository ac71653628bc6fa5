//! The fixtures of the official MCP conformance suite: tools, prompts and resources with fixed names.
//!
//! The suite calls them over HTTP, so that the transport of the real server is what it tests.
//! `scripts/mcp-conformance` runs it. A build for users does not contain this module.

#![expect(
    deprecated,
    reason = "the suite tests what the newest revision deprecates, too"
)]

mod content_tools;
mod input_required;
mod prompts;
mod resources;
mod server_requests;
mod tasks;

use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams,
    CompleteResult, ErrorData, GetPromptRequestParams, GetPromptResponse, GetTaskParams,
    GetTaskResult, Implementation, JsonObject, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams,
    ReadResourceResponse, RequestId, ServerCapabilities, ServerConfig, SetLevelRequestParams,
    SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{RequestContext, SubscriptionContext, SubscriptionSink};
use rmcp::task_manager::TaskManager;
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use self::input_required::RequestStates;

/// The server that the suite talks to. Clones share their state.
#[derive(Clone, Default)]
pub(crate) struct ConformanceServer {
    subscriptions: Arc<Mutex<Vec<SubscriptionSink>>>,
    request_states: RequestStates,
    tasks: TaskManager,
}

/// A protocol value as it is on the wire.
fn from_json<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value)
        .map_err(|error| ErrorData::internal_error(format!("invalid fixture: {error}"), None))
}

/// A result as it is on the wire of the newest revision. rmcp takes from it what older ones do not have.
fn result_from_json<T: DeserializeOwned>(mut value: Value) -> Result<T, ErrorData> {
    value["resultType"] = json!("complete");
    from_json(value)
}

fn tool(name: &'static str, description: &'static str, schema: &Value) -> Tool {
    let schema = schema.as_object().cloned().unwrap_or_default();
    Tool::new(name, description, schema)
}

fn tool_without_arguments(name: &'static str, description: &'static str) -> Tool {
    tool(
        name,
        description,
        &json!({"type": "object", "properties": {}}),
    )
}

fn all_tools() -> Vec<Tool> {
    let mut tools = content_tools::tools();
    tools.extend(server_requests::tools());
    tools.extend(input_required::tools());
    tools.extend(tasks::tools());
    tools
}

fn unknown(kind: &str, name: &str) -> ErrorData {
    ErrorData::invalid_params(format!("There is no {kind} called {name:?}."), None)
}

impl ConformanceServer {
    /// The open subscriptions.
    fn subscriptions(&self) -> Vec<SubscriptionSink> {
        let subscriptions = self.subscriptions.lock();
        subscriptions
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn add_subscription(&self, sink: SubscriptionSink) {
        let subscriptions = self.subscriptions.lock();
        let mut subscriptions = subscriptions.unwrap_or_else(PoisonError::into_inner);
        subscriptions.push(sink);
    }

    fn remove_subscription(&self, id: &RequestId) {
        let subscriptions = self.subscriptions.lock();
        let mut subscriptions = subscriptions.unwrap_or_else(PoisonError::into_inner);
        subscriptions.retain(|sink| sink.id() != id);
    }
}

impl ServerHandler for ConformanceServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_resources_list_changed()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_completions()
            .enable_logging()
            .enable_tasks()
            .build();
        let about = Implementation::new("askback", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(about)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(all_tools()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        all_tools().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let is_in = |tools: Vec<Tool>| tools.iter().any(|tool| tool.name == request.name);
        if is_in(input_required::tools()) {
            input_required::call(&self.request_states, &request, &context)
        } else if is_in(tasks::tools()) {
            tasks::call(&self.tasks, &request, &context).await
        } else if is_in(server_requests::tools()) {
            server_requests::call(self, &request, &context).await
        } else {
            content_tools::call(&request).map(CallToolResponse::from)
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        result_from_json(prompts::list())
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        result_from_json(resources::list())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        result_from_json(resources::templates())
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&request.uri).map(ReadResourceResponse::from)
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        result_from_json(
            json!({"completion": {"values": ["paris", "park"], "total": 2, "hasMore": false}}),
        )
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        self.add_subscription(context.sink().clone());
        context.cancelled().await;
        self.remove_subscription(context.sink().id());
        Ok(())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.tasks
            .get_task(&request.task_id)
            .map(GetTaskResult::new)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks
            .update_task(&request.task_id, request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.tasks.cancel_task(&request.task_id)
    }
}

/// The arguments of a call as a value, so that what is missing reads as null.
fn arguments(request: &CallToolRequestParams) -> Value {
    let arguments: JsonObject = request.arguments.clone().unwrap_or_default();
    Value::Object(arguments)
}

#[cfg(test)]
#[path = "conformance_tests.rs"]
mod tests;

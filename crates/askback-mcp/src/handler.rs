//! The MCP requests that the server handles: its description, its tools, and tool calls.

use std::sync::Arc;

use askback_wire::asker::DeliveryState;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool as ToolDefinition,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::asker::Asker;
use crate::delivery::{DeliveryTracker, report_delivery};
use crate::executor::{Caller, Tool, ToolExecutor};
use crate::hold_window::{HoldWindow, TransportKind};
use crate::{texts, tools};

/// The MCP server of one connection.
pub(crate) struct McpServer {
    pub(crate) executor: Arc<ToolExecutor>,
    pub(crate) delivery_tracker: Arc<DeliveryTracker>,
    pub(crate) transport: TransportKind,
}

impl McpServer {
    fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        let info = context.client_info();
        let options = &self.executor.options;
        let project = options.project.as_deref();
        let asker = Asker::new(info.as_ref(), project, &self.executor.session_lock);
        let token = context.meta.get_progress_token();
        let hold_window = match options.hold {
            Some(hold) => HoldWindow { limit: Some(hold) },
            None => HoldWindow::for_client(&asker.client, self.transport, token.as_ref()),
        };
        Caller {
            asker,
            hold_window,
            progress: token.map(|token| (context.peer.clone(), token)),
        }
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let mut about = Implementation::new("askback", env!("CARGO_PKG_VERSION"));
        about.title = Some("askback".to_owned());
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(about)
            .with_instructions(texts::instructions(&self.executor.options.dialects))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools::all(&self.executor.options.dialects);
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<ToolDefinition> {
        let mut tools = tools::all(&self.executor.options.dialects).into_iter();
        tools.find(|tool| tool.name == name)
    }

    /// If the client cancels a call, only the call ends. Its question stays open.
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = Tool::from_name(&request.name, &self.executor.options.dialects) else {
            let message = format!("There is no tool called {:?}.", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        self.delivery_tracker.flush().await;
        let caller = self.caller(&context);
        let arguments = request.arguments.unwrap_or_default();
        let output = tokio::select! {
            output = self.executor.execute(&tool, arguments, &caller) => output,
            () = context.ct.cancelled() => {
                tracing::info!(client = caller.asker.client, "the client cancelled a call");
                return Err(ErrorData::internal_error("The call was cancelled.", None));
            }
        };
        for question in &output.delivers {
            report_delivery(&self.executor.client, question.id(), DeliveryState::Started).await;
        }
        self.delivery_tracker.register(&context.id, output.delivers);
        Ok(output.result.into_response().into())
    }
}

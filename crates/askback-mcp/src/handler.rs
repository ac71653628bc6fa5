//! What the protocol asks of a server: who it is, which tools it has, and calls of them.

use std::sync::Arc;

use askback_wire::asker::DeliveryState;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool as ToolDefinition,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::agent::{Agent, Place};
use crate::call::{Caller, Session, Tool};
use crate::delivery::{Deliveries, Receipt, note_delivery};
use crate::hold::{Connection, Hold};
use crate::{instructions, tools};

/// The server of one connection.
pub(crate) struct Handler {
    pub(crate) session: Arc<Session>,
    pub(crate) deliveries: Arc<Deliveries>,
    pub(crate) connection: Connection,
    pub(crate) place: Place,
}

impl Handler {
    fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        let info = context.client_info();
        let agent = Agent::new(info.as_ref(), &self.place, &self.session.presence);
        let token = context.meta.get_progress_token();
        let hold = Hold::of(
            &agent.client,
            self.connection,
            token.is_some(),
            self.session.options.hold,
        );
        Caller {
            agent,
            hold,
            progress: token.map(|token| (context.peer.clone(), token)),
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let mut about = Implementation::new("askback", env!("CARGO_PKG_VERSION"));
        about.title = Some("askback".to_owned());
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(about)
            .with_instructions(instructions::instructions(&self.session.options.dialects))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools::all(&self.session.options.dialects);
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn get_tool(&self, name: &str) -> Option<ToolDefinition> {
        let mut tools = tools::all(&self.session.options.dialects).into_iter();
        tools.find(|tool| tool.name == name)
    }

    /// A call that its client gives up leaves its question open: nothing but the call ends here.
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = Tool::named(&request.name, &self.session.options.dialects) else {
            let message = format!("There is no tool {:?}.", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        self.deliveries.flush().await;
        let caller = self.caller(&context);
        let arguments = request.arguments.unwrap_or_default();
        let outcome = tokio::select! {
            outcome = self.session.call(&tool, arguments, &caller) => outcome,
            () = context.ct.cancelled() => {
                tracing::info!(client = caller.agent.client, "the client gave up a call");
                return Err(ErrorData::internal_error("The call was cancelled.", None));
            }
        };
        for delivered in &outcome.delivers {
            note_delivery(&self.session.client, delivered.id(), DeliveryState::Started).await;
        }
        let receipt = Receipt {
            delivered: outcome.delivers,
        };
        self.deliveries.expect(&context.id, receipt);
        Ok(outcome.reply.into_result().into())
    }
}

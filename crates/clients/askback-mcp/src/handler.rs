//! The MCP requests that the server handles: its description, its tools, and tool calls.

use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;

use askback_wire::asker::DeliveryState;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelledNotificationParam, CompleteRequestMethod,
    CompleteRequestParams, CompleteResult, DiscoverResult, Implementation, InitializeRequestParams,
    InitializeResult, ListPromptsRequestMethod, ListPromptsResult,
    ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, RequestId,
    ServerCapabilities, ServerConfig, Tool as ToolDefinition,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio_util::sync::CancellationToken;

use crate::call::executor::{Caller, Tool, ToolExecutor};
use crate::delivery::in_flight::InFlightGuard;
use crate::delivery::{DeliveryTracker, report_delivery};
use crate::dialogs::elicitation::DialogModes;
use crate::dialogs::push::Dialogs;
use crate::http::exchange::HttpCaller;
use crate::known_clients::{KnownClient, TransportKind};
use crate::session::asker::Asker;
use crate::session::{CallSession, SessionScope, Sessions};
use crate::{texts, tools};

/// How long a call of the `initialize` era goes on after its connection was lost. The client may
/// resume the response on another connection.
const RESUME_WINDOW: Duration = Duration::from_mins(1);

/// The MCP server of one connection.
pub(crate) struct McpServer {
    pub(crate) executor: Arc<ToolExecutor>,
    pub(crate) delivery_tracker: Arc<DeliveryTracker>,
    pub(crate) transport: TransportKind,
    /// Cancelled when calls must return at once.
    pub(crate) stop: CancellationToken,
}

impl McpServer {
    fn caller(&self, context: &RequestContext<RoleServer>, http: Option<&HttpCaller>) -> Caller {
        let info = context.client_info();
        let options = &self.executor.options;
        let project = http.and_then(|http| http.project.as_deref());
        let project = project.or(options.project.as_deref());
        let session = match (http, &self.executor.sessions) {
            (Some(http), _) => http.session.clone(),
            (None, Sessions::Process(lock)) => CallSession::agent(lock.session()),
            (None, Sessions::Http(_)) => CallSession::unknown(),
        };
        let token = http.and_then(|http| http.token.as_ref());
        let agent_token = token.or(options.token.as_ref());
        let asker = Asker::new(info.as_ref(), project, session, agent_token);
        // Over HTTP, the server sees its own token on what is asked, and cannot add the name.
        let asker = match token {
            Some(_) => asker.shown_with_token(),
            None => asker,
        };
        let recipient = http.and_then(|http| http.recipient.clone());
        let recipient = recipient.or_else(|| options.recipient.clone());
        let program = Asker::client_name(info.as_ref());
        let client = KnownClient::named(&program);
        let token = context.meta.get_progress_token();
        let measured = || client.wait_limit(self.transport, token.as_ref());
        let wait_limit = options.hold.map_or_else(measured, Some);
        let capabilities = context.client_capabilities();
        let capabilities = capabilities.as_ref();
        let may_dialog = agent_token.is_none() && can_push_dialogs(context);
        let modes = DialogModes::of_client(capabilities, &program, options.elicitation);
        let modes = modes.filter(|_| may_dialog);
        let peer = || context.peer.clone();
        Caller {
            dialogs: modes.map(|modes| Dialogs {
                modes,
                peer: peer(),
            }),
            asker,
            recipient,
            client,
            wait_limit,
            progress: token.map(|token| (peer(), token)),
            waiting_for: Mutex::default(),
            recently_delivered: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// Notes that the response to a request contains these outcomes.
    async fn deliver(
        &self,
        context: &RequestContext<RoleServer>,
        http: Option<HttpCaller>,
        delivers: Vec<InFlightGuard>,
    ) {
        for question in delivers.iter().filter(|question| !question.is_claimed()) {
            report_delivery(&self.executor.client, question.id(), DeliveryState::Started).await;
        }
        let key = match &http {
            Some(http) => http.delivery_key(&context.id),
            None => context.id.clone(),
        };
        self.delivery_tracker.register(&key, delivers);
        if context.ct.is_cancelled() {
            self.delivery_tracker.request_cancelled(&key);
        }
        if let Some(exchange) = http.and_then(|http| http.exchange) {
            exchange.contains_outcomes(key);
        }
    }

    /// The instructions and everything else that is said about this server to a client.
    fn info(&self, client: Option<&Implementation>) -> ServerConfig {
        let client = Asker::client_name(client);
        let client = KnownClient::named(&client);
        let mut instructions = texts::instructions(&self.executor.options.dialects, client);
        if self.transport == TransportKind::Http {
            instructions.push(' ');
            instructions.push_str(texts::KEEP_QUESTION_IDS);
        }
        let mut about = Implementation::new("askback", env!("CARGO_PKG_VERSION"));
        about.title = Some("askback".to_owned());
        let capabilities = ServerCapabilities::builder().enable_tools();
        ServerConfig::new(capabilities.build())
            .with_server_info(about)
            .with_instructions(instructions)
    }

    /// See [`DeliveryTracker::flush`].
    async fn flush_deliveries(&self, http: Option<&HttpCaller>) {
        self.delivery_tracker.flush(responses_of(http)).await;
    }
}

/// Returns when the connection of an HTTP request was lost and nobody resumed it.
async fn abandoned(http: Option<&HttpCaller>) {
    let Some(exchange) = http.and_then(|http| http.exchange.as_deref()) else {
        return std::future::pending().await;
    };
    exchange.closed().await;
    tokio::time::sleep(RESUME_WINDOW).await;
}

/// Whether a delivery is that of a response to this caller. Without HTTP, all are.
fn responses_of(http: Option<&HttpCaller>) -> impl Fn(&RequestId) -> bool {
    let prefix = http.map(HttpCaller::delivery_prefix);
    move |key| match (&prefix, key) {
        (None, _) => true,
        (Some(prefix), RequestId::String(key)) => key.starts_with(prefix),
        (Some(_), RequestId::Number(_)) => false,
    }
}

/// Whether a dialog can be opened while the call waits, and be closed when the question was answered elsewhere: in the
/// `initialize` era.
fn can_push_dialogs(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version < ProtocolVersion::V_2026_07_28)
        && context.meta.protocol_version().is_none()
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        self.info(None)
    }

    /// The instructions name the tools as the client does.
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        result.instructions = self.info(Some(&request.client_info)).instructions;
        Ok(result)
    }

    /// As with `initialize`.
    async fn discover(
        &self,
        context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let info = self.info(context.client_info().as_ref());
        Ok(DiscoverResult::from_server_info(versions, info))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools::all(&self.executor.options.dialects);
        Ok(ListToolsResult::with_all_items(tools))
    }

    /// rmcp would answer with an empty list, although the server declares no prompts.
    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    /// As with prompts.
    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourcesRequestMethod>())
    }

    /// As with prompts.
    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<
            ListResourceTemplatesRequestMethod,
        >())
    }

    /// As with prompts.
    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
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
            let message = if request.name.is_empty() {
                "The call has no `name` in its `params`: it must name a tool.".to_owned()
            } else {
                format!("There is no tool called {:?}.", request.name)
            };
            return Err(ErrorData::invalid_params(message, None));
        };
        let http = HttpCaller::from_extensions(&context.extensions, Some(&context.meta));
        if let (Sessions::Http(sessions), Some(http)) = (&self.executor.sessions, &http) {
            sessions.touch(http);
        }
        self.flush_deliveries(http.as_ref()).await;
        let arguments = request.arguments.unwrap_or_default();
        let mut caller = self.caller(&context, http.as_ref());
        if !caller.client.cancels_calls && caller.asker.scope == SessionScope::Agent {
            let is_ours = responses_of(http.as_ref());
            caller.unread = self.delivery_tracker.take_unfollowed(is_ours);
        }
        if matches!(tool, Tool::List) {
            let is_ours = responses_of(http.as_ref());
            caller.recently_delivered = self.delivery_tracker.recently_written(is_ours);
        }
        let waiting_call = self.executor.waiting_calls.begin(&tool, &caller);
        let output = tokio::select! {
            output = self.executor.execute(&tool, arguments, &caller) => output,
            () = context.ct.cancelled() => {
                tracing::info!(client = caller.asker.client.as_str(), "the client cancelled a call");
                drop(self.executor.give_up(&caller).await);
                return Err(ErrorData::internal_error("The call was cancelled.", None));
            }
            () = waiting_call.superseded.cancelled() => {
                tracing::info!(client = caller.asker.client.as_str(), "the client has given up a call");
                self.executor.give_up(&caller).await
            }
            () = abandoned(http.as_ref()) => self.executor.give_up(&caller).await,
            () = self.stop.cancelled() => ToolExecutor::interrupted(&caller),
        };
        drop(waiting_call);
        let response = output.result.into_response().into();
        self.deliver(&context, http, output.delivers).await;
        Ok(response)
    }

    /// Over standard input and output, the transport sees the notification first.
    async fn on_cancelled(
        &self,
        cancelled: CancelledNotificationParam,
        context: NotificationContext<RoleServer>,
    ) {
        let http = HttpCaller::from_extensions(&context.extensions, None);
        if let (Some(http), Some(request)) = (http, cancelled.request_id) {
            let key = http.delivery_key(&request);
            self.delivery_tracker.request_cancelled(&key);
        }
    }
}

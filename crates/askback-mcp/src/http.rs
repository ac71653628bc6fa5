//! The MCP server over streamable HTTP, for both protocol eras.
//!
//! rmcp implements the transport. This module adds what agents need to wait long: headers at once, and
//! calls that end with a pending result when the server stops.

use std::convert::Infallible;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use askback_client::Client;
use bytes::Bytes;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::Body;
use http_body_util::{BodyExt as _, Full};
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::arguments::repair_arguments;
use crate::delivery::DeliveryTracker;
use crate::executor::ToolExecutor;
use crate::handler::McpServer;
use crate::hold_window::TransportKind;
use crate::http_body::{InnerResponse, KEEP_ALIVE, McpBody, PendingResponse};
use crate::http_exchange::{HttpExchange, OpenRequests};
use crate::http_sessions::HttpSessions;
use crate::options::McpOptions;
use crate::session::Sessions;

/// Errors are found within this time. A response that takes longer is an event stream, and its headers
/// are sent. Not for `initialize`: its headers have the session, which rmcp has only with its response.
const HEADERS_AFTER: Duration = Duration::from_millis(200);

/// Calls have this long to write their pending results when the server stops. It is less than what the
/// server gives its connections.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// A session without messages for this long is dropped from memory; its next request restores it. It
/// must be longer than a call waits without progress notifications.
const SESSION_IDLE: Duration = Duration::from_mins(30);

/// rmcp's transport, without the type of the handler behind it.
type Inner = Arc<dyn Fn(Request<Full<Bytes>>) -> PendingResponse + Send + Sync>;

/// The MCP endpoint. A tower service, cheap to clone.
#[derive(Clone)]
pub struct McpHttpService {
    inner: Inner,
    sessions: HttpSessions,
    delivery_tracker: Arc<DeliveryTracker>,
    open_requests: OpenRequests,
    /// Ends calls with a pending result.
    stop: CancellationToken,
    /// Ends all responses.
    close: CancellationToken,
}

impl McpHttpService {
    /// `client` reaches the server that this endpoint is part of. `directory` keeps the sessions.
    pub fn new(client: Client, options: McpOptions, directory: &Path) -> McpHttpService {
        let hold = options.hold.unwrap_or_default();
        let idle = SESSION_IDLE.max(hold.saturating_mul(2));
        McpHttpService::with_handler(client.clone(), directory, idle, |service| {
            let sessions = Sessions::Http(service.sessions.clone());
            let executor = Arc::new(ToolExecutor::new(client, options, sessions));
            let tracker = Arc::clone(&service.delivery_tracker);
            let stop = service.stop.clone();
            move || McpServer {
                executor: Arc::clone(&executor),
                delivery_tracker: Arc::clone(&tracker),
                transport: TransportKind::Http,
                stop: stop.clone(),
            }
        })
    }

    /// The same endpoint with the fixtures of the official conformance suite in place of askback's
    /// tools. `client` is never used.
    #[cfg(any(test, feature = "conformance"))]
    pub fn conformance(client: Client, directory: &Path) -> McpHttpService {
        let fixtures = crate::conformance::ConformanceServer::default();
        McpHttpService::with_handler(client, directory, SESSION_IDLE, |_| {
            move || fixtures.clone()
        })
    }

    /// `handlers` makes the function that makes the handler of each session.
    fn with_handler<H, F>(
        client: Client,
        directory: &Path,
        idle: Duration,
        handlers: impl FnOnce(&McpHttpService) -> F,
    ) -> McpHttpService
    where
        H: ServerHandler,
        F: Fn() -> H + Send + Sync + 'static,
    {
        let (delivery_tracker, _worker) = DeliveryTracker::start(client);
        let mut live = LocalSessionManager::default();
        live.session_config.keep_alive = Some(idle);
        let live = Arc::new(live);
        let mut service = McpHttpService {
            inner: Arc::new(|_| Box::pin(async { empty(StatusCode::SERVICE_UNAVAILABLE) })),
            sessions: HttpSessions::open(directory, Arc::clone(&live)),
            delivery_tracker,
            open_requests: OpenRequests::default(),
            stop: CancellationToken::new(),
            close: CancellationToken::new(),
        };
        // The server has checked host, origin and size of the request.
        let mut config = StreamableHttpServerConfig::default()
            .disable_allowed_hosts()
            .with_sse_keep_alive(Some(KEEP_ALIVE))
            .with_cancellation_token(service.close.clone());
        config.session_store = Some(Arc::new(service.sessions.clone()));
        let handler = handlers(&service);
        let transport = StreamableHttpService::new(move || Ok(handler()), live, config);
        service.inner = Arc::new(move |request| {
            let transport = transport.clone();
            Box::pin(async move { transport.handle(request).await })
        });
        service
    }

    /// Ends all calls and streams. A call that waits for an answer returns that it is pending.
    pub async fn stop(&self) {
        self.stop.cancel();
        let written = tokio::time::timeout(STOP_GRACE, self.open_requests.ended()).await;
        tracing::debug!(ended = written.is_ok(), "calls over HTTP were told to end");
        self.close.cancel();
        self.delivery_tracker.stop();
    }

    async fn handle<B>(self, request: Request<B>) -> Response<McpBody>
    where
        B: Body + Send + 'static,
        B::Error: std::fmt::Display,
    {
        let (mut parts, body) = request.into_parts();
        let mut exchange = HttpExchange::new(Arc::clone(&self.delivery_tracker));
        if parts.method == Method::POST {
            exchange.count_in(&self.open_requests);
        }
        let exchange = Arc::new(exchange);
        let Ok(body) = body.collect().await else {
            return McpBody::respond(empty(StatusCode::BAD_REQUEST), exchange);
        };
        let mut body = body.to_bytes();
        let mut headers_after = HEADERS_AFTER;
        if parts.method == Method::POST {
            let Ok(mut message) = serde_json::from_slice::<Value>(&body) else {
                return McpBody::respond(parse_error(), exchange);
            };
            if repair_arguments(&mut message) {
                body = Bytes::from(message.to_string());
                parts.headers.remove(header::CONTENT_LENGTH);
            }
            if message["method"] == "initialize" {
                if self.sessions.are_full().await {
                    return McpBody::respond(empty(StatusCode::SERVICE_UNAVAILABLE), exchange);
                }
                // Its headers name the session.
                headers_after = Duration::MAX;
            }
        }
        let ends_session = parts.method == Method::DELETE;
        parts.extensions.insert(Arc::clone(&exchange));
        let request = Request::from_parts(parts, Full::new(body));
        let mut response = (self.inner)(request);
        match tokio::time::timeout(headers_after, &mut response).await {
            Ok(mut response) => {
                // rmcp says "accepted", which the Python SDK takes for a failure.
                if ends_session && response.status() == StatusCode::ACCEPTED {
                    *response.status_mut() = StatusCode::NO_CONTENT;
                }
                McpBody::respond(response, exchange)
            }
            Err(_) => McpBody::respond_early(response, exchange),
        }
    }
}

impl<B> tower_service::Service<Request<B>> for McpHttpService
where
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: std::fmt::Display,
{
    type Response = Response<McpBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.handle(request).await) })
    }
}

fn empty(status: StatusCode) -> InnerResponse {
    let mut response = Response::new(Full::new(Bytes::new()).boxed());
    *response.status_mut() = status;
    response
}

/// The JSON-RPC error for a body that is not JSON.
fn parse_error() -> InnerResponse {
    let error = json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": {"code": -32700, "message": "The body is not JSON."},
    });
    let mut response = Response::new(Full::new(Bytes::from(error.to_string())).boxed());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

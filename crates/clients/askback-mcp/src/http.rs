//! The MCP server over streamable HTTP, for both protocol eras.
//!
//! rmcp implements the transport. This module adds what agents need to wait long: headers at once, and
//! calls that end with a pending result when the server stops.

pub(crate) mod body;
pub(crate) mod exchange;
pub(crate) mod live_sessions;
pub(crate) mod message_check;
pub(crate) mod project_header;
pub(crate) mod replay;
pub(crate) mod sessions;

use std::convert::Infallible;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use askback_client::Client;
use askback_core::text::Text;
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::Body;
use http_body_util::{BodyExt as _, Full};
use rmcp::ServerHandler;
use rmcp::model::ErrorData;
use rmcp::transport::streamable_http_server::session::EventStore;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::call::arguments::repair_arguments;
use crate::call::executor::ToolExecutor;
use crate::delivery::DeliveryTracker;
use crate::handler::McpServer;
use crate::http::body::{InnerResponse, KEEP_ALIVE, McpBody, PendingResponse};
use crate::http::exchange::{
    CloseOnDrop, HttpCaller, HttpExchange, OpenRequests, SESSION_HEADER, check_parameters,
};
use crate::http::live_sessions::LiveSessions;
use crate::http::message_check::{RefusedMessage, check_message};
use crate::http::replay::{NO_RESPONSE, ResponseEvents, Resumption};
use crate::http::sessions::HttpSessions;
use crate::known_clients::TransportKind;
use crate::options::McpOptions;
use crate::session::Sessions;

/// Errors in a call are found within this time. A response that takes longer is an event stream, and its
/// headers are sent.
const HEADERS_AFTER: Duration = Duration::from_millis(200);

/// Calls have this long to write their pending results when the server stops. It is less than what the
/// server gives its connections.
const STOP_GRACE: Duration = Duration::from_secs(2);

/// A session without messages for this long is dropped from memory; its next request restores it. It
/// must be longer than a call waits without progress notifications.
const SESSION_IDLE: Duration = Duration::from_mins(30);

/// The header with the last event that a client saw.
const LAST_EVENT_HEADER: &str = "last-event-id";

/// The header with the version of the protocol.
const VERSION_HEADER: &str = "mcp-protocol-version";

/// The first version of the protocol with events without data. Versions are dates.
const EMPTY_EVENTS_SINCE: &str = "2025-11-25";

const CANNOT_RESUME: &str = "There is nothing to resume after this Last-Event-ID: the response is too \
                             old, or an earlier server sent it. If it was a call, call \
                             list_questions: it names open questions and answers that were sent.";

/// rmcp's transport, without the type of the handler behind it.
type Inner = Arc<dyn Fn(Request<Full<Bytes>>) -> PendingResponse + Send + Sync>;

/// The MCP endpoint. A tower service, cheap to clone.
#[derive(Clone)]
pub struct McpHttpService {
    inner: Inner,
    sessions: HttpSessions,
    events: Arc<ResponseEvents>,
    delivery_tracker: Arc<DeliveryTracker>,
    open_requests: OpenRequests,
    headers_after: Duration,
    /// Ends calls with a pending result.
    stop: CancellationToken,
    /// Ends all responses.
    close: CancellationToken,
}

impl McpHttpService {
    /// `client` reaches the server that this endpoint is part of. `directory` keeps the sessions.
    pub fn new(client: Client, options: McpOptions, directory: &Path) -> McpHttpService {
        let wait = options.hold.unwrap_or_default();
        let idle = SESSION_IDLE.max(wait.saturating_mul(2));
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
        let events = Arc::new(ResponseEvents::new(idle));
        let mut live = LocalSessionManager::default()
            .with_event_store(Arc::clone(&events) as Arc<dyn EventStore>);
        live.session_config.keep_alive = Some(idle);
        let live = Arc::new(live);
        let mut service = McpHttpService {
            inner: Arc::new(|_| Box::pin(async { empty(StatusCode::SERVICE_UNAVAILABLE) })),
            sessions: HttpSessions::open(directory, Arc::clone(&live)),
            events,
            delivery_tracker,
            open_requests: OpenRequests::default(),
            headers_after: HEADERS_AFTER,
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
        let live = LiveSessions {
            sessions: live,
            events: Arc::clone(&service.events),
        };
        let transport = StreamableHttpService::new(move || Ok(handler()), Arc::new(live), config);
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
        let accepted = self.accept(&mut parts, body, &mut exchange).await;
        if parts.method == Method::POST {
            exchange.count_in(&self.open_requests);
        }
        let exchange = Arc::new(exchange);
        // The client may go before there is a response.
        let unanswered = CloseOnDrop::new(Arc::clone(&exchange));
        let (body, may_wait) = match accepted {
            Ok(accepted) => accepted,
            Err(refusal) => return McpBody::respond(*refusal, unanswered.keep_open()),
        };
        let ends_session = parts.method == Method::DELETE;
        let caller = HttpCaller::from_parts(&parts, false);
        parts.extensions.insert(Arc::clone(&exchange));
        let request = Request::from_parts(parts, Full::new(body));
        let mut response = (self.inner)(request);
        // The headers of other responses say more than that they are streams: that of `initialize` has
        // the id of the session.
        let headers_after = if may_wait {
            self.headers_after
        } else {
            Duration::MAX
        };
        match tokio::time::timeout(headers_after, &mut response).await {
            Ok(mut response) => {
                // rmcp says "accepted", which the Python SDK takes for a failure.
                if ends_session && response.status() == StatusCode::ACCEPTED {
                    *response.status_mut() = StatusCode::NO_CONTENT;
                    self.events
                        .remove_session(&caller.session_id.unwrap_or_default());
                }
                if let Some(started) = response.headers().get(SESSION_HEADER) {
                    let id = started.to_str().unwrap_or_default();
                    self.sessions.bind(id, caller.token.as_deref());
                }
                McpBody::respond(response, unanswered.keep_open())
            }
            Err(_) => McpBody::respond_early(response, unanswered.keep_open()),
        }
    }

    /// Checks and repairs a request before rmcp gets it. Returns its body, and whether it is a call that
    /// may wait for the user.
    async fn accept<B>(
        &self,
        parts: &mut Parts,
        body: B,
        exchange: &mut HttpExchange,
    ) -> Result<(Bytes, bool), Box<InnerResponse>>
    where
        B: Body + Send + 'static,
        B::Error: std::fmt::Display,
    {
        if let Err(reason) = check_parameters(parts) {
            return Err(Box::new(refusal(ErrorData::invalid_request(reason, None))));
        }
        let HttpCaller {
            session_id, token, ..
        } = HttpCaller::from_parts(parts, false);
        let token = token.as_ref().map(Text::as_str);
        let session = session_id.filter(|id| self.sessions.is_of(id, token));
        if session.is_none() {
            replace_session_id(parts);
        }
        if let Some(id) = &session {
            self.sessions.make_room(Some(id)).await;
            self.check_last_event_id(parts, exchange, id)?;
        }
        let Ok(body) = body.collect().await else {
            return Err(Box::new(empty(StatusCode::BAD_REQUEST)));
        };
        let body = body.to_bytes();
        if parts.method != Method::POST {
            if !expects_empty_events(parts, &Value::Null) {
                exchange.drops_empty_data = true;
            }
            return Ok((body, false));
        }
        if let Some(id) = &session {
            exchange.session_use = Some(self.sessions.begin_call(id));
        }
        let Ok(mut message) = serde_json::from_slice::<Value>(&body) else {
            let error = ErrorData::parse_error("The body is not JSON.", None);
            return Err(Box::new(refusal(error)));
        };
        let is_repaired = repair_arguments(&mut message);
        check_message(&message).map_err(|refused| Box::new(refusal(refused)))?;
        if message["method"] == "initialize" && !self.sessions.make_room(None).await {
            return Err(Box::new(empty(StatusCode::SERVICE_UNAVAILABLE)));
        }
        if !expects_empty_events(parts, &message) {
            exchange.drops_empty_data = true;
        }
        let may_wait = message["method"] == "tools/call";
        if !is_repaired {
            return Ok((body, may_wait));
        }
        parts.headers.remove(header::CONTENT_LENGTH);
        Ok((Bytes::from(message.to_string()), may_wait))
    }

    /// A client whose connection was lost says which event it saw last. rmcp would return an empty
    /// response for an event that is not known, and the client would ask again and again.
    fn check_last_event_id(
        &self,
        parts: &mut Parts,
        exchange: &mut HttpExchange,
        session: &str,
    ) -> Result<(), Box<InnerResponse>> {
        let Some(last) = parts.headers.get(LAST_EVENT_HEADER) else {
            return Ok(());
        };
        if parts.method != Method::GET {
            return Ok(());
        }
        let last = last.to_str().unwrap_or_default();
        if last == NO_RESPONSE {
            parts.headers.remove(LAST_EVENT_HEADER);
            return Ok(());
        }
        match self.events.resumption(last, session) {
            Resumption::Possible => {}
            Resumption::OtherSession => return Err(Box::new(empty(StatusCode::NOT_FOUND))),
            Resumption::Unknown => {
                let error = ErrorData::invalid_request(CANNOT_RESUME, None);
                return Err(Box::new(refusal(error)));
            }
        }
        exchange.resume_response_to(&HttpCaller::from_parts(parts, false));
        Ok(())
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

/// Since 2025-11-25, a stream begins with an event without data, so that the client knows an id to resume
/// from. Older clients take it for a message: Gemini CLI would not connect.
fn expects_empty_events(parts: &Parts, message: &Value) -> bool {
    let header = parts.headers.get(VERSION_HEADER);
    let named = header.and_then(|version| version.to_str().ok());
    let version = named.or(message["params"]["protocolVersion"].as_str());
    version.is_some_and(|version| version >= EMPTY_EVENTS_SINCE)
}

/// A session of somebody else is as unknown as one that never was: the transport gets an id that nobody has.
fn replace_session_id(parts: &mut Parts) {
    if let Some(id) = parts.headers.get_mut(SESSION_HEADER)
        && let Ok(nobodys) = HeaderValue::from_str(&Uuid::now_v7().to_string())
    {
        *id = nobodys;
    }
}

fn empty(status: StatusCode) -> InnerResponse {
    let mut response = Response::new(Full::new(Bytes::new()).boxed());
    *response.status_mut() = status;
    response
}

/// A JSON-RPC error in place of a response of rmcp.
fn refusal(refused: impl Into<RefusedMessage>) -> InnerResponse {
    let refused = refused.into();
    let error = json!({"jsonrpc": "2.0", "id": refused.id, "error": refused.error});
    let mut response = Response::new(Full::new(Bytes::from(error.to_string())).boxed());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;

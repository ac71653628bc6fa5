//! One HTTP request with its response: who calls, and whether the response was written.

use parking_lot::Mutex;
use std::sync::Arc;

use askback_core::text::Text;
use askback_wire::credential::AGENT_HEADER;
use askback_wire::limits;
use askback_wire::path::percent_decoded;
use http::request::Parts;
use rmcp::model::{Extensions, RequestId, RequestMetaObject};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::delivery::DeliveryTracker;
use crate::http::project_header::project_in_header;
use crate::http::sessions::{HttpSessions, SessionUse};
use crate::session::CallSession;

/// The header with the session of the `initialize` era.
pub(crate) const SESSION_HEADER: &str = "mcp-session-id";

/// The header in which a client names the person or group whom it asks.
pub const RECIPIENT_HEADER: &str = "Askback-Recipient";

/// What the names of sessions in the address begin with.
const NAMED_PREFIX: &str = "named.";

/// Counts requests whose responses are not complete.
#[derive(Clone)]
pub(crate) struct OpenRequests(Arc<watch::Sender<usize>>);

impl Default for OpenRequests {
    fn default() -> OpenRequests {
        OpenRequests(Arc::new(watch::Sender::new(0)))
    }
}

impl OpenRequests {
    /// Returns when there are none.
    pub(crate) async fn ended(&self) {
        let mut count = self.0.subscribe();
        // The sender lives as long as `self`.
        drop(count.wait_for(|count| *count == 0).await);
    }
}

/// One HTTP request with its response. The tool call and the response body share it.
pub(crate) struct HttpExchange {
    id: Uuid,
    delivery_tracker: Arc<DeliveryTracker>,
    /// Under which key the tracker knows the outcomes in the response.
    delivery: Mutex<Option<RequestId>>,
    /// Cancelled when the response ends, complete or not.
    closed: CancellationToken,
    counted_in: Option<OpenRequests>,
    /// The session that is in use until the call has ended.
    pub(crate) session_use: Option<SessionUse>,
    /// If the request resumes a response: what the keys of its session begin with.
    resumes: Option<String>,
    /// The client takes an event without data for a message.
    pub(crate) drops_empty_data: bool,
}

impl HttpExchange {
    pub(crate) fn new(delivery_tracker: Arc<DeliveryTracker>) -> HttpExchange {
        HttpExchange {
            id: Uuid::now_v7(),
            delivery_tracker,
            delivery: Mutex::default(),
            closed: CancellationToken::new(),
            counted_in: None,
            session_use: None,
            resumes: None,
            drops_empty_data: false,
        }
    }

    /// The response is the rest of an earlier one, to a request of this caller.
    pub(crate) fn resume_response_to(&mut self, caller: &HttpCaller) {
        self.resumes = Some(caller.delivery_prefix());
    }

    /// Counts the request until its response has ended.
    pub(crate) fn count_in(&mut self, open: &OpenRequests) {
        open.0.send_modify(|count| *count += 1);
        self.counted_in = Some(open.clone());
    }

    /// The response will contain the outcomes that are registered under this key.
    pub(crate) fn contains_outcomes(&self, key: RequestId) {
        *self.delivery.lock() = Some(key);
        if self.closed.is_cancelled() {
            self.abandon();
        }
    }

    pub(crate) fn has_outcomes(&self) -> bool {
        self.delivery.lock().is_some()
    }

    /// Whether a result with outcomes may be among the events.
    pub(crate) fn may_have_outcomes(&self) -> bool {
        self.resumes.is_some() || self.has_outcomes()
    }

    /// The result of this request is about to be written. Returns whether it has outcomes.
    pub(crate) fn begin_result(&self, request: &RequestId) -> bool {
        let mut delivery = self.delivery.lock();
        if delivery.is_none()
            && let Some(prefix) = &self.resumes
        {
            let key = delivery_key(prefix, "", request);
            *delivery = self.delivery_tracker.reclaim(&key).then_some(key);
        }
        if let Some(key) = &*delivery {
            self.delivery_tracker.begin_writing(key);
        }
        delivery.is_some()
    }

    /// The response was written to the connection.
    pub(crate) fn response_written(&self) {
        if let Some(key) = self.delivery.lock().take() {
            self.delivery_tracker.response_written(key);
        }
    }

    /// The response body is gone. If it was not written, its outcomes are delivered another time.
    pub(crate) fn close(&self) {
        if let Some(open) = &self.counted_in
            && !self.closed.is_cancelled()
        {
            open.0.send_modify(|count| *count -= 1);
        }
        self.closed.cancel();
        self.abandon();
    }

    /// Returns when the response body is gone.
    pub(crate) async fn closed(&self) {
        self.closed.cancelled().await;
    }

    fn abandon(&self) {
        if let Some(key) = self.delivery.lock().take() {
            self.delivery_tracker.abandon(&key);
        }
    }
}

/// Closes an exchange if the client goes before the response has a body.
pub(crate) struct CloseOnDrop {
    exchange: Arc<HttpExchange>,
    has_body: bool,
}

impl CloseOnDrop {
    pub(crate) fn new(exchange: Arc<HttpExchange>) -> CloseOnDrop {
        CloseOnDrop {
            exchange,
            has_body: false,
        }
    }

    /// The exchange, for the body of the response, which closes it from now on.
    pub(crate) fn keep_open(mut self) -> Arc<HttpExchange> {
        self.has_body = true;
        Arc::clone(&self.exchange)
    }
}

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        if !self.has_body {
            self.exchange.close();
        }
    }
}

/// What a request over HTTP says about its caller.
pub(crate) struct HttpCaller {
    pub(crate) session: CallSession,
    pub(crate) project: Option<Text>,
    /// The name of the agent's token, if it has one of its own.
    pub(crate) token: Option<Text>,
    /// Of [`RECIPIENT_HEADER`], or of `recipient` in the address.
    pub(crate) recipient: Option<String>,
    pub(crate) exchange: Option<Arc<HttpExchange>>,
    /// The id of a session of the `initialize` era.
    pub(crate) session_id: Option<String>,
}

impl HttpCaller {
    /// `None` if the request did not come over HTTP. A request of the stateless era says its protocol
    /// version itself; a session header on it means nothing.
    pub(crate) fn from_extensions(
        extensions: &Extensions,
        meta: Option<&RequestMetaObject>,
    ) -> Option<HttpCaller> {
        let parts = extensions.get::<Parts>()?;
        let stateless = meta.is_some_and(|meta| meta.protocol_version().is_some());
        Some(HttpCaller::from_parts(parts, stateless))
    }

    /// `stateless` says whether the request is of the stateless era.
    pub(crate) fn from_parts(parts: &Parts, stateless: bool) -> HttpCaller {
        let header = |name| parts.headers.get(name)?.to_str().ok().map(str::to_owned);
        let session_id = header(SESSION_HEADER).filter(|_| !stateless);
        let project = project(parts);
        let session = match (&session_id, parameter(parts, "session")) {
            (Some(id), _) => CallSession::agent(&HttpSessions::name(id)),
            (None, Some(named)) => CallSession::agent(&format!("{NAMED_PREFIX}{named}")),
            (None, None) => CallSession::stateless(project.as_deref()),
        };
        let token = parts.headers.get(AGENT_HEADER);
        let recipient = header(RECIPIENT_HEADER);
        let recipient = recipient.or_else(|| parameter(parts, "recipient").map(String::from));
        HttpCaller {
            session,
            project,
            token: token.and_then(|name| Text::name(&percent_decoded(name.as_bytes()))),
            recipient: recipient.filter(|it| !it.is_empty()),
            exchange: parts.extensions.get::<Arc<HttpExchange>>().cloned(),
            session_id,
        }
    }

    /// The key of a response for the delivery tracker. Request ids are unique only within a session.
    pub(crate) fn delivery_key(&self, request: &RequestId) -> RequestId {
        let exchange = self.exchange.as_ref().filter(|_| self.session_id.is_none());
        let id = exchange.map(|exchange| exchange.id.simple().to_string());
        delivery_key(&self.delivery_prefix(), &id.unwrap_or_default(), request)
    }

    /// What the keys of all responses to this session begin with.
    pub(crate) fn delivery_prefix(&self) -> String {
        let project = self.project.as_deref().unwrap_or_default();
        format!("{}\n{project}\n", self.session.name)
    }
}

fn delivery_key(prefix: &str, exchange: &str, request: &RequestId) -> RequestId {
    RequestId::String(format!("{prefix}{exchange}\n{request}").into())
}

/// Refuses a project or session whose name is too long to be stored.
pub(crate) fn check_parameters(parts: &Parts) -> Result<(), String> {
    let session_max = limits::ASKER_SESSION_CHARS_MAX - NAMED_PREFIX.len();
    let in_header = project_in_header(&parts.headers);
    for (place, value, max) in [
        (
            "header `Askback-Project`",
            in_header,
            limits::ASKER_PROJECT_CHARS_MAX,
        ),
        (
            "parameter `project` in the address",
            parameter(parts, "project"),
            limits::ASKER_PROJECT_CHARS_MAX,
        ),
        (
            "parameter `session` in the address",
            parameter(parts, "session"),
            session_max,
        ),
    ] {
        let length = value.map_or(0, |value| value.chars());
        if length > max {
            return Err(format!(
                "The {place} has {length} characters, and at most {max} are possible."
            ));
        }
    }
    Ok(())
}

/// The header is certain, unlike the parameter.
fn project(parts: &Parts) -> Option<Text> {
    project_in_header(&parts.headers).or_else(|| parameter(parts, "project"))
}

/// A value is never cut: two long ones could become the same. See [`check_parameters`].
fn parameter(parts: &Parts, name: &str) -> Option<Text> {
    let query = parts.uri.query()?;
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let (_, value) = pairs.find(|(key, _)| key == name)?;
    Text::name(&value)
}

#[cfg(test)]
#[path = "exchange_tests.rs"]
mod tests;

//! Observes every request from outside: gives it an id, counts it, and logs it.
//!
//! The access log has the target `access` and the level debug: `ASKBACK_LOG=info,access=debug` turns it on. It never
//! contains a body, a query, a path or a token.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use askback_wire::path;
use askback_wire::problem::ProblemCode;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::Instant;
use tracing::Instrument as _;

#[cfg(feature = "otel")]
use crate::request_span::{RequestSpan, RequestStart};
use crate::routes::AppState;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");
const REQUEST_ID_CHARS_MAX: usize = 128;

tokio::task_local! {
    static CURRENT: RequestContext;
}

/// What is known about the request that this task handles.
struct RequestContext {
    id: HeaderValue,
    /// Where it stands in a distributed trace.
    traceparent: Option<String>,
    /// The name of the caller, once they have proved who they are.
    caller: RefCell<Option<String>>,
}

/// The id of the request that this task handles.
pub(crate) fn request_id() -> Option<String> {
    let id = CURRENT.try_with(|current| current.id.to_str().ok().map(str::to_owned));
    id.ok().flatten()
}

/// Where the request that this task handles stands in a distributed trace.
pub(crate) fn traceparent() -> Option<String> {
    let traceparent = CURRENT.try_with(|current| current.traceparent.clone());
    traceparent.ok().flatten()
}

/// Notes who sends the request, for the access log.
pub(crate) fn note_caller(name: impl FnOnce() -> String) {
    if tracing::enabled!(target: "access", tracing::Level::DEBUG) {
        // Without a context there is no request, as in tests.
        drop(CURRENT.try_with(|current| current.caller.replace(Some(name()))));
    }
}

/// The outermost layer, so that refused requests are observed, too. Requests are counted by route, not by path, which
/// contains ids and whatever somebody tries.
pub(crate) async fn observe(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = method_label(request.method());
    let id = id_of(request.headers());
    let span = tracing::error_span!("request", id = id.to_str().unwrap_or_default());
    let traceparent = traceparent_of(request.headers());
    #[cfg(feature = "otel")]
    let exported = RequestSpan::start(&RequestStart {
        method,
        route: route.as_ref().map(MatchedPath::as_str),
        id: id.to_str().unwrap_or_default(),
        traceparent: traceparent.as_deref(),
    });
    let context = RequestContext {
        id: id.clone(),
        traceparent,
        caller: RefCell::default(),
    };
    let (mut response, caller) = CURRENT
        .scope(context, async {
            let response = next.run(request).await;
            (response, CURRENT.with(|current| current.caller.take()))
        })
        .instrument(span)
        .await;
    #[cfg(feature = "otel")]
    exported.end(response.status());
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    count(&state, (method, route), &response);
    tracing::debug!(
        target: "access",
        method,
        route,
        status = response.status().as_u16(),
        duration_ms = started.elapsed().as_secs_f64() * 1000.0,
        caller,
        request_id = id.to_str().unwrap_or_default(),
        "handled a request"
    );
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

fn count(state: &AppState, (method, route): (&'static str, &str), response: &Response) {
    let metrics = state.engine.metrics();
    let labels = [
        ("route", Cow::Owned(route.to_owned())),
        ("method", method.into()),
        ("status", response.status().as_str().to_owned().into()),
    ];
    metrics.requests.get_or_create(&labels).inc();
    if method == "POST"
        && route == path::INQUIRIES
        && let Some(code) = response.extensions().get::<ProblemCode>()
    {
        let labels = [("reason", code.as_str().into())];
        metrics.refused.get_or_create(&labels).inc();
    }
}

/// The id that the client or a proxy has sent, if it is one, or a new one.
fn id_of(headers: &HeaderMap) -> HeaderValue {
    let is_id = |value: &&HeaderValue| {
        let bytes = value.as_bytes();
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:/+=".contains(byte);
        (1..=REQUEST_ID_CHARS_MAX).contains(&bytes.len()) && bytes.iter().all(is_plain)
    };
    let sent = headers.get(REQUEST_ID).filter(is_id);
    sent.cloned().unwrap_or_else(new_id)
}

/// The header of the W3C recommendation "Trace Context", if it is valid: version, trace, parent and flags in hexadecimal.
fn traceparent_of(headers: &HeaderMap) -> Option<String> {
    let sent = headers.get(TRACEPARENT)?.to_str().ok()?;
    let parts: Vec<&str> = sent.split('-').collect();
    let is_hex = |part: &str, length: usize| {
        part.len() == length
            && part
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_set = |part: &str| part.bytes().any(|byte| byte != b'0');
    match parts.as_slice() {
        ["00", trace, parent, flags]
            if is_hex(trace, 32)
                && is_set(trace)
                && is_hex(parent, 16)
                && is_set(parent)
                && is_hex(flags, 2) =>
        {
            Some(sent.to_owned())
        }
        _ => None,
    }
}

/// Unique without a random number for each request: one for the process, and a counter.
fn new_id() -> HeaderValue {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| getrandom::u64().unwrap_or_default());
    static COUNTER: AtomicU64 = AtomicU64::new(1);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    let id = format!("{:016x}-{number:x}", *PROCESS);
    HeaderValue::from_str(&id).unwrap_or_else(|_| HeaderValue::from_static("0"))
}

/// A method as a label: a standard HTTP method, or `other`, because a client can send any text.
fn method_label(method: &Method) -> &'static str {
    const KNOWN: [&str; 9] = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE",
    ];
    let known = KNOWN.into_iter().find(|known| *known == method.as_str());
    known.unwrap_or("other")
}

#[cfg(test)]
#[path = "observe_tests.rs"]
mod tests;

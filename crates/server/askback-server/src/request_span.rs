//! A request as a span of OpenTelemetry. It has what the access log has, except for the caller: no path, query, body or
//! token.

use axum::http::StatusCode;
use opentelemetry::global::{self, BoxedSpan};
use opentelemetry::trace::{
    Span as _, SpanContext, SpanId, SpanKind, Status, TraceContextExt as _, TraceFlags, TraceId,
    TraceState, Tracer as _,
};
use opentelemetry::{Context, KeyValue};

/// Ends when it is dropped, too: then the client was gone before the response.
pub(crate) struct RequestSpan(BoxedSpan);

/// What is known when a request begins.
pub(crate) struct RequestStart<'a> {
    pub(crate) method: &'static str,
    /// The pattern; none for an unknown path.
    pub(crate) route: Option<&'a str>,
    pub(crate) id: &'a str,
    /// Valid, if there is one.
    pub(crate) traceparent: Option<&'a str>,
}

impl RequestSpan {
    /// The names are those of the semantic conventions for HTTP.
    pub(crate) fn start(request: &RequestStart<'_>) -> RequestSpan {
        let method = request.method;
        let name = match request.route {
            Some(route) => format!("{method} {route}"),
            None => method.to_owned(),
        };
        let mut attributes = vec![
            KeyValue::new("http.request.method", method),
            KeyValue::new("askback.request_id", request.id.to_owned()),
        ];
        let route = request.route.map(str::to_owned);
        attributes.extend(route.map(|route| KeyValue::new("http.route", route)));
        let parent = request.traceparent.and_then(remote);
        let parent = parent.map_or_else(Context::new, |parent| {
            Context::new().with_remote_span_context(parent)
        });
        let tracer = global::tracer("askback");
        let span = tracer.span_builder(name).with_kind(SpanKind::Server);
        let span = span.with_attributes(attributes);
        RequestSpan(span.start_with_context(&tracer, &parent))
    }

    pub(crate) fn end(mut self, status: StatusCode) {
        let code = i64::from(status.as_u16());
        let attribute = KeyValue::new("http.response.status_code", code);
        self.0.set_attribute(attribute);
        if status.is_server_error() {
            self.0.set_status(Status::error(""));
        }
    }
}

/// The span of the caller.
fn remote(traceparent: &str) -> Option<SpanContext> {
    let mut parts = traceparent.split('-').skip(1);
    let trace = TraceId::from_hex(parts.next()?).ok()?;
    let span = SpanId::from_hex(parts.next()?).ok()?;
    let flags = TraceFlags::new(u8::from_str_radix(parts.next()?, 16).ok()?);
    let is_remote = true;
    let state = TraceState::NONE;
    Some(SpanContext::new(trace, span, flags, is_remote, state))
}

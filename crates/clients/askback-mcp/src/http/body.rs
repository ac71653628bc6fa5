//! The body of a response over HTTP.
//!
//! It starts before the call has anything to say, because clients count the time until the response
//! headers. It also sees whether the result was written: hyper polls a body again only after it has
//! tried to write what came before, and drops it when the connection has failed.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Response, header};
use http_body::{Body, Frame};
use http_body_util::combinators::BoxBody;
use rmcp::model::RequestId;
use serde_json::Value;
use tokio::time::{Instant, Interval, MissedTickBehavior};

use crate::http::exchange::HttpExchange;
use crate::http::message_check::request_id;

/// Longest silence of an open response. Proxies cut connections that are silent for longer.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// A comment, which clients ignore.
const COMMENT: &[u8] = b": waiting for the user\n\n";

/// The response as rmcp makes it.
pub(crate) type InnerResponse = Response<BoxBody<Bytes, Infallible>>;
/// A response that rmcp has not begun yet.
pub(crate) type PendingResponse = Pin<Box<dyn Future<Output = InnerResponse> + Send>>;

/// The body of a response over HTTP.
pub struct McpBody {
    source: Source,
    exchange: Arc<HttpExchange>,
    progress: WriteProgress,
}

enum Source {
    /// The headers are sent, and rmcp has no response yet.
    Waiting {
        response: PendingResponse,
        /// hyper sends the headers with the first data.
        started: bool,
        keep_alive: Interval,
    },
    /// rmcp's own body.
    Body(BoxBody<Bytes, Infallible>),
    /// rmcp's body is one JSON message, and the headers promised an event stream.
    JsonAsEvent(BoxBody<Bytes, Infallible>),
    Ended,
}

/// How far the result has got.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WriteProgress {
    /// The body has not contained the result of the call.
    NoResult,
    /// hyper has the result.
    ResultTaken,
    /// hyper has had a chance to write it.
    ResultWritten,
}

impl McpBody {
    /// The response that rmcp has made.
    pub(crate) fn respond(
        response: InnerResponse,
        exchange: Arc<HttpExchange>,
    ) -> Response<McpBody> {
        response.map(|body| McpBody::new(Source::Body(body), exchange))
    }

    /// A response whose headers are sent now and whose events follow.
    pub(crate) fn respond_early(
        response: PendingResponse,
        exchange: Arc<HttpExchange>,
    ) -> Response<McpBody> {
        let mut keep_alive = tokio::time::interval_at(Instant::now() + KEEP_ALIVE, KEEP_ALIVE);
        keep_alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let source = Source::Waiting {
            response,
            started: false,
            keep_alive,
        };
        let mut response = Response::new(McpBody::new(source, exchange));
        let headers = [
            (header::CONTENT_TYPE.as_str(), "text/event-stream"),
            (header::CACHE_CONTROL.as_str(), "no-cache"),
            ("x-accel-buffering", "no"),
        ];
        for (name, value) in headers {
            let value = HeaderValue::from_static(value);
            response.headers_mut().insert(name, value);
        }
        response
    }

    fn new(source: Source, exchange: Arc<HttpExchange>) -> McpBody {
        McpBody {
            source,
            exchange,
            progress: WriteProgress::NoResult,
        }
    }

    fn poll_source(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        loop {
            match &mut self.source {
                Source::Waiting {
                    response,
                    started,
                    keep_alive,
                } => {
                    if !std::mem::replace(started, true) {
                        return Poll::Ready(Some(Bytes::from_static(COMMENT)));
                    }
                    if let Poll::Ready(response) = response.as_mut().poll(cx) {
                        self.source = Source::after_headers(response);
                        continue;
                    }
                    let tick = keep_alive.poll_tick(cx);
                    return tick.map(|_| Some(Bytes::from_static(COMMENT)));
                }
                Source::Body(body) => return poll_data(body, cx),
                Source::JsonAsEvent(body) => {
                    let data = std::task::ready!(poll_data(body, cx));
                    return Poll::Ready(data.map(|data| as_event(&data)));
                }
                Source::Ended => return Poll::Ready(None),
            }
        }
    }
}

impl Source {
    /// How a response goes on whose headers are sent already. A plain text error has no place in an
    /// event stream: the stream ends without a result.
    fn after_headers(response: InnerResponse) -> Source {
        let kind = response.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.starts_with("text/event-stream") {
            Source::Body(response.into_body())
        } else if kind.starts_with("application/json") {
            Source::JsonAsEvent(response.into_body())
        } else {
            Source::Ended
        }
    }
}

impl Body for McpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.progress == WriteProgress::ResultWritten {
            self.exchange.response_written();
            return Poll::Ready(None);
        }
        let data = std::task::ready!(self.poll_source(cx));
        if let Some(data) = data {
            if self.exchange.may_have_outcomes()
                && let Some(request) = result_id(&data)
                && self.exchange.begin_result(&request)
            {
                self.progress = WriteProgress::ResultTaken;
            }
            let data = if self.exchange.drops_empty_data {
                without_empty_data(data)
            } else {
                data
            };
            return Poll::Ready(Some(Ok(Frame::data(data))));
        }
        self.source = Source::Ended;
        if self.progress == WriteProgress::NoResult {
            return Poll::Ready(None);
        }
        // hyper writes before it polls again; if the connection has failed, it does not poll again.
        self.progress = WriteProgress::ResultWritten;
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl Drop for McpBody {
    fn drop(&mut self) {
        self.exchange.close();
    }
}

/// The next data of a body, without its trailers.
fn poll_data(body: &mut BoxBody<Bytes, Infallible>, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
    loop {
        match std::task::ready!(Pin::new(&mut *body).poll_frame(cx)) {
            None => return Poll::Ready(None),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Poll::Ready(Some(data));
                }
            }
            Some(Err(never)) => match never {},
        }
    }
}

/// A JSON message without line breaks as an event.
fn as_event(json: &[u8]) -> Bytes {
    [b"data: ", json, b"\n\n"].concat().into()
}

/// An event without its data if that is empty. A client that knows no data in it reads only its id and when to
/// reconnect.
fn without_empty_data(event: Bytes) -> Bytes {
    let lines = || event.split_inclusive(|byte| *byte == b'\n');
    let is_data = |line: &&[u8]| line.starts_with(b"data:");
    let has_data = |line: &[u8]| !line[b"data:".len()..].trim_ascii().is_empty();
    if !lines().any(|line| is_data(&line)) || lines().filter(is_data).any(has_data) {
        return event;
    }
    let rest: Vec<&[u8]> = lines().filter(|line| !is_data(line)).collect();
    rest.concat().into()
}

/// The id of the request whose result an event is. rmcp hands over whole events.
fn result_id(event: &[u8]) -> Option<RequestId> {
    let lines = event.split(|byte| *byte == b'\n');
    let mut data = lines.filter_map(|line| line.strip_prefix(b"data:"));
    data.find_map(|json| {
        let message = serde_json::from_slice::<Value>(json).ok()?;
        message.get("result")?;
        request_id(&message)
    })
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod tests;

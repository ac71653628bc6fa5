//! Reads what is left of the body of a request that was answered before it was read, as a refused one is.
//!
//! A connection that is closed while its client sends may lose the response, and the next request with it. So the
//! rest is read and discarded beside the response, up to a limit of size and time. A connection that ends after the
//! response says so.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use askback_wire::limits;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt as _;
use hyper::body::{Frame, SizeHint};
use tokio::runtime::Handle;

/// For the rest of a body.
const TIME_MAX: Duration = Duration::from_secs(5);

/// The middleware.
pub(crate) async fn discard(request: Request, next: Next) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let ends_connection = Arc::new(AtomicBool::new(false));
    let is_sent = !request.headers().contains_key(header::EXPECT);
    let request = request.map(|body| {
        Body::new(UnreadBody {
            body,
            is_sent,
            ends_connection: Arc::clone(&ends_connection),
        })
    });
    let mut response = next.run(request).await;
    if ends_connection.load(Ordering::Relaxed) {
        let close = HeaderValue::from_static("close");
        response.headers_mut().insert(header::CONNECTION, close);
    }
    response
}

/// A body whose rest is discarded when it is dropped.
struct UnreadBody {
    body: Body,
    /// Whether the client sends it. One with `Expect: 100-continue` waits until somebody reads.
    is_sent: bool,
    /// Set if the connection cannot be used after what is left.
    ends_connection: Arc<AtomicBool>,
}

impl HttpBody for UnreadBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.is_sent = true;
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.body = Body::empty();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for UnreadBody {
    fn drop(&mut self) {
        if self.body.is_end_stream() {
            return;
        }
        let is_too_long = self.body.size_hint().lower() > limits::BODY_BYTES_MAX as u64;
        if is_too_long || !self.is_sent {
            self.ends_connection.store(true, Ordering::Relaxed);
        }
        // Without a runtime there is no connection any more.
        if let (true, Ok(runtime)) = (self.is_sent, Handle::try_current()) {
            let rest = std::mem::take(&mut self.body);
            runtime.spawn(async { tokio::time::timeout(TIME_MAX, discard_rest(rest)).await });
        }
    }
}

async fn discard_rest(rest: Body) {
    let mut chunks = rest.into_data_stream();
    let mut bytes = 0;
    while let Some(Ok(chunk)) = chunks.next().await {
        bytes += chunk.len();
        if bytes > limits::BODY_BYTES_MAX {
            return;
        }
    }
}

#[cfg(test)]
#[path = "unread_body_tests.rs"]
mod tests;

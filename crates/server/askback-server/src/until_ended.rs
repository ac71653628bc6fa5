//! Runs a request of a caller whose access may end, and ends what it has opened with the access.

use std::error::Error as _;
use std::pin::Pin;

use askback_wire::problem::ProblemCode;
use axum::BoxError;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};

use crate::authenticate::Caller;
use crate::problem::problem;
use crate::routes::AppState;

/// The caller has lost access before the body of the request was complete.
#[derive(Debug, thiserror::Error)]
#[error("the access of the caller has ended")]
pub(crate) struct AccessEnded;

impl AccessEnded {
    /// Whether this is why a body could not be read.
    pub(crate) fn caused(error: &axum::Error) -> bool {
        let mut cause = error.source();
        while let Some(error) = cause {
            if error.is::<AccessEnded>() {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

/// Completes when a caller loses access.
type End = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs a request. Reads and feeds end when the caller loses access. Writes are completed once their body is there, because
/// otherwise nobody would know whether they took effect; those that then wait for an outcome see to it themselves.
pub(crate) async fn run_until_ended(
    state: &AppState,
    caller: Caller,
    request: Request,
    next: Next,
) -> Response {
    if caller.lasts() {
        return next.run(request).await;
    }
    let end = || -> End { Box::pin(caller.clone().ended(state.clone())) };
    let mut ended = end();
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let request = request.map(|body| end_body_on(body, end()));
        return end_stream_on(next.run(request).await, ended);
    }
    let response = tokio::select! {
        response = next.run(request) => response,
        () = &mut ended => return problem(ProblemCode::Unauthorized).into_response(),
    };
    end_stream_on(response, ended)
}

/// Fails a body when its caller loses access. Otherwise, a body that is sent slowly would prolong it.
fn end_body_on(body: Body, ended: End) -> Body {
    let reading = Some((body.into_data_stream(), ended));
    Body::from_stream(stream::unfold(reading, async |reading| {
        let (mut chunks, mut ended) = reading?;
        let chunk = tokio::select! {
            biased;
            () = &mut ended => return Some((Err(BoxError::from(AccessEnded)), None)),
            chunk = chunks.next() => chunk?.map_err(BoxError::from),
        };
        Some((chunk, Some((chunks, ended))))
    }))
}

/// Ends a feed when its caller loses access.
fn end_stream_on(response: Response, ended: End) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_feed = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    if !is_feed {
        return response;
    }
    let (parts, body) = response.into_parts();
    let stream = body.into_data_stream().take_until(ended);
    Response::from_parts(parts, Body::from_stream(stream))
}

#[cfg(test)]
#[path = "until_ended_tests.rs"]
mod tests;

//! Bodies are bounded in size and in time.

use std::convert::Infallible;
use std::time::Duration;

use askback_wire::limits;
use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use futures_util::stream;
use tokio::time::Instant;

use super::{BODY_PAUSE_MAX, BODY_TIME_MAX, read_body};

/// A body that sends a byte, and another one after each pause, forever.
fn dripping(pause: Duration) -> Body {
    Body::from_stream(stream::unfold((), move |()| async move {
        tokio::time::sleep(pause).await;
        Some((Ok::<_, Infallible>(Bytes::from_static(b" ")), ()))
    }))
}

async fn refused(body: Body) -> (StatusCode, Duration) {
    let begun = Instant::now();
    let problem = read_body(body).await.expect_err("it is refused");
    (problem.into_response().status(), begun.elapsed())
}

/// Reading stops for a body that pauses, and for one that never ends.
#[tokio::test(start_paused = true)]
async fn slow_body_is_refused() {
    let silent = Body::from_stream(stream::pending::<Result<Bytes, Infallible>>());
    let (status, after) = refused(silent).await;
    assert_eq!(status, StatusCode::REQUEST_TIMEOUT);
    assert_eq!(after.as_secs(), BODY_PAUSE_MAX.as_secs());

    let (status, after) = refused(dripping(Duration::from_secs(5))).await;
    assert_eq!(status, StatusCode::REQUEST_TIMEOUT);
    assert_eq!(after.as_secs(), BODY_TIME_MAX.as_secs());
}

#[tokio::test]
async fn body_is_bounded_in_size() {
    let fits = vec![b' '; limits::BODY_BYTES_MAX];
    assert_eq!(
        read_body(Body::from(fits.clone())).await.unwrap().len(),
        fits.len()
    );
    let more = vec![b' '; limits::BODY_BYTES_MAX + 1];
    assert_eq!(
        refused(Body::from(more)).await.0,
        StatusCode::PAYLOAD_TOO_LARGE
    );
}

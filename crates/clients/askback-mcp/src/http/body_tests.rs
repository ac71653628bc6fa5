//! Goal: an outcome counts as delivered only if the body that contained it was written.

use askback_client::Client;
use askback_core::id::InquiryId;
use http::StatusCode;
use http_body_util::{BodyExt as _, Full};
use std::task::Waker;

use super::*;
use crate::delivery::DeliveryTracker;
use crate::delivery::in_flight::InFlightQuestions;

const RESULT: &str = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n";
const PROGRESS: &str = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n";

/// An exchange whose response contains an outcome. The question is in flight until it is delivered
/// or abandoned.
fn exchange() -> (Arc<HttpExchange>, InFlightQuestions) {
    let client = Client::new("http://127.0.0.1:1", None).unwrap();
    let (tracker, _) = DeliveryTracker::start(client);
    let in_flight = InFlightQuestions::default();
    let key = RequestId::Number(1);
    tracker.register(&key, vec![in_flight.track(&question())]);
    let exchange = Arc::new(HttpExchange::new(tracker));
    exchange.contains_outcomes(key);
    (exchange, in_flight)
}

fn question() -> InquiryId {
    InquiryId::new("inq_1")
}

fn body_of(text: &'static str, exchange: &Arc<HttpExchange>) -> McpBody {
    let response = Response::new(Full::new(Bytes::from(text)).boxed());
    McpBody::respond(response, Arc::clone(exchange)).into_body()
}

fn poll(body: &mut McpBody) -> Poll<Option<String>> {
    let mut cx = Context::from_waker(Waker::noop());
    let frame = Pin::new(body).poll_frame(&mut cx);
    frame.map(|frame| {
        let data = frame?.unwrap().into_data().unwrap();
        Some(String::from_utf8(data.to_vec()).unwrap())
    })
}

fn data(text: &str) -> Poll<Option<String>> {
    Poll::Ready(Some(text.to_owned()))
}

#[tokio::test]
async fn result_is_delivered_when_the_body_is_polled_after_a_write() {
    let (exchange, _) = exchange();
    let mut body = body_of(RESULT, &exchange);
    assert_eq!(poll(&mut body), data(RESULT));
    assert!(exchange.has_outcomes());
    assert_eq!(poll(&mut body), Poll::Pending);
    assert!(exchange.has_outcomes());
    assert_eq!(poll(&mut body), Poll::Ready(None));
    assert!(!exchange.has_outcomes());
}

#[tokio::test]
async fn result_of_a_failed_connection_is_delivered_another_time() {
    for polls in 0..3 {
        let (exchange, in_flight) = exchange();
        let mut body = body_of(RESULT, &exchange);
        for _ in 0..polls {
            assert_ne!(poll(&mut body), Poll::Ready(None));
        }
        assert!(in_flight.contains(&question()));
        drop(body);
        assert!(!in_flight.contains(&question()));
    }
}

#[tokio::test]
async fn stream_that_ends_without_the_result_delivers_nothing() {
    let (exchange, in_flight) = exchange();
    let mut body = body_of(PROGRESS, &exchange);
    assert_eq!(poll(&mut body), data(PROGRESS));
    assert_eq!(poll(&mut body), Poll::Ready(None));
    assert!(exchange.has_outcomes());
    drop(body);
    assert!(!in_flight.contains(&question()));
}

#[tokio::test]
async fn outcome_of_a_call_that_ends_after_its_response_is_not_in_flight() {
    let client = Client::new("http://127.0.0.1:1", None).unwrap();
    let (tracker, _) = DeliveryTracker::start(client);
    let exchange = HttpExchange::new(Arc::clone(&tracker));
    exchange.close();
    let in_flight = InFlightQuestions::default();
    let key = RequestId::Number(1);
    tracker.register(&key, vec![in_flight.track(&question())]);
    exchange.contains_outcomes(key);
    assert!(!in_flight.contains(&question()));
}

#[tokio::test]
async fn early_response_starts_with_a_comment_and_wraps_json() {
    let (exchange, _) = exchange();
    let (finish, finished) = tokio::sync::oneshot::channel();
    let response: PendingResponse = Box::pin(async move {
        let message: &'static str = finished.await.unwrap();
        let mut response = Response::new(Full::new(Bytes::from(message)).boxed());
        *response.status_mut() = StatusCode::BAD_REQUEST;
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    });
    let response = McpBody::respond_early(response, exchange);
    assert_eq!(response.status(), StatusCode::OK);
    let mut body = response.into_body();
    let Poll::Ready(Some(comment)) = poll(&mut body) else {
        panic!("no comment");
    };
    assert!(comment.starts_with(": "), "{comment}");
    assert_eq!(poll(&mut body), Poll::Pending);
    finish.send("{\"id\":1,\"error\":{}}").unwrap();
    let event = "data: {\"id\":1,\"error\":{}}\n\n";
    assert_eq!(poll(&mut body), data(event));
    assert_eq!(poll(&mut body), Poll::Ready(None));
}

/// Older clients, such as Gemini CLI, take an event without data for a message.
#[test]
fn empty_data_is_removed_and_other_data_is_not() {
    let removed = |event: &'static str| without_empty_data(Bytes::from_static(event.as_bytes()));
    assert_eq!(
        removed("data:\nid: 0/a\nretry: 3000\n\n"),
        "id: 0/a\nretry: 3000\n\n"
    );
    assert_eq!(removed("data: \nid: 0/a\n\n"), "id: 0/a\n\n");
    for event in [
        "data: {}\nid: 1/a\n\n",
        ": waiting\n\n",
        "data:\ndata: {}\n\n",
    ] {
        assert_eq!(removed(event), event);
    }
}

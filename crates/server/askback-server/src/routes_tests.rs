//! Requests with unusable parameters are refused with a problem that says what is allowed.

use askback_wire::problem::ProblemResponse;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use tower::ServiceExt as _;

use crate::openapi::tests::{TOKEN, idle_engine, router_of};

/// The status and the detail of the response to `GET path`.
async fn get(path: &str, last_event_id: Option<&str>) -> (StatusCode, String) {
    let (engine, _directory) = idle_engine().await;
    let mut request = Request::builder()
        .uri(path)
        .header(header::HOST, "localhost")
        .header(header::AUTHORIZATION, format!("Bearer {TOKEN}"));
    if let Some(id) = last_event_id {
        request = request.header("last-event-id", id);
    }
    let request = request.body(Body::empty()).unwrap();
    let response = router_of(engine).await.oneshot(request).await.unwrap();
    let status = response.status();
    if status.is_success() {
        return (status, String::new());
    }
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
    let problem: ProblemResponse = serde_json::from_slice(&body.unwrap()).unwrap();
    (status, problem.detail)
}

#[tokio::test]
async fn unusable_parameters_are_refused_with_what_is_allowed() {
    let statuses = "`status` must be one of pending, answered, declined, cancelled, rejected, \
                    superseded, expired, withdrawn, undeliverable, not \"bogus\".";
    let limit = "`limit` must be a number from 1 to 200.";
    let last = "`Last-Event-ID` must be the `id` of an event of this feed: a number.";
    for (path, last_event_id, detail) in [
        ("/inquiries?status=bogus", None, statuses),
        ("/inquiries?limit=0", None, limit),
        (
            "/inquiries?asker_client=a&conversation_id=conv_1",
            None,
            "Send `asker_client` or `conversation_id`, not both.",
        ),
        (
            "/inquiries?asker_client=a&status=answered",
            None,
            "With `asker_client`, `status` is `pending`. Without `status`, the list has the outcomes that were not \
             delivered.",
        ),
        ("/conversations?limit=0", None, limit),
        ("/events", Some("abc"), last),
        ("/events?after=1", Some("-1"), last),
    ] {
        let expected = (StatusCode::BAD_REQUEST, detail.to_owned());
        assert_eq!(get(path, last_event_id).await, expected, "{path}");
    }
}

#[tokio::test]
async fn usable_parameters_are_accepted() {
    for (path, last_event_id) in [
        ("/inquiries?status=pending&limit=1", None),
        ("/inquiries?asker_client=a&status=pending", None),
        ("/conversations?limit=200", None),
        ("/conversations?limit=1000", None),
        ("/events", Some("0")),
        ("/events", Some(" 0 ")),
        ("/events", Some("")),
    ] {
        let (status, detail) = get(path, last_event_id).await;
        assert_eq!(status, StatusCode::OK, "{path}: {detail}");
    }
}

#[tokio::test]
async fn unknown_ids_are_named() {
    for (path, detail) in [
        ("/inquiries/inq_1", "No question has the id inq_1."),
        ("/inquiries/inq_1?wait=0", "No question has the id inq_1."),
        (
            "/conversations/conv_1",
            "No conversation has the id conv_1.",
        ),
        (
            "/conversations/conv_1/events",
            "No conversation has the id conv_1.",
        ),
        (
            "/nothing",
            "Nothing is served at this path. See /openapi.json.",
        ),
    ] {
        let expected = (StatusCode::NOT_FOUND, detail.to_owned());
        assert_eq!(get(path, None).await, expected, "{path}");
    }
}

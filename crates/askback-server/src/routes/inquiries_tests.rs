//! Goal: asking and answering read nothing back from the store, and reply with what it holds.

use askback_store::SqliteOptions;
use axum::body::to_bytes;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};

use crate::openapi::tests::{idle_engine_with, post, respond, router_of};

async fn json_of(response: Response, expected: StatusCode) -> Value {
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(status, expected, "{body}");
    body
}

/// A cycle of an external agent costs its two commits and no read.
#[tokio::test]
async fn asking_and_answering_read_nothing() {
    let options = SqliteOptions::default();
    let (engine, _file) = idle_engine_with("no-reads", options.clone()).await;
    let router = router_of(engine);
    let question = json!({
        "dialect": "question",
        "input": {"question": "Which?", "options": ["A", "B"]},
        "source": "deploy agent",
        "expires_in": "2h",
    });
    options.faults.fail_reads(true);
    let asked = post(&router, "/inquiries", &question).await;
    let asked = json_of(asked, StatusCode::CREATED).await;
    let path = format!("/inquiries/{}", asked["id"].as_str().unwrap());
    options.faults.fail_reads(false);
    let read = respond(&router, &Method::GET, &path).await;
    assert_eq!(json_of(read, StatusCode::OK).await, asked);

    options.faults.fail_reads(true);
    let answer = json!({"answers": {"q1": "A"}});
    let answered = post(&router, &format!("{path}/answer"), &answer).await;
    let answered = json_of(answered, StatusCode::OK).await;
    assert_eq!(answered["status"], "answered");
    options.faults.fail_reads(false);
    let read = respond(&router, &Method::GET, &path).await;
    assert_eq!(json_of(read, StatusCode::OK).await, answered);
}

/// The delivery to an agent that identified itself changes without a commit of its conversation, so
/// the reply to an answer has it as it is in the store.
#[tokio::test]
async fn replies_have_the_asker_as_it_is_stored() {
    let (engine, _file) = idle_engine_with("asker", SqliteOptions::default()).await;
    let router = router_of(engine);
    let question = json!({
        "dialect": "question",
        "input": {"question": "Which?", "options": ["A", "B"]},
        "asker": {"client": "agent", "project": "/p", "session": "s"},
    });
    let asked = post(&router, "/inquiries", &question).await;
    let asked = json_of(asked, StatusCode::CREATED).await;
    let path = format!("/inquiries/{}", asked["id"].as_str().unwrap());
    let read = respond(&router, &Method::GET, &path).await;
    assert_eq!(json_of(read, StatusCode::OK).await, asked);

    let started = json!({"state": "started"});
    let started = post(&router, &format!("{path}/delivery"), &started).await;
    assert_eq!(started.status(), StatusCode::NO_CONTENT);
    let answer = json!({"answers": {"q1": "A"}});
    let answered = post(&router, &format!("{path}/answer"), &answer).await;
    let answered = json_of(answered, StatusCode::OK).await;
    assert_eq!(answered["asker"]["delivery_attempts"], 1);
    let read = respond(&router, &Method::GET, &path).await;
    assert_eq!(json_of(read, StatusCode::OK).await, answered);
}

//! Goal: asking and answering read nothing back from the store, and respond with what it holds. How long a request takes
//! does not decide whether it is valid.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use askback_core::conversation::command::{Command, Target};
use askback_core::id::ConversationId;
use askback_core::outcome::{Actor, Surface};
use askback_core::text::Text;
use askback_engine::ports::PortFuture;
use askback_engine::{Clock, SystemClock};
use askback_store::SqliteOptions;
use axum::body::to_bytes;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::openapi::tests::{
    idle_engine, idle_engine_at, idle_engine_with, post, respond, router_of, send,
};

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
    let (engine, _directory) = idle_engine_with(options.clone()).await;
    let router = router_of(engine).await;
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

/// Whoever comes too late is told who was first. If that cannot be read, the request is to be repeated.
#[tokio::test]
async fn late_request_is_not_refused_without_the_winner() {
    let options = SqliteOptions::default();
    let (engine, _directory) = idle_engine_with(options.clone()).await;
    let router = router_of(engine).await;
    let question = json!({"input": {"question": "Which?", "options": ["A", "B"]}});
    let asked = post(&router, "/inquiries", &question).await;
    let asked = json_of(asked, StatusCode::CREATED).await;
    let path = format!("/inquiries/{}/answer", asked["id"].as_str().unwrap());
    let answered = post(&router, &path, &json!({"answers": {"q1": "A"}})).await;
    json_of(answered, StatusCode::OK).await;

    let conversation = asked["conversation_id"].as_str().unwrap();
    let path = format!("/conversations/{conversation}/decline");
    let late = json!({"inquiry_id": asked["id"]});
    options.faults.fail_reads(true);
    let problem = post(&router, &path, &late).await;
    let problem = json_of(problem, StatusCode::SERVICE_UNAVAILABLE).await;
    assert_eq!(problem["code"], "store_unavailable");
    options.faults.fail_reads(false);
    let problem = post(&router, &path, &late).await;
    let problem = json_of(problem, StatusCode::CONFLICT).await;
    assert_eq!(problem["winner"]["outcome"]["answers"][0]["values"][0], "A");
}

/// Who was forgotten has a pseudonym there, too.
#[tokio::test]
async fn winner_who_was_forgotten_is_not_named() {
    let (engine, _directory) = idle_engine().await;
    let router = router_of(engine.clone()).await;
    let question = json!({"input": {"question": "Which?", "options": ["A", "B"]}});
    let asked = post(&router, "/inquiries", &question).await;
    let asked = json_of(asked, StatusCode::CREATED).await;
    let answer = Command::Answer {
        target: Target::Pending,
        answers: json!({"q1": "A"}),
        notes: None,
    };
    let conversation = ConversationId::new(asked["conversation_id"].as_str().unwrap());
    let by = Actor::new(Text::name("Annabel"), Surface::Http);
    engine.submit(&conversation, answer, by).await.unwrap();
    let names = json!({"names": ["Annabel"]});
    let forgotten = post(&router, "/recipients/annabel/forget", &names).await;
    let forgotten = json_of(forgotten, StatusCode::OK).await;

    let path = format!("/inquiries/{}/answer", asked["id"].as_str().unwrap());
    let late = post(&router, &path, &json!({"answers": {"q1": "B"}})).await;
    let problem = json_of(late, StatusCode::CONFLICT).await;
    assert_eq!(problem["winner"]["answered_by"], forgotten["pseudonym"]);
}

/// The delivery to an agent that identified itself changes without a commit of its conversation, so
/// the response to an answer has it as it is in the store.
#[tokio::test]
async fn responses_have_the_asker_as_it_is_stored() {
    let (engine, _directory) = idle_engine().await;
    let router = router_of(engine).await;
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

    let detached = json!({"state": "detached"});
    let detached = post(&router, &format!("{path}/delivery"), &detached).await;
    assert_eq!(detached.status(), StatusCode::NO_CONTENT);
    let answer = json!({"answers": {"q1": "A"}});
    let answered = post(&router, &format!("{path}/answer"), &answer).await;
    let answered = json_of(answered, StatusCode::OK).await;
    assert_eq!(answered["asker"]["detached"], true);
    let read = respond(&router, &Method::GET, &path).await;
    assert_eq!(json_of(read, StatusCode::OK).await, answered);
}

/// Each time it is read it is ten seconds later, as on a node that is paused all the time.
struct PausedNodeClock(AtomicI64);

impl Clock for PausedNodeClock {
    fn now(&self) -> Timestamp {
        let seconds = self.0.fetch_add(10, Ordering::SeqCst);
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    fn sleep_until(&self, _: Timestamp) -> PortFuture<'_, ()> {
        Box::pin(std::future::pending())
    }

    fn seed(&self) -> u128 {
        SystemClock.seed()
    }
}

/// The field and its limit are named, also of a time that no calendar has.
#[tokio::test]
async fn deadline_that_is_too_far_is_refused_with_the_latest() {
    let clock = Arc::new(PausedNodeClock(AtomicI64::new(0)));
    let (engine, _file) = idle_engine_at(clock, SqliteOptions::default()).await;
    let router = router_of(engine).await;
    for (field, value, limit) in [
        ("expires_at", "2999-01-01T00:00:00Z", "2028-01-16T"),
        ("expires_at", "9999-12-31T23:59:59Z", "2028-01-16T"),
        ("expires_at", "+012345-01-01T00:00:00Z", "2028-01-16T"),
        ("expires_in", "367d", "366 days"),
    ] {
        let question = json!({"input": {"question": "Which?", "options": ["A"]}, field: value});
        let refused = post(&router, "/inquiries", &question).await;
        let refused = json_of(refused, StatusCode::UNPROCESSABLE_ENTITY).await;
        assert_eq!(refused["code"], "deadline_too_far", "{value}");
        let detail = refused["detail"].as_str().unwrap();
        let begin = format!("`{field}` can be {limit}");
        assert!(detail.starts_with(&begin), "{detail}");
    }
}

/// A span of a request begins when it is decided, so that a pause before that does not use it up.
#[tokio::test]
async fn a_request_with_a_short_span_is_accepted_however_long_it_takes() {
    let clock = Arc::new(PausedNodeClock(AtomicI64::new(0)));
    let (engine, _directory) = idle_engine_at(clock, SqliteOptions::default()).await;
    let router = router_of(engine).await;
    let question = json!({
        "dialect": "question",
        "input": {"question": "Which?", "options": ["A", "B"]},
        "expires_in": "1d",
    });
    let span = json!({"expires_in": "1s"});
    let answer = json!({"answers": {"q1": "A"}, "undo_seconds": 1});
    for (method, action, body) in [
        (Method::POST, "answer", &answer),
        (Method::POST, "decline", &json!({"undo_seconds": 1})),
        (Method::POST, "keep-open", &span),
        (Method::PUT, "deadline", &span),
    ] {
        let asked = post(&router, "/inquiries", &question).await;
        let asked = json_of(asked, StatusCode::CREATED).await;
        let path = format!("/inquiries/{}/{action}", asked["id"].as_str().unwrap());
        let done = send(&router, &method, &path, body).await;
        json_of(done, StatusCode::OK).await;
    }
}

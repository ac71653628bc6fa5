//! Goal: a client that resumes after its last id misses nothing, even if the store fails in between.

use std::time::Duration;

use askback_core::conversation::command::{Command, RespondentAction, Target};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::outcome::{Actor, Surface};
use askback_engine::CommitOptions;
use askback_store::SqliteOptions;
use axum::Router;
use axum::body::BodyDataStream;
use axum::http::Method;
use futures_util::StreamExt as _;
use jiff::SignedDuration;
use serde_json::json;

use crate::openapi::tests::{idle_engine_with, respond, router_of};

async fn open(router: &Router, path: &str) -> BodyDataStream {
    let response = respond(router, &Method::GET, path).await;
    response.into_body().into_data_stream()
}

/// The text of a feed until it contains `until`, or ends.
async fn read(feed: &mut BodyDataStream, until: &str) -> String {
    let mut text = String::new();
    let reading = async {
        while !text.contains(until)
            && let Some(chunk) = feed.next().await
        {
            text.push_str(&String::from_utf8_lossy(&chunk.unwrap()));
        }
    };
    let read = tokio::time::timeout(Duration::from_mins(1), reading).await;
    read.expect("it comes, or the feed ends");
    text
}

/// F-S33: an event for which the store could not be read used to be left out, and the next id skipped
/// it for good.
#[tokio::test]
async fn a_feed_ends_before_an_event_that_it_cannot_read() {
    let options = SqliteOptions::default();
    let (engine, _file) = idle_engine_with("feed-ends", options.clone()).await;
    let input = json!({"question": "Which?", "options": ["A"]});
    let parsed = Dialect::Question.parse(&input, ParseOptions::default());
    let by = || Actor::new(None, Surface::Http);
    let asked = engine.ask(
        parsed.unwrap().inquiry,
        None,
        by(),
        CommitOptions::default(),
    );
    let id = asked.await.unwrap().conversation.settings.id.clone();
    let newest = engine.store().newest_sequence().await.unwrap();
    let router = router_of(engine.clone());
    let mut feed = open(&router, "/events").await;
    read(&mut feed, &format!("id: {newest}\n")).await;
    options.faults.fail_reads(true);
    let hold = Command::AnswerWithUndo {
        target: Target::Pending,
        reply: RespondentAction::Decline,
        window: SignedDuration::from_secs(30),
    };
    engine.submit(&id, hold, by()).await.unwrap();
    let rest = read(&mut feed, "inquiry_held").await;
    assert_eq!(rest, "", "nothing goes past the event");
    options.faults.fail_reads(false);
    let mut resumed = open(&router, &format!("/events?after={newest}")).await;
    let frames = read(&mut resumed, "inquiry_held").await;
    assert!(frames.contains("inquiry_held"), "{frames}");
}

//! What one feed does, or fails to do, never holds up another.

use std::future::Future as _;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::outcome::{Actor, Surface};
use askback_engine::{CommitOptions, Engine, LogEntry};
use serde_json::json;

use super::Telling;
use crate::openapi::tests::{StoreFile, idle_engine};

/// Far more than a read of the store takes.
const PATIENCE: Duration = Duration::from_secs(30);

/// An engine with a question in it, and the records of that.
async fn asked(name: &str) -> (Engine, Vec<Arc<LogEntry>>, StoreFile) {
    let (engine, file) = idle_engine(name).await;
    let input = json!({"question": "Which?", "options": ["A"]});
    let parsed = Dialect::Question.parse(&input, ParseOptions::default());
    let by = Actor {
        name: None,
        surface: Surface::Http,
    };
    let asked = engine.ask(parsed.unwrap().inquiry, None, by, CommitOptions::default());
    asked.await.unwrap();
    let newest = engine.store().newest_sequence().await.unwrap();
    let mut listener = engine.listen(None, Some(0)).await.unwrap();
    let mut records = Vec::new();
    while listener.last() < newest {
        records.push(listener.next().await.unwrap());
    }
    assert!(records.len() > 1, "several records");
    (engine, records, file)
}

/// F-S36: a feed whose reader stopped reading is not driven any more, in the middle of its work. All
/// other feeds used to wait for it, with heartbeats and without an event, until it was cut off.
#[tokio::test]
async fn a_feed_that_stands_still_holds_up_no_other() {
    let (engine, records, _file) = asked("stands-still").await;
    for at in 0..records.len() {
        let telling = Telling::default();
        let mut still = pin!(telling.tell(&engine, &records[at]));
        let first = still.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        for recorded in &records[at..] {
            let told = tokio::time::timeout(PATIENCE, telling.tell(&engine, recorded)).await;
            assert!(told.expect("it is told").is_some(), "record {at}");
        }
        drop(first);
    }
}

/// F-S36: a feed that ends in the middle of its work leaves nothing behind that changes what others are
/// told.
#[tokio::test]
async fn a_feed_that_ends_halfway_changes_nothing_for_the_others() {
    let (engine, records, _file) = asked("ends-halfway").await;
    let whole = Telling::default();
    let halfway = Telling::default();
    for recorded in &records {
        {
            let mut ended = pin!(halfway.tell(&engine, recorded));
            let first = ended.as_mut().poll(&mut Context::from_waker(Waker::noop()));
            drop(first);
        }
        let expected = whole.tell(&engine, recorded).await;
        assert_eq!(halfway.tell(&engine, recorded).await, expected);
    }
}

/// Two feeds come to different records at the same time: what each is told does not depend on who is
/// first.
#[tokio::test]
async fn records_are_taken_in_their_order() {
    let (engine, records, _file) = asked("in-order").await;
    let whole = Telling::default();
    let mut expected = Vec::new();
    for recorded in &records {
        expected.push(whole.tell(&engine, recorded).await);
    }
    let telling = Telling::default();
    let all = records
        .iter()
        .map(|recorded| telling.tell(&engine, recorded));
    assert_eq!(futures_util::future::join_all(all).await, expected);
}

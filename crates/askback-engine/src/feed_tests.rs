//! The feed is in order and without a gap, whatever reaches the publisher, and when.

use std::sync::Arc;

use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::ConversationId;
use askback_store::{Commit, NewConversation, NewEvent, Snapshot};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;

use super::{BYTES_HELD, Feed, RecordReceiver, Recorded};
use crate::commit::Extras;
use crate::event_log::Log;
use crate::listener::{self, Listener};
use crate::storage_format::Record;
use crate::world::{Model, OneApp, Scratch, engine, question, somebody, within};

/// What a store holds after so many questions, with the feed of a publisher that heard of none.
async fn unheard(scratch: &Scratch, questions: usize) -> (Feed, Vec<Arc<Recorded>>) {
    let (feed, _, all) = unheard_in(scratch, questions).await;
    (feed, all)
}

/// The same with the log.
async fn unheard_in(scratch: &Scratch, questions: usize) -> (Feed, Arc<Log>, Vec<Arc<Recorded>>) {
    let store = scratch.store();
    let log = Arc::new(Log::new(Arc::clone(&store)));
    let feed = Feed::start(Arc::clone(&log)).await.unwrap();
    let engine = engine(
        Arc::clone(&store),
        Model("none", Value::Null),
        OneApp::default(),
    );
    let engine = engine.await;
    for number in 0..questions {
        let input = json!({"question": format!("Which {number}?"), "options": ["A"]});
        let parsed = Dialect::Question.parse(&input, ParseOptions::default());
        let inquiry = parsed.unwrap().inquiry;
        let asked = engine.ask(inquiry, None, somebody(), Extras::default());
        asked.await.unwrap();
    }
    let all = log.after(None, 0, 10_000).await;
    let all = all.unwrap().into_iter().map(Arc::new).collect();
    (feed, log, all)
}

async fn published(listening: &mut RecordReceiver, count: usize) -> Vec<Arc<Recorded>> {
    let mut seen = Vec::new();
    while seen.len() < count {
        let next = within("the feed goes on", listening.recv()).await;
        seen.push(next.expect("not too slow"));
    }
    seen
}

#[tokio::test]
async fn what_arrives_out_of_order_is_published_in_order() {
    let scratch = Scratch::new();
    let (feed, all) = unheard(&scratch, 3).await;
    let mut listening = feed.records();
    for recorded in all.iter().rev() {
        feed.publish(vec![Arc::clone(recorded)]);
    }
    assert_eq!(published(&mut listening, all.len()).await, all);
}

/// More than a page is missing: all of it is read, and none of it twice.
#[tokio::test]
async fn what_never_arrives_is_read_from_the_store() {
    let scratch = Scratch::new();
    let (feed, all) = unheard(&scratch, listener::PAGE).await;
    assert!(all.len() > 2 * listener::PAGE, "several pages");
    let mut listening = feed.records();
    feed.publish(vec![Arc::clone(all.last().unwrap())]);
    assert_eq!(published(&mut listening, all.len()).await, all);
    feed.publish(vec![Arc::clone(&all[0])]);
    assert!(listening.try_recv().is_err(), "nothing twice");
}

/// A listener begins in the log and goes on with the feed: what lies on the seam comes once.
#[tokio::test]
async fn listener_crosses_from_the_log_to_the_feed() {
    let scratch = Scratch::new();
    let (feed, log, all) = unheard_in(&scratch, 4).await;
    let after = all[1].sequence;
    let listener = Listener::start(log, &feed, None, Some(after));
    let mut listener = listener.await.unwrap();
    feed.publish(all.clone());
    for expected in &all[2..] {
        let next = within("the listener goes on", listener.next()).await;
        assert_eq!(next.unwrap(), *expected);
    }
    assert_eq!(listener.last(), all.last().unwrap().sequence);
}

/// F-S7: a listener that falls behind by too many bytes loses them, however few records they are, and
/// is told so. The others get everything.
#[tokio::test]
async fn records_behind_are_bounded_by_bytes() {
    let scratch = Scratch::new();
    let (feed, all) = unheard(&scratch, 8).await;
    let large = BYTES_HELD / 4;
    let records: Vec<_> = all
        .iter()
        .map(|recorded| {
            Arc::new(Recorded {
                bytes: large,
                ..Recorded::clone(recorded)
            })
        })
        .collect();
    let (mut slow, mut quick) = (feed.records(), feed.records());
    for recorded in &records {
        feed.publish(vec![Arc::clone(recorded)]);
        let published = published(&mut quick, 1).await;
        assert_eq!(published, [Arc::clone(recorded)]);
    }
    assert!(matches!(slow.recv().await, Err(RecvError::Lagged(_))));
    let held = records
        .iter()
        .filter(|recorded| Arc::strong_count(recorded) > 1);
    assert!(held.count() * large <= BYTES_HELD);
}

/// A commit with an event that nobody can read.
fn damaged() -> Commit {
    let event = NewEvent {
        kind: "started".to_owned(),
        json: "{".to_owned(),
    };
    Commit {
        conversation: ConversationId::from(7_u128),
        expected: None,
        create: Some(NewConversation {
            driver: "external".to_owned(),
            app: None,
            parent: None,
        }),
        snapshot: Snapshot {
            version: 1,
            state: "idle".to_owned(),
            title: None,
            json: "{}".to_owned(),
        },
        events: vec![event],
        inquiries: Vec::new(),
        jobs: Vec::new(),
        ended_timers: Vec::new(),
        done: Vec::new(),
        closes: false,
        keys: Vec::new(),
        at: Timestamp::UNIX_EPOCH,
    }
}

/// F-S33: one row that cannot be read used to stop the feed for everybody, live and read back.
#[tokio::test]
async fn an_unreadable_row_is_told_and_the_feed_goes_on() {
    let scratch = Scratch::new();
    let model = Model("none", Value::Null);
    let engine = engine(scratch.store(), model, OneApp::default()).await;
    let mut live = engine.feed().records();
    let first = engine.store().commit(damaged()).await.unwrap().first;
    let asked = engine.ask(question(), None, somebody(), Extras::default());
    let asked = asked.await.unwrap();
    let live = published(&mut live, 2).await;
    let mut listener = engine.listen(None, Some(0)).await.unwrap();
    let mut read = Vec::new();
    while read.len() < 2 {
        let next = within("the listener goes on", listener.next()).await;
        read.push(next.unwrap());
    }
    for records in [live, read] {
        assert_eq!(records[0].sequence, first);
        assert_eq!(records[0].record, Record::Unreadable);
        assert_eq!(records[1].sequence, asked.first);
        assert!(matches!(records[1].record, Record::Event(_)));
    }
}

//! Goal: the feed is in order and without a gap, whatever reaches the publisher, and when.

use std::sync::Arc;
use std::time::Duration;

use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{ConversationId, InquiryId};
use askback_store::{Commit, NewConversation, NewRecord, Snapshot};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::{Feed, FeedLimits, GAP_TIMEOUT, GapFiller, RecordReceiver};
use crate::commit::CommitOptions;
use crate::fixtures::{
    OneApp, OneToolModel, TempStore, engine, http_actor, question, with_timeout,
};
use crate::listener::{self, FeedListener};
use crate::record::Record;
use crate::record_log::RecordLog;

/// A feed whose publisher got nothing, and the records of that many questions in the store.
async fn unpublished(temp_store: &TempStore, questions: usize) -> (Feed, Vec<Arc<Record>>) {
    let (feed, _, all) = unpublished_with_log(temp_store, questions).await;
    (feed, all)
}

/// The same, with the event log.
async fn unpublished_with_log(
    temp_store: &TempStore,
    questions: usize,
) -> (Feed, Arc<RecordLog>, Vec<Arc<Record>>) {
    let store = temp_store.store();
    let log = Arc::new(RecordLog::new(Arc::clone(&store)));
    let feed = Feed::start(Arc::clone(&log), FeedLimits::default())
        .await
        .unwrap();
    let engine = engine(
        Arc::clone(&store),
        OneToolModel("none", Value::Null),
        OneApp::default(),
    );
    let engine = engine.await;
    for number in 0..questions {
        let input = json!({"question": format!("Which {number}?"), "options": ["A"]});
        let parsed = Dialect::Question.parse(&input, ParseOptions::default());
        let inquiry = parsed.unwrap().inquiry;
        let asked = engine.ask(inquiry, None, http_actor(), CommitOptions::default());
        asked.await.unwrap();
    }
    let all = log.records_after(None, 0, 10_000).await;
    let all: Vec<_> = all.unwrap().into_iter().map(Arc::new).collect();
    assert_eq!(all.len(), questions);
    (feed, log, all)
}

async fn published(listening: &mut RecordReceiver, count: usize) -> Vec<Arc<Record>> {
    let mut seen = Vec::new();
    while seen.len() < count {
        let next = with_timeout("the feed goes on", listening.recv()).await;
        seen.push(next.expect("not too slow"));
    }
    seen
}

/// The record of an outcome may have been deleted before it was read, so those who wait look for
/// themselves. Found by seed 65 of the simulation.
#[tokio::test]
async fn filling_a_gap_wakes_long_polls() {
    let temp_store = TempStore::new();
    let (feed, _) = unpublished(&temp_store, 1).await;
    let mut waiter = feed.waiters().add(&InquiryId::new("inq_1"));
    feed.catch_up();
    with_timeout("the waiter is woken", waiter.resolved()).await;
}

#[tokio::test]
async fn entries_out_of_order_are_published_in_order() {
    let temp_store = TempStore::new();
    let (feed, all) = unpublished(&temp_store, 3).await;
    let mut listening = feed.subscribe();
    for entry in all.iter().rev() {
        feed.publish(Arc::clone(entry));
    }
    assert_eq!(published(&mut listening, all.len()).await, all);
}

/// More than a page is missing: all of it is read, and nothing is published twice.
#[tokio::test]
async fn missing_entries_are_read_from_the_store() {
    let temp_store = TempStore::new();
    let (feed, all) = unpublished(&temp_store, listener::PAGE_RECORDS_MAX + 2).await;
    assert!(all.len() > listener::PAGE_RECORDS_MAX, "several pages");
    let mut listening = feed.subscribe();
    feed.publish(Arc::clone(all.last().unwrap()));
    assert_eq!(published(&mut listening, all.len()).await, all);
    feed.publish(Arc::clone(&all[0]));
    assert!(
        tokio::time::timeout(Duration::ZERO, listening.recv())
            .await
            .is_err(),
        "nothing twice"
    );
}

/// Later entries that keep arriving do not postpone the reading of a missing one.
#[tokio::test]
async fn a_gap_is_filled_while_later_entries_keep_arriving() {
    let temp_store = TempStore::new();
    let (feed, all) = unpublished(&temp_store, 2).await;
    let mut listening = feed.subscribe();
    let arrivals = async {
        loop {
            feed.publish(Arc::clone(all.last().unwrap()));
            tokio::time::sleep(GAP_TIMEOUT / 10).await;
        }
    };
    tokio::select! {
        () = arrivals => {}
        first = published(&mut listening, 1) => assert_eq!(first, all[..1]),
    }
}

/// Other nodes commit while their earlier records are read: the later ones are read at once, too, and not
/// after the time that a missing record of this process has.
#[tokio::test]
async fn news_that_arrives_while_records_are_read_does_not_wait() {
    let temp_store = TempStore::new();
    let (feed, log, all) = unpublished_with_log(&temp_store, 2).await;
    let mut listening = feed.subscribe();
    let filler = GapFiller {
        publisher: Arc::clone(&feed.publisher),
        log,
        read: mpsc::unbounded_channel().0,
    };
    let gap = filler.take_gap();
    feed.catch_up_to(all[1].last);
    let read = filler.read(gap.range()).await;
    filler.close_gap(gap, read);
    let is_postponed = |at: Instant| at > Instant::now();
    assert!(!feed.publisher.lock().fill_at.is_some_and(is_postponed));
    assert_eq!(published(&mut listening, all.len()).await, all);
}

/// Entries that are both in the log and in the feed come once.
#[tokio::test]
async fn a_listener_continues_from_the_log_to_the_feed() {
    let temp_store = TempStore::new();
    let (feed, log, all) = unpublished_with_log(&temp_store, 4).await;
    // Inside the third record.
    let after = all[2].first;
    let listener = FeedListener::start(log, &feed, None, Some(after));
    let mut listener = listener.await.unwrap();
    for record in &all {
        feed.publish(Arc::clone(record));
    }
    for expected in &all[2..] {
        let next = with_timeout("the listener goes on", listener.next()).await;
        assert_eq!(next.unwrap(), *expected);
    }
    assert_eq!(listener.last(), all.last().unwrap().last);
}

/// A subscriber that falls too many bytes behind gets `Lagged`, however few entries they are. The
/// others get everything.
#[tokio::test]
async fn retained_entries_are_bounded_by_bytes() {
    let temp_store = TempStore::new();
    let (feed, all) = unpublished(&temp_store, 8).await;
    let large = FeedLimits::default().bytes / 4;
    let records: Vec<_> = all
        .iter()
        .map(|entry| {
            Arc::new(Record {
                bytes: large,
                ..Record::clone(entry)
            })
        })
        .collect();
    let (mut slow, mut quick) = (feed.subscribe(), feed.subscribe());
    for entry in &records {
        feed.publish(Arc::clone(entry));
        let published = published(&mut quick, 1).await;
        assert_eq!(published, [Arc::clone(entry)]);
    }
    assert!(matches!(slow.recv().await, Err(RecvError::Lagged(_))));
    let held = records.iter().filter(|entry| Arc::strong_count(entry) > 1);
    assert!(held.count() * large <= FeedLimits::default().bytes);
}

/// A commit with a record that is damaged.
fn damaged() -> Commit {
    let record = NewRecord {
        positions: 2,
        body: "{".to_owned(),
    };
    Commit {
        conversation: ConversationId::from(7_u128),
        expected_version: None,
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
        record: Some(record),
        inquiries: Vec::new(),
        jobs: Vec::new(),
        obsolete_timers: Vec::new(),
        finished_jobs: Vec::new(),
        closes: false,
        keys: Vec::new(),
        at: Timestamp::UNIX_EPOCH,
    }
}

/// One damaged row used to stop the feed for everybody, live and replayed.
#[tokio::test]
async fn the_feed_continues_after_a_damaged_row() {
    let temp_store = TempStore::new();
    let model = OneToolModel("none", Value::Null);
    let engine = engine(temp_store.store(), model, OneApp::default()).await;
    let mut live = engine.feed().subscribe();
    let first = engine
        .store()
        .commit(damaged())
        .await
        .unwrap()
        .first_sequence;
    let asked = engine.ask(question(), None, http_actor(), CommitOptions::default());
    let asked = asked.await.unwrap();
    let live = published(&mut live, 2).await;
    let mut listener = engine.listen(None, Some(0)).await.unwrap();
    let mut read = Vec::new();
    while read.len() < 2 {
        let next = with_timeout("the listener goes on", listener.next()).await;
        read.push(next.unwrap());
    }
    for records in [live, read] {
        assert_eq!(records[0].last, first + 1);
        assert!(records[0].is_damaged && records[0].events.is_empty());
        assert_eq!(records[1].first, asked.record.first);
        assert!(!records[1].is_damaged && records[1].state.is_some());
    }
}

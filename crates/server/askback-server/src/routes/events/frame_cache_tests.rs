//! Goal: a feed that stalls or ends never delays or changes another feed.

use std::future::Future as _;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

use askback_core::conversation::command::{Command, Target};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::outcome::{Actor, Surface};
use askback_engine::{CommitOptions, Engine, Record};
use serde_json::json;
use tempfile::TempDir;

use super::{EncodedFrames, FrameCache, frames_for_all};
use crate::openapi::tests::idle_engine;
use crate::recipient_names::RecipientNames;

/// Far more than a read of the store takes.
const TIMEOUT: Duration = Duration::from_mins(2);

/// An engine with one inquiry that was declined, and its records.
async fn asked() -> (Engine, Vec<Arc<Record>>, TempDir) {
    let (engine, directory) = idle_engine().await;
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
    let decline = Command::Decline {
        target: Target::Pending,
    };
    engine.submit(&id, decline, by()).await.unwrap();
    let newest = engine.store().newest_sequence().await.unwrap();
    let mut listener = engine.listen(None, Some(0)).await.unwrap();
    let mut records = Vec::new();
    while listener.last() < newest {
        records.push(listener.next().await.unwrap());
    }
    assert!(records.len() > 1, "several records");
    (engine, records, directory)
}

/// A feed whose client stops reading is no longer polled, perhaps while it builds frames. All
/// other feeds used to wait for it, with heartbeats and without an event, until it was closed.
#[tokio::test]
async fn a_stalled_feed_delays_no_other() {
    let (engine, records, _directory) = asked().await;
    for at in 0..records.len() {
        let frame_cache = FrameCache::default();
        let mut stalled = pin!(frame_cache.frames(&engine, &records[at]));
        let first = stalled
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()));
        for record in &records[at..] {
            let frames = tokio::time::timeout(TIMEOUT, frame_cache.frames(&engine, record)).await;
            assert!(
                frames.expect("the frames are built").is_some(),
                "record {at}"
            );
        }
        drop(first);
    }
}

/// What a live feed was sent when a conversation was deleted is in no feed that begins later.
#[tokio::test]
async fn frames_of_a_deleted_conversation_are_not_kept() {
    let (engine, directory) = idle_engine().await;
    let input = json!({"question": "A secret?", "options": ["A"]});
    let parsed = Dialect::Question.parse(&input, ParseOptions::default());
    let by = || Actor::new(None, Surface::Http);
    let inquiry = parsed.unwrap().inquiry;
    let asked = engine.ask(inquiry, None, by(), CommitOptions::default());
    let id = asked.await.unwrap().conversation.settings.id.clone();
    let mut live = engine.listen(None, None).await.unwrap();
    assert!(engine.delete(&id, by()).await.unwrap());
    let frame_cache = FrameCache::default();
    let frames = async |record: Arc<Record>| {
        if let Some(frames) = frame_cache.frames(&engine, &record).await {
            return frames.after(0);
        }
        let names = RecipientNames::default();
        let frames = frames_for_all(&engine, &record, &names).await.unwrap();
        EncodedFrames::new(&frames).after(0)
    };
    let is_secret = |frames: &[u8]| String::from_utf8_lossy(frames).contains("A secret?");
    assert!(is_secret(&frames(live.next().await.unwrap()).await));
    let mut replayed = engine.listen(None, Some(0)).await.unwrap();
    assert!(!is_secret(&frames(replayed.next().await.unwrap()).await));
    drop(directory);
}

/// A feed that is dropped while frames are built does not change the frames of others.
#[tokio::test]
async fn a_dropped_feed_changes_nothing_for_others() {
    let (engine, records, _directory) = asked().await;
    let reference = FrameCache::default();
    let interrupted = FrameCache::default();
    for record in &records {
        {
            let mut dropped = pin!(interrupted.frames(&engine, record));
            let first = dropped
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
            drop(first);
        }
        let expected = reference.frames(&engine, record).await;
        assert_eq!(interrupted.frames(&engine, record).await, expected);
    }
}

/// Feeds that ask for different records at the same time get the same frames as in order.
#[tokio::test]
async fn records_are_projected_in_order() {
    let (engine, records, _directory) = asked().await;
    let reference = FrameCache::default();
    let mut expected = Vec::new();
    for record in &records {
        expected.push(reference.frames(&engine, record).await);
    }
    let frame_cache = FrameCache::default();
    let all = records
        .iter()
        .map(|record| frame_cache.frames(&engine, record));
    assert_eq!(futures_util::future::join_all(all).await, expected);
}

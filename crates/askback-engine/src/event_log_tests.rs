//! Goal: reading the log takes memory for one page, not for all pending questions.

use std::sync::Arc;

use askback_core::conversation::command::Command;
use askback_core::conversation::event::Event;
use askback_core::id::ConversationId;
use askback_core::inquiry::Inquiry;
use askback_store::PAGE_BYTES_MAX;
use serde_json::Value;

use super::EventLog;
use crate::commit::CommitOptions;
use crate::engine::Engine;
use crate::feed::LogEntry;
use crate::fixtures::{OneApp, OneToolModel, TempStore, engine, http_actor, large_inquiry};
use crate::storage_format::Record;

/// Asks large questions in one conversation.
async fn asked(temp_store: &TempStore, questions: usize) -> (Engine, ConversationId) {
    let model = OneToolModel("none", Value::Null);
    let engine = engine(temp_store.store(), model, OneApp::default()).await;
    let first = engine.ask(
        large_inquiry(0),
        None,
        http_actor(),
        CommitOptions::default(),
    );
    let id = first.await.unwrap().conversation.settings.id.clone();
    for number in 1..questions {
        let command = Command::Ask {
            inquiry: large_inquiry(number),
            expires_after: None,
        };
        engine.submit(&id, command, http_actor()).await.unwrap();
    }
    (engine, id)
}

/// The inquiries with questions in an entry.
fn inquiries(entry: &LogEntry) -> Vec<&Inquiry> {
    match &entry.record {
        Record::Event(Event::InquiryAsked { pending }) => vec![&pending.inquiry],
        Record::Event(_) | Record::Unreadable => Vec::new(),
        Record::State(change) => {
            let pending = change.state.pending().iter();
            pending.map(|pending| &pending.inquiry).collect()
        }
    }
}

/// F-S7: with twenty pending questions of 700 KB, a page holds about one of them, and all pages
/// together are the whole log.
#[tokio::test]
async fn pages_are_bounded_by_the_bytes_of_their_questions() {
    let temp_store = TempStore::new();
    let (engine, id) = asked(&temp_store, 20).await;
    let log = EventLog::new(Arc::clone(engine.store()));
    let newest = log.store().newest_sequence().await.unwrap();
    let mut sequences = Vec::new();
    loop {
        let after = sequences.last().copied().unwrap_or(0);
        let page = log.entries_after(Some(&id), after, 256).await.unwrap();
        if page.is_empty() {
            break;
        }
        let questions = page.iter().flat_map(inquiries).map(Inquiry::bytes);
        let largest = large_inquiry(0).bytes() + 1000;
        assert!(questions.sum::<usize>() <= PAGE_BYTES_MAX.max(largest));
        sequences.extend(page.iter().map(|entry| entry.sequence));
    }
    assert_eq!(sequences, (1..=newest).collect::<Vec<_>>());

    let mut back = Vec::new();
    let mut before = None;
    loop {
        let page = log.page_before(&id, before, 256).await.unwrap();
        before = page.before;
        if before.is_none() {
            break;
        }
        let questions = page.entries.iter().flat_map(inquiries).map(Inquiry::bytes);
        assert!(questions.sum::<usize>() <= PAGE_BYTES_MAX);
        back.extend(page.entries.iter().rev().map(|entry| entry.sequence));
    }
    back.reverse();
    // The start, then an event and a state change for each question.
    let events: Vec<_> = (1..=2).chain((4..=newest).step_by(2)).collect();
    assert_eq!(back, events);
}

/// F-S7: concurrent readers share the questions instead of holding a copy each.
#[tokio::test]
async fn readers_share_questions() {
    let temp_store = TempStore::new();
    let (engine, id) = asked(&temp_store, 3).await;
    let log = EventLog::new(Arc::clone(engine.store()));
    let one = log.entries_after(Some(&id), 0, 256).await.unwrap();
    let other = log.entries_after(Some(&id), 0, 256).await.unwrap();
    let texts = |page: &[LogEntry]| -> Vec<*const u8> {
        let questions = page.iter().flat_map(inquiries);
        let questions = questions.flat_map(Inquiry::questions);
        questions
            .map(|question| question.text.as_str().as_ptr())
            .collect()
    };
    assert!(!texts(&one).is_empty());
    assert_eq!(texts(&one), texts(&other));
}

/// F-S7: a state change names all pending inquiries and holds the questions of the oldest only, live
/// and replayed.
#[tokio::test]
async fn state_change_holds_the_oldest_questions_only() {
    let temp_store = TempStore::new();
    let (engine, id) = asked(&temp_store, 3).await;
    let mut live = engine.feed().subscribe();
    let command = Command::Ask {
        inquiry: large_inquiry(3),
        expires_after: None,
    };
    let submitted = engine.submit(&id, command, http_actor()).await.unwrap();
    let read = EventLog::new(Arc::clone(engine.store()));
    let read = read
        .entries_after(Some(&id), submitted.first_sequence, 1)
        .await
        .unwrap();
    let published = [live.recv().await.unwrap(), live.recv().await.unwrap()];
    assert_eq!(read, [LogEntry::clone(&published[1])]);
    let Record::State(change) = &read[0].record else {
        panic!("{:?}", read[0].record);
    };
    let pending = submitted.conversation.state.pending();
    assert_eq!(change.state.pending(), &pending[..1]);
    let others: Vec<_> = change.others.iter().map(|other| other.id.clone()).collect();
    let expected: Vec<_> = pending[1..]
        .iter()
        .map(|pending| pending.id.clone())
        .collect();
    assert_eq!(others, expected);
    assert!(Arc::strong_count(&published[1]) < 4);
}

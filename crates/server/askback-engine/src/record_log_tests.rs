//! Goal: reading the log takes memory for one page, not for all pending questions.

use std::sync::Arc;

use askback_core::conversation::command::{Command, NewDeadline, Target};
use askback_core::conversation::event::Event;
use askback_core::id::ConversationId;
use askback_core::inquiry::Inquiry;
use askback_store::PAGE_BYTES_MAX;
use askback_testkit::variant_name;
use serde_json::{Value, json};

use super::RecordLog;
use crate::commit::CommitOptions;
use crate::engine::Engine;
use crate::fixtures::{
    OneApp, OneToolModel, TempStore, engine, http_actor, large_inquiry, question,
};
use crate::record::Record;

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
            deadline: None,
        };
        engine.submit(&id, command, http_actor()).await.unwrap();
    }
    (engine, id)
}

/// The inquiries with questions in a record.
fn inquiries(record: &Record) -> Vec<&Inquiry> {
    let pending = record
        .state
        .iter()
        .flat_map(askback_core::conversation::state::State::pending);
    let pending = pending.filter(|pending| !pending.inquiry.questions().is_empty());
    let asked = record.events.iter().filter_map(|(_, event)| {
        if let Event::InquiryAsked { pending } = event {
            Some(pending)
        } else {
            None
        }
    });
    asked
        .chain(pending)
        .map(|pending| &pending.inquiry)
        .collect()
}

/// With twenty pending questions of 700 KB, a page holds about one of them, and all pages
/// together are the whole log.
#[tokio::test]
async fn pages_are_bounded_by_the_bytes_of_their_questions() {
    let temp_store = TempStore::new();
    let (engine, id) = asked(&temp_store, 20).await;
    let log = RecordLog::new(Arc::clone(engine.store()));
    let newest = log.store().newest_sequence().await.unwrap();
    let mut sequences = Vec::new();
    loop {
        let after = sequences.last().copied().unwrap_or(0);
        let page = log.records_after(Some(&id), after, 256).await.unwrap();
        if page.is_empty() {
            break;
        }
        assert!(page.len() == 1, "each is larger than half a page");
        sequences.extend(page.iter().map(|record| record.last));
    }
    // The start and the first question, then a record for each question.
    assert_eq!(sequences, (3..=newest).step_by(2).collect::<Vec<_>>());

    let mut back = Vec::new();
    let mut before = None;
    loop {
        let page = log.page_before(&id, before, 256).await.unwrap();
        before = page.before;
        if before.is_none() {
            break;
        }
        let questions = page.records.iter().flat_map(inquiries).map(Inquiry::bytes);
        assert!(questions.sum::<usize>() <= PAGE_BYTES_MAX);
        back.extend(page.records.iter().rev().map(|record| record.last));
    }
    back.reverse();
    assert_eq!(back, sequences);
}

/// Concurrent readers share the questions instead of holding a copy each.
#[tokio::test]
async fn readers_share_questions() {
    let temp_store = TempStore::new();
    let (engine, id) = asked(&temp_store, 3).await;
    let log = RecordLog::new(Arc::clone(engine.store()));
    let one = log.records_after(Some(&id), 0, 256).await.unwrap();
    let other = log.records_after(Some(&id), 0, 256).await.unwrap();
    let texts = |page: &[Record]| -> Vec<*const u8> {
        let questions = page.iter().flat_map(inquiries);
        let questions = questions.flat_map(Inquiry::questions);
        questions
            .map(|question| question.text.as_str().as_ptr())
            .collect()
    };
    assert!(!texts(&one).is_empty());
    assert_eq!(texts(&one), texts(&other));
}

/// A state names all pending inquiries and holds the questions of the oldest only, live and
/// replayed. Only the newest record of a conversation has a state when it is replayed.
#[tokio::test]
async fn a_state_holds_the_oldest_questions_only() {
    let temp_store = TempStore::new();
    let (engine, id) = asked(&temp_store, 3).await;
    let mut live = engine.feed().subscribe();
    let command = Command::Ask {
        inquiry: large_inquiry(3),
        deadline: None,
    };
    let submitted = engine.submit(&id, command, http_actor()).await.unwrap();
    let log = RecordLog::new(Arc::clone(engine.store()));
    let read = log.records_after(Some(&id), submitted.record.first, 1);
    let read = read.await.unwrap();
    let published = live.recv().await.unwrap();
    assert_eq!(read[0].state, published.state);
    assert_eq!(read[0].events, published.events);
    assert_eq!(read[0].inquiries, published.inquiries);
    let state = read[0].state.as_ref().expect("it is the newest record");
    let pending = submitted.conversation.state.pending();
    assert_eq!(state.pending()[0], pending[0]);
    for (other, pending) in state.pending().iter().zip(pending).skip(1) {
        assert_eq!(
            (&other.id, other.inquiry.questions()),
            (&pending.id, &[][..])
        );
    }
    assert_eq!(state.pending().len(), pending.len());
    let earlier = log.records_after(Some(&id), 0, 1).await.unwrap();
    assert_eq!(earlier[0].state, None, "a later state replaces it");
}

/// What a record leaves out is put back from the row of the inquiry: a replayed outcome is the one
/// that was published.
#[tokio::test]
async fn a_replayed_outcome_is_the_published_one() {
    let temp_store = TempStore::new();
    let model = OneToolModel("none", Value::Null);
    let engine = engine(temp_store.store(), model, OneApp::default()).await;
    let mut live = engine.feed().subscribe();
    let asked = engine.ask(question(), None, http_actor(), CommitOptions::default());
    let id = asked.await.unwrap().conversation.settings.id.clone();
    let answer = Command::Answer {
        target: Target::Pending,
        answers: json!({"q1": "Red"}),
        notes: None,
    };
    let log = RecordLog::new(Arc::clone(engine.store()));
    // The inquiry is cached while it is pending.
    log.records_after(Some(&id), 0, 9).await.unwrap();
    engine.submit(&id, answer, http_actor()).await.unwrap();
    let published = [live.recv().await.unwrap(), live.recv().await.unwrap()];
    let read = log.records_after(Some(&id), 0, 9).await.unwrap();
    assert_eq!(read.len(), 2);
    for (read, published) in read.iter().zip(&published) {
        assert_eq!(read.events, published.events);
        assert_eq!((read.first, read.last), (published.first, published.last));
    }
    assert_eq!(read[1].inquiries, published[1].inquiries);
}

/// A page may end inside a record: the events below it are returned, and the next page continues.
#[tokio::test]
async fn a_page_may_end_inside_a_record() {
    let temp_store = TempStore::new();
    let model = OneToolModel("none", Value::Null);
    let engine = engine(temp_store.store(), model, OneApp::default()).await;
    let asked = engine.ask(question(), None, http_actor(), CommitOptions::default());
    let asked = asked.await.unwrap();
    let (id, first) = (&asked.conversation.settings.id, asked.record.first);
    let log = RecordLog::new(Arc::clone(engine.store()));
    let page = log.page_before(id, Some(first + 1), 9).await.unwrap();
    let names = page.records[0].events.iter();
    let names: Vec<_> = names.map(|(_, event)| variant_name(event)).collect();
    assert_eq!(names, ["started"]);
    assert_eq!(page.before, Some(first));
    let none = log.page_before(id, page.before, 9).await.unwrap();
    assert!(none.records.is_empty() && none.before.is_none());
}

/// The event that asked is read with the deadline that the inquiry has by then, which a feed shows when it
/// is resumed after the deadline was moved.
#[tokio::test]
async fn the_asked_event_has_the_deadline_of_its_time() {
    let temp_store = TempStore::new();
    let model = OneToolModel("none", Value::Null);
    let engine = engine(temp_store.store(), model, OneApp::default()).await;
    let asked = engine.ask(question(), None, http_actor(), CommitOptions::default());
    let asked = asked.await.unwrap();
    let id = &asked.conversation.settings.id;
    let inquiry = asked.conversation.state.pending()[0].id.clone();
    let mut expected = vec![(asked.record.last + 1, None)];
    for hours in [2, 3] {
        let hours = jiff::SignedDuration::from_hours(hours);
        let expires_at = Some(askback_core::time::whole_millis(
            engine.clock().now() + hours,
        ));
        let command = Command::MoveDeadline {
            target: Target::Pending,
            to: expires_at.map(NewDeadline::At),
        };
        let moved = engine.submit(id, command, http_actor()).await.unwrap();
        expected.push((moved.record.last + 1, expires_at));
    }
    for (before, expires_at) in expected {
        let record = engine
            .records()
            .find_asked_event(id, &inquiry, before)
            .await
            .unwrap();
        let [(_, Event::InquiryAsked { pending })] = &record.unwrap().events[..] else {
            panic!("it was asked");
        };
        assert_eq!(pending.expires_at, expires_at);
    }
}

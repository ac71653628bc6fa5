//! Goal: a commit of unknown result takes effect once, whether it is on disk or not, and is published.

use askback_core::conversation::command::{Command, Target};
use askback_core::conversation::event::Event;
use askback_store::{CommitFault, InquiryFilter, SqliteOptions, StoreError};
use serde_json::{Value, json};

use crate::commit::CommitOptions;
use crate::engine::Engine;
use crate::fixtures::{
    OneApp, OneToolModel, TempStore, engine, http_actor, question, with_timeout,
};
use crate::listener::FeedListener;
use crate::request_key::{RequestKeys, SentKey};
use crate::submit::{SubmitError, Submitted};

fn keyed(key: &str) -> CommitOptions {
    let request = Some(SentKey {
        key: key.to_owned(),
        request: [7; 32],
    });
    CommitOptions {
        keys: RequestKeys {
            request,
            ..RequestKeys::default()
        },
        ..CommitOptions::default()
    }
}

fn is_unknown(outcome: &Result<Submitted, SubmitError>) -> bool {
    matches!(
        outcome,
        Err(SubmitError::Store(StoreError::CommitUnknown(_)))
    )
}

/// An engine, the options that make its commits fail, and a listener from the beginning.
async fn failing(temp_store: &TempStore) -> (Engine, SqliteOptions, FeedListener) {
    let options = SqliteOptions::default();
    let store = temp_store.store_with(options.clone());
    let engine = engine(store, OneToolModel("none", Value::Null), OneApp::default()).await;
    let listener = engine.listen(None, None).await.unwrap();
    (engine, options, listener)
}

/// The events up to the first record with one that matches.
async fn events_until(listener: &mut FeedListener, wanted: fn(&Event) -> bool) -> Vec<Event> {
    let mut events = Vec::new();
    loop {
        let next = with_timeout("the feed goes on", listener.next())
            .await
            .unwrap();
        events.extend(next.events.iter().map(|(_, event)| event.clone()));
        if next.events.iter().any(|(_, event)| wanted(event)) {
            return events;
        }
    }
}

/// A question is asked once, whether its first commit is on disk or not, and it is published even
/// if nothing else is committed.
#[tokio::test]
async fn a_question_of_unknown_result_is_asked_once() {
    for fault in [CommitFault::Written, CommitFault::NotWritten] {
        let temp_store = TempStore::new();
        let (engine, options, mut listener) = failing(&temp_store).await;
        options.faults.inject(fault);
        let first = engine.ask(question(), None, http_actor(), keyed("one"));
        assert!(is_unknown(&first.await), "{fault:?}");
        let asked = |event: &Event| matches!(event, Event::InquiryAsked { .. });
        if fault == CommitFault::Written {
            events_until(&mut listener, asked).await;
        }
        let again = engine.ask(question(), None, http_actor(), keyed("one"));
        let again = again.await;
        if fault == CommitFault::Written {
            assert!(matches!(again, Err(SubmitError::Repeated { .. })));
        } else {
            again.unwrap();
            events_until(&mut listener, asked).await;
        }
        let all = engine
            .inquiries(InquiryFilter {
                limit: 10,
                ..InquiryFilter::default()
            })
            .await
            .unwrap();
        assert_eq!(all.items.len(), 1, "{fault:?}");
        // A second question shows that the first was not published twice.
        let other = engine
            .ask(question(), None, http_actor(), keyed("two"))
            .await;
        other.unwrap();
        let events = events_until(&mut listener, asked).await;
        let started = |event: &&Event| matches!(event, Event::Started { .. });
        assert_eq!(events.iter().filter(started).count(), 1, "{fault:?}");
    }
}

/// An answer of unknown result takes effect once, and the cached conversation is read again.
#[tokio::test]
async fn an_answer_of_unknown_result_is_given_once() {
    for fault in [CommitFault::Written, CommitFault::NotWritten] {
        let temp_store = TempStore::new();
        let (engine, options, mut listener) = failing(&temp_store).await;
        let asked = engine
            .ask(question(), None, http_actor(), keyed("one"))
            .await;
        let id = asked.unwrap().conversation.settings.id.clone();
        let answer = || Command::Answer {
            target: Target::Pending,
            answers: json!({"q1": "Red"}),
            notes: None,
        };
        options.faults.inject(fault);
        let first = engine.submit_with(&id, answer(), http_actor(), keyed("answer"));
        assert!(is_unknown(&first.await), "{fault:?}");
        let is_open = !engine
            .inner
            .conversations
            .load(&id)
            .await
            .unwrap()
            .pending
            .is_empty();
        assert_eq!(is_open, fault == CommitFault::NotWritten);
        let again = engine.submit_with(&id, answer(), http_actor(), keyed("answer"));
        let again = again.await;
        if fault == CommitFault::Written {
            assert!(matches!(again, Err(SubmitError::Repeated { .. })));
        } else {
            again.unwrap();
        }
        let resolved = |event: &Event| matches!(event, Event::InquiryResolved { .. });
        events_until(&mut listener, resolved).await;
        let newest = engine.store().newest_sequence().await.unwrap();
        while listener.last() < newest {
            let next = with_timeout("the feed goes on", listener.next())
                .await
                .unwrap();
            assert!(!next.events.iter().any(|(_, event)| resolved(event)));
        }
    }
}

//! Goal: a commit of unknown result is carried out once, however it turns out, and everybody sees it.

use askback_core::conversation::command::{Command, Target};
use askback_core::conversation::event::Event;
use askback_store::{CommitFault, InquiryFilter, SqliteOptions, StoreError};
use serde_json::{Value, json};

use crate::commit::Extras;
use crate::engine::Engine;
use crate::listener::Listener;
use crate::request_key::{RequestKeys, SentKey};
use crate::storage_format::Record;
use crate::submit::{SubmitError, Submitted};
use crate::world::{Model, OneApp, Scratch, engine, question, somebody, within};

fn keyed(key: &str) -> Extras {
    let request = Some(SentKey {
        key: key.to_owned(),
        request: [7; 32],
    });
    Extras {
        keys: RequestKeys {
            request,
            ..RequestKeys::default()
        },
        ..Extras::default()
    }
}

fn is_unknown(outcome: &Result<Submitted, SubmitError>) -> bool {
    matches!(
        outcome,
        Err(SubmitError::Store(StoreError::CommitUnknown(_)))
    )
}

/// An engine, how its commits fail, and a feed from the beginning on.
async fn failing(scratch: &Scratch) -> (Engine, SqliteOptions, Listener) {
    let options = SqliteOptions::default();
    let store = scratch.store_with(options.clone());
    let engine = engine(store, Model("none", Value::Null), OneApp::default()).await;
    let listener = engine.listen(None, None).await.unwrap();
    (engine, options, listener)
}

/// Listens until an event comes that is wanted; what came before, and it.
async fn heard(listener: &mut Listener, wanted: fn(&Event) -> bool) -> Vec<Record> {
    let mut heard = Vec::new();
    loop {
        let next = within("the feed goes on", listener.next()).await.unwrap();
        heard.push(next.record.clone());
        if matches!(&next.record, Record::Event(event) if wanted(event)) {
            return heard;
        }
    }
}

/// F-S15: a question is asked once, whether its first commit is on disk or not; the feed shows it even
/// if nothing else is committed.
#[tokio::test]
async fn a_question_of_unknown_result_is_asked_once() {
    for fault in [CommitFault::Written, CommitFault::NotWritten] {
        let scratch = Scratch::new();
        let (engine, options, mut listener) = failing(&scratch).await;
        options.faults.inject(fault);
        let first = engine.ask(question(), None, somebody(), keyed("one"));
        assert!(is_unknown(&first.await), "{fault:?}");
        let asked = |event: &Event| matches!(event, Event::InquiryAsked { .. });
        if fault == CommitFault::Written {
            heard(&mut listener, asked).await;
        }
        let again = engine.ask(question(), None, somebody(), keyed("one"));
        let again = again.await;
        if fault == CommitFault::Written {
            assert!(matches!(again, Err(SubmitError::Repeated { .. })));
        } else {
            again.unwrap();
            heard(&mut listener, asked).await;
        }
        let all = engine
            .inquiries(InquiryFilter {
                limit: 10,
                ..InquiryFilter::default()
            })
            .await
            .unwrap();
        assert_eq!(all.items.len(), 1, "{fault:?}");
        // Another one shows that the first did not come twice.
        let other = engine.ask(question(), None, somebody(), keyed("two")).await;
        other.unwrap();
        let records = heard(&mut listener, asked).await;
        let started = |record: &&Record| matches!(record, Record::Event(Event::Started { .. }));
        assert_eq!(records.iter().filter(started).count(), 1, "{fault:?}");
    }
}

/// F-S15: an answer whose commit has an unknown result is the answer, once, and the conversation in
/// memory is not the one from before.
#[tokio::test]
async fn an_answer_of_unknown_result_is_given_once() {
    for fault in [CommitFault::Written, CommitFault::NotWritten] {
        let scratch = Scratch::new();
        let (engine, options, mut listener) = failing(&scratch).await;
        let asked = engine.ask(question(), None, somebody(), keyed("one")).await;
        let id = asked.unwrap().conversation.settings.id.clone();
        let answer = || Command::Answer {
            target: Target::Pending,
            answers: json!({"q1": "Red"}),
            notes: None,
        };
        options.faults.inject(fault);
        let first = engine.submit_with(&id, answer(), somebody(), keyed("answer"));
        assert!(is_unknown(&first.await), "{fault:?}");
        let is_open = !engine.load(&id).await.unwrap().asked.is_empty();
        assert_eq!(is_open, fault == CommitFault::NotWritten);
        let again = engine.submit_with(&id, answer(), somebody(), keyed("answer"));
        let again = again.await;
        if fault == CommitFault::Written {
            assert!(matches!(again, Err(SubmitError::Repeated { .. })));
        } else {
            again.unwrap();
        }
        let resolved = |event: &Event| matches!(event, Event::InquiryResolved { .. });
        heard(&mut listener, resolved).await;
        let newest = engine.store().newest().await.unwrap();
        while listener.last() < newest {
            let next = within("the feed goes on", listener.next()).await.unwrap();
            assert!(!matches!(&next.record, Record::Event(event) if resolved(event)));
        }
    }
}

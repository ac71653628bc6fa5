//! Goal: deleting a conversation is one decision, and its removal is finished even after a crash.

use std::time::Duration;

use askback_core::conversation::command::Command;
use askback_core::conversation::rejection::Rejection;
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{ConversationId, InquiryId};
use askback_store::InquiryFilter;
use askback_testkit::variant_name;
use serde_json::{Value, json};

use super::ROWS_PER_TRANSACTION;
use crate::commit::CommitOptions;
use crate::engine::Engine;
use crate::fixtures::{
    OneApp, OneToolModel, TempStore, engine, first_message, http_actor, with_timeout,
};
use crate::submit::SubmitError;

async fn start(temp_store: &TempStore) -> Engine {
    let model = OneToolModel("none", Value::Null);
    engine(temp_store.store(), model, OneApp::default()).await
}

fn question() -> askback_core::inquiry::Inquiry {
    let input = json!({"question": "A secret?", "options": ["A"]});
    let parsed = Dialect::Question.parse(&input, ParseOptions::default());
    parsed.unwrap().inquiry
}

async fn ask(engine: &Engine) -> (ConversationId, InquiryId) {
    let asked = engine.ask(question(), None, http_actor(), CommitOptions::default());
    let asked = asked.await.unwrap().conversation;
    (
        asked.settings.id.clone(),
        asked.state.pending()[0].id.clone(),
    )
}

/// If the process dies between close and removal, the next one removes. The outcome of the pending
/// inquiry can be read all the time.
#[tokio::test]
async fn an_interrupted_removal_is_finished_after_a_restart() {
    let temp_store = TempStore::new();
    let first = start(&temp_store).await;
    let (id, inquiry) = ask(&first).await;
    // From here on the first engine starts no job.
    first.shut_down().await;
    first
        .submit(&id, Command::Close, http_actor())
        .await
        .unwrap();
    let records = first.store().records(Some(&id), 0, 99).await.unwrap();
    assert_eq!(records.len(), 2, "not removed");
    drop(first);

    let second = start(&temp_store).await;
    let removed = async {
        loop {
            let records = second.store().records(Some(&id), 0, 99).await.unwrap();
            if records.len() == 1 {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    with_timeout("the removal is finished", removed).await;
    let view = second
        .inquiry(&inquiry)
        .await
        .unwrap()
        .expect("it is known");
    assert_eq!(view.row.status, "withdrawn");
    assert!(
        view.inquiry.questions().is_empty(),
        "nothing of what was asked"
    );
    assert!(view.resolution.is_some());
}

/// A client that was away sees how the inquiries of a deleted conversation ended and that it was
/// closed, and nothing of what was said in it.
#[tokio::test]
async fn a_deletion_is_replayed_without_content() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    let (id, inquiry) = ask(&engine).await;
    assert!(engine.delete(&id, http_actor()).await.unwrap());
    let newest = engine.store().newest_sequence().await.unwrap();
    let mut listener = engine.listen(None, Some(0)).await.unwrap();
    let record = with_timeout("it is replayed", listener.next()).await;
    let record = record.unwrap();
    assert_eq!((&record.conversation, record.last), (&id, newest));
    let names = record.events.iter().map(|(_, event)| variant_name(event));
    assert_eq!(names.collect::<Vec<_>>(), ["inquiry_resolved", "closed"]);
    let view = record.inquiry(&inquiry).expect("its tombstone is there");
    assert!(view.inquiry.questions().is_empty());
    let state = record
        .state
        .as_ref()
        .map(askback_core::conversation::state::State::name);
    assert_eq!(state, Some("closed"));
}

/// Others write between the transactions that remove a long conversation.
#[tokio::test]
async fn a_long_conversation_is_removed_in_several_transactions() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    let (id, _) = ask(&engine).await;
    for _ in 0..ROWS_PER_TRANSACTION {
        let ask = Command::Ask {
            inquiry: question(),
            deadline: None,
        };
        engine.submit(&id, ask, http_actor()).await.unwrap();
    }
    let before = engine.store().transactions().unwrap();
    assert!(engine.delete(&id, http_actor()).await.unwrap());
    // One closes it, and three remove as many records and inquiries.
    let written = engine.store().transactions().unwrap() - before;
    assert!(written >= 4, "{written}");
    let records = engine.store().records(Some(&id), 0, 99).await.unwrap();
    assert_eq!(records.len(), 1, "nothing is left out");
    let filter = InquiryFilter {
        limit: 9,
        ..InquiryFilter::default()
    };
    let listed = engine.store().inquiries(filter).await;
    assert_eq!(listed.unwrap().items, []);
}

/// Somebody reads the record between the decision and the removal: nothing of that is kept.
#[tokio::test]
async fn a_deletion_that_was_read_before_the_removal_is_replayed_without_content() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    let (id, inquiry) = ask(&engine).await;
    engine.close(&id, http_actor()).await.unwrap();
    let replayed = async || {
        let mut listener = engine.listen(None, Some(0)).await.unwrap();
        loop {
            let record = with_timeout("it is replayed", listener.next()).await;
            let record = record.unwrap();
            if record.closes_conversation() {
                return record.inquiry(&inquiry).expect("it is there").clone();
            }
        }
    };
    replayed().await;
    engine.remove_content(&id).await.unwrap();
    assert!(replayed().await.inquiry.questions().is_empty());
}

/// The sub-agents that are deleted with a conversation are closed one by one, for a client that was away
/// as well.
#[tokio::test]
async fn sub_agents_leave_closing_records() {
    let temp_store = TempStore::new();
    let agents = json!({"agents": [{"name": "a", "task": "x"}, {"name": "b", "task": "y"}]});
    let model = OneToolModel("spawn_agents", agents);
    let engine = engine(temp_store.store(), model, OneApp::default()).await;
    let created = engine.create(first_message("go"), http_actor(), CommitOptions::default());
    let parent = created.await.unwrap().conversation.settings.id.clone();
    let children = with_timeout("they start", async {
        loop {
            let children = engine.children(&parent).await.unwrap();
            if children.len() == 2 {
                return children;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(engine.delete(&parent, http_actor()).await.unwrap());
    let newest = engine.store().newest_sequence().await.unwrap();
    let mut listener = engine.listen(None, Some(0)).await.unwrap();
    let mut closed = Vec::new();
    while listener.last() < newest {
        let record = with_timeout("it is replayed", listener.next()).await;
        let record = record.unwrap();
        let names = record.events.iter().map(|(_, event)| variant_name(event));
        assert_eq!(
            names.collect::<Vec<_>>(),
            ["closed"],
            "nothing else is left"
        );
        closed.push(record.conversation.clone());
    }
    let mut expected = children;
    expected.push(parent);
    expected.sort();
    closed.sort();
    assert_eq!(closed, expected);
}

/// A deleted conversation rejects every command, and a second delete finds nothing.
#[tokio::test]
async fn a_deleted_conversation_rejects_everything() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    let (id, inquiry) = ask(&engine).await;
    assert!(engine.delete(&id, http_actor()).await.unwrap());
    assert!(!engine.delete(&id, http_actor()).await.unwrap());
    let commands = [
        Command::Ask {
            inquiry: question(),
            deadline: None,
        },
        Command::Cancel { target: None },
        Command::Withdraw { target: None },
        Command::Close,
    ];
    for command in commands {
        let refused = engine.submit(&id, command.clone(), http_actor()).await;
        let is_closed = matches!(refused, Err(SubmitError::Rejected(Rejection::Closed)));
        assert!(is_closed, "{command:?}: {refused:?}");
    }
    let late = Command::Decline {
        target: inquiry.into(),
    };
    let refused = engine.submit(&id, late, http_actor()).await;
    let is_late = matches!(refused, Err(SubmitError::Rejected(Rejection::NotPending)));
    assert!(is_late, "{refused:?}");
    assert!(engine.conversation(&id).await.unwrap().is_none());
}

/// The response to an answer can be built even if the conversation was deleted right after it.
#[tokio::test]
async fn an_outcome_can_be_shown_after_the_removal() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    let (id, inquiry) = ask(&engine).await;
    let before = engine.inquiry(&inquiry).await.unwrap().unwrap();
    let decline = Command::Decline {
        target: inquiry.clone().into(),
    };
    let declined = engine.submit(&id, decline, http_actor()).await.unwrap();
    let stored = engine.inquiry(&inquiry).await.unwrap().unwrap();
    assert!(engine.delete(&id, http_actor()).await.unwrap());
    assert!(engine.inquiry(&inquiry).await.unwrap().is_none());
    let after = declined.inquiry_after(before);
    assert_eq!(after.row.status, "declined");
    assert_eq!(after.inquiry, stored.inquiry);
    let results = [after, stored].map(|view| view.resolution.expect("it ended").result);
    assert_eq!(results[0], results[1]);
}

/// A long poll gets the outcome, however soon the removal follows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_poll_gets_the_outcome_of_a_deletion() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    for _ in 0..20 {
        let (id, inquiry) = ask(&engine).await;
        let waiting = tokio::spawn({
            let engine = engine.clone();
            async move { engine.wait_for(&inquiry, Duration::from_mins(1)).await }
        });
        engine.delete(&id, http_actor()).await.unwrap();
        let view = with_timeout("the outcome comes", waiting).await.unwrap();
        let view = view.unwrap().expect("it is known");
        assert_eq!(view.row.status, "withdrawn");
    }
}

//! Goal: a repeat that changes nothing succeeds, and nobody is told of it.

use askback_core::conversation::command::{Command, Target};
use askback_core::dialect::{Dialect, ParseOptions};
use askback_core::id::{ConversationId, InquiryId};
use askback_core::text::{Lines, Text};
use askback_store::{DeliveryRecord, DeliveryStep, NewAsker};
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::NoticeChange;
use crate::commit::CommitOptions;
use crate::engine::Engine;
use crate::fixtures::{OneApp, OneToolModel, TempStore, engine, http_actor};

async fn start(temp_store: &TempStore) -> Engine {
    let model = OneToolModel("none", Value::Null);
    engine(temp_store.store(), model, OneApp::default()).await
}

async fn ask(engine: &Engine) -> (ConversationId, InquiryId) {
    let input = json!({"question": "Which?", "options": ["A"]});
    let parsed = Dialect::Question.parse(&input, ParseOptions::default());
    let name = |name: &str| Text::clean(name, Lines::One).unwrap();
    let options = CommitOptions {
        asker: Some(NewAsker {
            client: name("agent"),
            project: None,
            session: name("s1"),
            call: "digest".to_owned(),
        }),
        ..CommitOptions::default()
    };
    let asked = engine.ask(parsed.unwrap().inquiry, None, http_actor(), options);
    let asked = asked.await.unwrap().conversation;
    (
        asked.settings.id.clone(),
        asked.state.pending()[0].id.clone(),
    )
}

#[tokio::test]
async fn snooze_that_is_repeated_is_told_once() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    let (_, inquiry) = ask(&engine).await;
    let mut notices = engine.feed().notices().subscribe();
    let until = engine.clock().now() + SignedDuration::from_hours(1);
    for until in [None, Some(until), Some(until), None, None] {
        engine.snooze(&inquiry, until).await.unwrap();
    }
    let mut told = Vec::new();
    while let Ok(notice) = notices.try_recv() {
        told.push((notice.change, notice.inquiry.row.snoozed_until.is_some()));
    }
    assert_eq!(
        told,
        [
            (NoticeChange::Snoozed, true),
            (NoticeChange::Snoozed, false)
        ]
    );
}

#[tokio::test]
async fn step_of_a_delivery_that_is_repeated_is_told_once() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    let (id, inquiry) = ask(&engine).await;
    let mut notices = engine.feed().notices().subscribe();
    for step in [
        DeliveryStep::Attached,
        DeliveryStep::Detached,
        DeliveryStep::Detached,
        DeliveryStep::Attached,
    ] {
        let noted = engine.note_delivery(&inquiry, step).await.unwrap();
        assert_eq!(noted, DeliveryRecord::Recorded, "{step:?}");
    }
    let decline = Command::Decline {
        target: Target::Pending,
    };
    engine.submit(&id, decline, http_actor()).await.unwrap();
    for _ in 0..2 {
        let noted = engine.note_delivery(&inquiry, DeliveryStep::Done).await;
        assert_eq!(noted.unwrap(), DeliveryRecord::Recorded);
    }
    let mut told = Vec::new();
    while let Ok(notice) = notices.try_recv() {
        told.push(notice.change);
    }
    assert_eq!(
        told,
        [
            NoticeChange::Detached,
            NoticeChange::Attached,
            NoticeChange::Delivered
        ]
    );
}

/// Otherwise the same call would be a new question, beside the one that waits.
#[tokio::test]
async fn pending_inquiry_has_no_outcome_to_deliver() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    let (_, inquiry) = ask(&engine).await;
    for expected_attempts in [None, Some(0)] {
        let started = DeliveryStep::Started { expected_attempts };
        let noted = engine.note_delivery(&inquiry, started).await.unwrap();
        assert_eq!(noted, DeliveryRecord::NothingToDeliver);
    }
    let row = engine.store().inquiry(&inquiry).await.unwrap().unwrap();
    assert_eq!(row.asker.unwrap().delivery_attempts, 0);
}

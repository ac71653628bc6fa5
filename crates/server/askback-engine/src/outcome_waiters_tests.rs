//! Goal: an outcome wakes those who wait for it, and nobody waits or is remembered without need.

use std::sync::Arc;
use std::time::Duration;

use askback_core::id::{ConversationId, InquiryId};
use jiff::Timestamp;
use serde_json::Value;

use super::OutcomeWaiters;
use crate::commit::CommitOptions;
use crate::fixtures::{
    OneApp, OneToolModel, TempStore, engine, http_actor, question, with_timeout,
};
use crate::record::Record;

#[tokio::test]
async fn a_waiter_that_leaves_is_forgotten() {
    let waiters = Arc::new(OutcomeWaiters::default());
    let id = InquiryId::new("inq_1");
    let (first, second) = (waiters.add(&id), waiters.add(&id));
    drop(first);
    assert_eq!(waiters.waiting.lock().len(), 1, "the other one still waits");
    drop(second);
    assert!(waiters.waiting.lock().is_empty());
}

/// A record that cannot be read may have resolved the inquiry, for example if its conversation was deleted while it
/// was read. Found by the simulation with two nodes, seed 2737.
#[tokio::test]
async fn a_record_that_cannot_be_read_wakes_everybody() {
    let waiters = Arc::new(OutcomeWaiters::default());
    let mut waiter = waiters.add(&InquiryId::new("inq_1"));
    let mut record = Record {
        first: 1,
        last: 2,
        at: Timestamp::UNIX_EPOCH,
        conversation: ConversationId::new("cnv_1"),
        events: Vec::new(),
        state: None,
        inquiries: Vec::new(),
        is_damaged: false,
        bytes: 0,
    };
    waiters.wake_for(&record);
    let woken = tokio::time::timeout(Duration::ZERO, waiter.resolved()).await;
    assert!(woken.is_err(), "it resolves nothing");
    record.is_damaged = true;
    waiters.wake_for(&record);
    with_timeout("whoever waits looks again", waiter.resolved()).await;
}

/// Outcomes of other inquiries wake nobody; its own outcome does.
#[tokio::test]
async fn a_long_poll_wakes_for_its_inquiry_only() {
    use askback_core::conversation::command::Command;
    let temp_store = TempStore::new();
    let model = OneToolModel("none", Value::Null);
    let engine = engine(temp_store.store(), model, OneApp::default()).await;
    let mut asked = Vec::new();
    for _ in 0..2 {
        let asking = engine.ask(question(), None, http_actor(), CommitOptions::default());
        let submitted = asking.await.unwrap();
        let pending = submitted.conversation.state.pending();
        asked.push((
            submitted.conversation.settings.id.clone(),
            pending[0].id.clone(),
        ));
    }
    let withdraw = |at: usize| {
        let command = Command::Withdraw { target: None };
        engine.submit(&asked[at].0, command, http_actor())
    };
    let mut waiter = engine.feed().waiters().add(&asked[1].1);
    let long_poll = engine.wait_for(&asked[1].1, Duration::from_hours(1));
    let (view, ()) = tokio::join!(with_timeout("the poll ends", long_poll), async {
        let mut listener = engine.listen(None, None).await.unwrap();
        let resolved = withdraw(0).await.unwrap();
        while listener.last() < resolved.record.first {
            listener.next().await.unwrap();
        }
        let woken = tokio::time::timeout(Duration::ZERO, waiter.resolved()).await;
        assert!(woken.is_err(), "not by another inquiry");
        withdraw(1).await.unwrap();
        with_timeout("its own outcome wakes it", waiter.resolved()).await;
    });
    assert!(view.unwrap().unwrap().resolution.is_some());
}

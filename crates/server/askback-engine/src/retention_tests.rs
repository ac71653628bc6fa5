//! Goal: conversations that ended long ago are deleted as if a person had deleted them: listeners learn it,
//! and nothing that goes on is deleted.

use askback_core::conversation::command::Command;
use askback_core::id::ConversationId;
use askback_testkit::variant_name;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::*;
use crate::fixtures::{
    OneApp, OneToolModel, TempStore, asked_inquiry, engine, http_actor, question, with_timeout,
};
use crate::record::Record;

async fn start(temp_store: &TempStore) -> Engine {
    let model = OneToolModel("none", Value::Null);
    engine(temp_store.store(), model, OneApp::default()).await
}

/// A conversation with an inquiry that has its outcome.
async fn ended(engine: &Engine) -> ConversationId {
    let options = CommitOptions::default();
    let asked = engine.ask(question(), None, http_actor(), options).await;
    let asked = asked.unwrap();
    let id = asked.conversation.settings.id.clone();
    let target = asked_inquiry(&asked).into();
    let decline = Command::Decline { target };
    engine.submit(&id, decline, http_actor()).await.unwrap();
    id
}

fn later(engine: &Engine) -> Timestamp {
    engine.clock().now() + SignedDuration::from_secs(1)
}

fn closes(record: &Record, id: &ConversationId) {
    assert_eq!(record.conversation, *id);
    let names = record.events.iter().map(|(_, event)| variant_name(event));
    assert_eq!(names.collect::<Vec<_>>(), ["closed"]);
    let state = record
        .state
        .as_ref()
        .map(askback_core::conversation::state::State::name);
    assert_eq!(state, Some("closed"));
}

/// A server that stops does not finish a sweep first: its held answers would wait for it.
#[tokio::test]
async fn a_sweep_ends_when_the_server_stops() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    for _ in 0..3 {
        ended(&engine).await;
    }
    engine.inner.shutdown.begin();
    assert_eq!(delete_ended(&engine, later(&engine)).await.unwrap(), 0);
    let left = engine.store().ended_conversations(later(&engine), 9);
    assert_eq!(left.await.unwrap().len(), 3);
}

/// A listener sees that the conversation is gone, at once and when it comes back later, and no position
/// is left out.
#[tokio::test]
async fn listeners_learn_what_retention_deletes() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    let id = ended(&engine).await;
    let mut live = engine.listen(None, None).await.unwrap();
    let newest = engine.store().newest_sequence().await.unwrap();
    assert_eq!(delete_ended(&engine, later(&engine)).await.unwrap(), 1);
    let record = with_timeout("it is published", live.next()).await.unwrap();
    closes(&record, &id);
    assert_eq!(record.first, newest + 1, "no gap");
    let left = engine.store().records(Some(&id), 0, 9).await.unwrap();
    assert_eq!(
        left.len(),
        1,
        "a sweep waits until the content of each is removed"
    );
    assert!(engine.conversation(&id).await.unwrap().is_none());
    let mut away = engine.listen(None, Some(1)).await.unwrap();
    let replayed = with_timeout("it is replayed", away.next()).await.unwrap();
    closes(&replayed, &id);
    assert_eq!(replayed.last, record.last);
    // What is left goes after the same time once more.
    assert_eq!(prune_closed(&engine, later(&engine)).await.unwrap(), 1);
    let left = engine.store().load(&id).await.unwrap();
    assert!(left.is_none(), "{left:?}");
}

/// A conversation that is used again after it was found stays.
#[tokio::test]
async fn a_conversation_that_changed_meanwhile_stays() {
    let temp_store = TempStore::new();
    let engine = start(&temp_store).await;
    let id = ended(&engine).await;
    let found = engine.store().ended_conversations(later(&engine), 9).await;
    let found = found.unwrap().pop().expect("it has ended");
    let ask = Command::Ask {
        inquiry: question(),
        deadline: None,
    };
    engine.submit(&id, ask, http_actor()).await.unwrap();
    assert!(!close_unchanged(&engine, &found).await.unwrap());
    assert_eq!(delete_ended(&engine, later(&engine)).await.unwrap(), 0);
    let view = engine.conversation(&id).await.unwrap();
    assert!(view.is_some(), "a question is pending in it");
}

/// A clock that is set forward while the server runs does not make anything older.
#[test]
fn time_that_has_not_elapsed_does_not_count() {
    let started_at: Timestamp = "2027-03-26T10:00:00Z".parse().unwrap();
    let hour = SignedDuration::from_hours(1);
    let keep = 24 * hour;
    let before = |wall: Timestamp| deleted_before(wall, started_at, INTERVAL, keep);
    assert_eq!(before(started_at + hour), Some(started_at - 23 * hour));
    let jumped = started_at + 24 * 8 * hour;
    assert_eq!(before(jumped), Some(started_at - 23 * hour));
    let set_back = started_at - hour;
    assert_eq!(before(set_back), Some(started_at - 25 * hour));
}

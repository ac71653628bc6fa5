//! Goal: no sub-agent runs after the turn of its parent ended, at whatever point that is stopped.

use std::sync::{Arc, Mutex};

use askback_core::conversation::Driver;
use askback_core::conversation::command::Command;
use askback_core::id::ConversationId;
use askback_store::ConversationFilter;
use serde_json::json;
use tokio::runtime::Handle;

use crate::commit::CommitOptions;
use crate::create::ConversationStart;
use crate::engine::Engine;
use crate::fixtures::{OneApp, OneToolModel, TempStore, engine, http_actor, with_timeout};

async fn states(engine: &Engine, parent: &ConversationId) -> Vec<String> {
    let filter = ConversationFilter {
        parent: Some(parent.clone()),
        limit: 10,
        ..ConversationFilter::default()
    };
    let page = engine.store().conversations(filter).await.unwrap();
    let states = page.items.into_iter().map(|row| row.snapshot.state);
    states.collect()
}

async fn begin(engine: &Engine, parent: &ConversationId) {
    let new = ConversationStart {
        id: Some(parent.clone()),
        driver: Driver::BuiltIn,
        app: None,
        parent: None,
        title: None,
        message: Some("go".to_owned()),
        message_id: None,
    };
    let begun = engine
        .create(new, http_actor(), CommitOptions::default())
        .await;
    begun.unwrap();
}

/// Two sub-agents that never finish.
fn two_endless_children() -> OneToolModel {
    let agents = json!({"agents": [{"task": "one"}, {"task": "two"}]});
    OneToolModel("spawn_agents", agents)
}

/// Deleting a conversation aborts the requests of its sub-agents.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sub_agents_of_a_deleted_conversation_stop() {
    let temp_store = TempStore::new();
    let engine = engine(
        temp_store.store(),
        two_endless_children(),
        OneApp::default(),
    )
    .await;
    let parent = ConversationId::from(7_u128);
    begin(&engine, &parent).await;
    let running = |count: usize| {
        let engine = engine.clone();
        async move {
            while engine.inner.running.count() != count {
                tokio::task::yield_now().await;
            }
        }
    };
    with_timeout("both run", running(2)).await;
    assert!(engine.delete(&parent, http_actor()).await.unwrap());
    with_timeout("none runs", running(0)).await;
    assert_eq!(states(&engine, &parent).await, Vec::<String>::new());
}

/// The parent is stopped while its first child is created: children created after the stop are
/// stopped as well.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_created_while_its_parent_stops_is_stopped() {
    let temp_store = TempStore::new();
    let apps = OneApp::default();
    let engine = engine(temp_store.store(), two_endless_children(), apps.clone()).await;
    let parent = ConversationId::from(7_u128);
    let stopping = (engine.clone(), parent.clone(), Handle::current());
    let stopped = Arc::new(Mutex::new(false));
    let done = Arc::clone(&stopped);
    let stop = move || {
        let (engine, parent, handle) = &stopping;
        let stop = Command::Cancel { target: None };
        let cancel = engine.submit(parent, stop, http_actor());
        tokio::task::block_in_place(|| handle.block_on(cancel)).unwrap();
        *done.lock().unwrap() = true;
    };
    // The app is looked up for the parent, for its request, and then for its first child.
    *apps.0.lock().unwrap() = Some((3, Box::new(stop)));
    begin(&engine, &parent).await;
    with_timeout("all children are idle", async {
        loop {
            let children = states(&engine, &parent).await;
            if children.len() == 2 && children.iter().all(|state| state == "idle") {
                return;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(
        *stopped.lock().unwrap(),
        "the parent was stopped in between"
    );
}

//! No sub-agent outlives its parent's turn, whenever that is stopped.

use std::sync::{Arc, Mutex};

use askback_core::conversation::Driver;
use askback_core::conversation::command::Command;
use askback_core::id::ConversationId;
use askback_store::ConversationFilter;
use serde_json::json;
use tokio::runtime::Handle;

use crate::commit::Extras;
use crate::create::NewConversation;
use crate::engine::Engine;
use crate::world::{Model, OneApp, Scratch, engine, somebody, within};

async fn states(engine: &Engine, parent: &ConversationId) -> Vec<String> {
    let filter = ConversationFilter {
        state: None,
        parent: Some(parent.clone()),
        cursor: None,
        limit: 10,
    };
    let page = engine.store().conversations(filter).await.unwrap();
    let states = page.items.into_iter().map(|row| row.snapshot.state);
    states.collect()
}

/// The parent is stopped while its first child begins: those that begin after the stop are stopped
/// as well.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_that_begins_while_its_parent_stops_is_stopped() {
    let scratch = Scratch::new();
    let apps = OneApp::default();
    let agents = json!({"agents": [{"task": "one"}, {"task": "two"}]});
    let engine = engine(scratch.store(), Model("spawn_agents", agents), apps.clone()).await;
    let parent = ConversationId::from(7_u128);
    let stopping = (engine.clone(), parent.clone(), Handle::current());
    let stopped = Arc::new(Mutex::new(false));
    let done = Arc::clone(&stopped);
    let stop = move || {
        let (engine, parent, handle) = &stopping;
        let stop = Command::Cancel { target: None };
        let cancel = engine.submit(parent, stop, somebody());
        tokio::task::block_in_place(|| handle.block_on(cancel)).unwrap();
        *done.lock().unwrap() = true;
    };
    // The app is looked up for the parent, for its request, and then for its first child.
    *apps.0.lock().unwrap() = Some((3, Box::new(stop)));
    let new = NewConversation {
        id: Some(parent.clone()),
        driver: Driver::BuiltIn,
        app: None,
        parent: None,
        title: None,
        message: Some("go".to_owned()),
        message_id: None,
    };
    let begun = engine.create(new, somebody(), Extras::default()).await;
    begun.unwrap();
    within("all children rest", async {
        loop {
            let children = states(&engine, &parent).await;
            if children.len() == 2 && children.iter().all(|state| state == "idle") {
                return;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(*stopped.lock().unwrap(), "the parent was stopped meanwhile");
}

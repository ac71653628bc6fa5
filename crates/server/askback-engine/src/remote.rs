//! Follows what other nodes do to a store that several share.

use std::sync::Arc;

use askback_core::id::ConversationId;
use askback_store::{RemoteChange, RemoteChanges};
use tokio::sync::mpsc;

use crate::engine::Engine;
use crate::jobs::is_expected;
use crate::loaded_conversation::LoadedConversation;
use crate::submit::SubmitError;

/// Publishes the records of other nodes, and gives up what they have taken over, until the engine stops.
/// Waits for nothing else: a node that has lost its claims must stop at once.
pub(crate) async fn follow(engine: Engine, mut changes: RemoteChanges) {
    loop {
        tokio::select! {
            biased;
            () = engine.inner.shutdown.wait_until_closing() => return,
            change = changes.recv() => match change {
                Some(change) => apply(&engine, change).await,
                None => return,
            },
        }
    }
}

/// Forgets what is in memory of conversations that other nodes have changed, until the engine stops.
pub(crate) async fn forget_changed(
    engine: Engine,
    mut read: mpsc::UnboundedReceiver<ConversationId>,
) {
    loop {
        tokio::select! {
            biased;
            () = engine.inner.shutdown.wait_until_closing() => return,
            conversation = read.recv() => match conversation {
                Some(conversation) => forget(&engine, &conversation).await,
                None => return,
            },
        }
    }
}

async fn apply(engine: &Engine, change: RemoteChange) {
    match change {
        RemoteChange::Records(newest) => engine.feed().catch_up_to(newest),
        RemoteChange::Jobs => engine.inner.job_waker.wake_all(),
        RemoteChange::ClaimsLost => engine.inner.running.lose_claims(),
        RemoteChange::Snoozed { inquiry } => {
            if let Err(error) = engine.publish_snooze(&inquiry).await {
                tracing::warn!(%error, %inquiry, "cannot read an inquiry that was hidden");
            }
        }
    }
}

/// A conversation has a record that may come from another node: what is in memory may be old, and what
/// runs for it may be unwanted.
async fn forget(engine: &Engine, id: &ConversationId) {
    engine.inner.conversations.evict(id);
    let running = &engine.inner.running;
    let work = running.work_of(id);
    if work.is_empty() {
        return;
    }
    let loaded = match engine.inner.conversations.load(id).await {
        Ok(loaded) => Some(loaded),
        Err(SubmitError::NotFound) => None,
        Err(error) => {
            tracing::debug!(%error, conversation = %id, "cannot tell whether work is still needed");
            return;
        }
    };
    for work in &work {
        let is_expected =
            |loaded: &Arc<LoadedConversation>| is_expected(&loaded.conversation, work);
        if !loaded.as_ref().is_some_and(is_expected) {
            running.abort(work);
        }
    }
}

#[cfg(test)]
#[path = "remote_tests.rs"]
mod tests;

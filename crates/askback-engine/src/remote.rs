//! Follows what other nodes do to a store that several share.

use askback_core::conversation::state::State;
use askback_core::id::ConversationId;
use askback_store::{RemoteChange, RemoteChanges};
use tokio::sync::mpsc;

use crate::engine::Engine;

/// Publishes the records of other nodes, and gives up what they have taken over, until the engine stops.
pub(crate) async fn follow(
    engine: Engine,
    mut changes: RemoteChanges,
    mut read: mpsc::UnboundedReceiver<ConversationId>,
) {
    loop {
        tokio::select! {
            biased;
            () = engine.inner.shutdown.wait_until_closing() => return,
            change = changes.recv() => match change {
                Some(change) => apply(&engine, change),
                None => return,
            },
            Some(conversation) = read.recv() => forget(&engine, &conversation).await,
        }
    }
}

fn apply(engine: &Engine, change: RemoteChange) {
    match change {
        RemoteChange::Records(newest) => engine.feed().catch_up_to(newest),
        RemoteChange::Jobs => {
            engine.inner.jobs_changed.notify_one();
            engine.inner.timers_changed.notify_one();
        }
        RemoteChange::ClaimsLost => engine.inner.running.lose_claims(),
    }
}

/// A conversation has a record that may come from another node: what is in memory may be old, and the
/// reply to a request may be unwanted.
async fn forget(engine: &Engine, id: &ConversationId) {
    engine.evict(id);
    let requests = engine.inner.running.requests_of(id);
    if requests.is_empty() {
        return;
    }
    let loaded = match engine.load(id).await {
        Ok(loaded) => loaded,
        Err(error) => {
            tracing::debug!(%error, conversation = %id, "cannot tell whether a request is still needed");
            return;
        }
    };
    for request in requests {
        let is_current = matches!(
            loaded.conversation.state,
            State::LlmRequesting { request: current, .. } if current == request
        );
        if !is_current {
            engine.inner.running.abort_request(id, request);
        }
    }
}

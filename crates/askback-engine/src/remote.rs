//! Follows what other nodes do to a store that several share.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use askback_core::id::ConversationId;
use askback_store::{LISTENERS_TTL, ListenerSet, RemoteChange, RemoteChanges, RemoteTokens};
use tokio::sync::mpsc;

use crate::engine::Engine;
use crate::feed::StreamedToken;
use crate::jobs::is_expected;
use crate::loaded_conversation::LoadedConversation;
use crate::submit::SubmitError;

/// How long to collect new listeners before others are told of them.
const ANNOUNCE_DELAY: Duration = Duration::from_millis(20);

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
        RemoteChange::Jobs => {
            engine.inner.jobs_changed.notify_one();
            engine.inner.timers_changed.notify_one();
        }
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
    engine.evict(id);
    let running = &engine.inner.running;
    let work = running.work_of(id);
    if work.is_empty() {
        return;
    }
    let loaded = match engine.load(id).await {
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

/// Shows replies that other nodes receive to those who listen here, until the engine stops.
pub(crate) async fn receive_tokens(engine: Engine, mut tokens: RemoteTokens) {
    loop {
        let token = tokio::select! {
            biased;
            () = engine.inner.shutdown.wait_until_closing() => return,
            token = tokens.recv() => token,
        };
        let Some(token) = token else { return };
        engine.feed().token(StreamedToken {
            conversation: token.conversation,
            after: token.after,
            text: token.text,
            encoded: OnceLock::new(),
        });
    }
}

/// Says which replies of other nodes are wanted here, until the engine stops. What changes within
/// [`ANNOUNCE_DELAY`] is said at once.
pub(crate) async fn announce_listeners(engine: Engine) {
    let mut announced = ListenerSet::default();
    let tokens = engine.feed().tokens();
    loop {
        tokio::select! {
            biased;
            () = engine.inner.shutdown.wait_until_closing() => return,
            () = tokens.listeners_changed.notified() => {}
            () = engine.clock().sleep(LISTENERS_TTL / 3), if !announced.is_empty() => {
                announced = ListenerSet::default();
            }
        }
        let listeners = tokens.listeners();
        if listeners != announced {
            engine.store().announce_listeners(listeners);
            announced = listeners;
        }
        engine.clock().sleep(ANNOUNCE_DELAY).await;
    }
}

#[cfg(test)]
#[path = "remote_tests.rs"]
mod tests;

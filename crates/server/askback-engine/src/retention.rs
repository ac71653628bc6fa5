//! Deletes conversations that ended long ago, if the settings ask for it.
//!
//! They are deleted like any other: a decision closes them, so that whoever shows one learns that it is
//! gone, and their content is removed. What is left of them goes after the same time once more.

use std::collections::HashSet;
use std::time::Duration;

use askback_core::conversation::command::Command;
use askback_core::conversation::job::Job;
use askback_core::id::ConversationId;
use askback_store::{EndedConversation, StoreError};
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use crate::commit::CommitOptions;
use crate::engine::Engine;
use crate::jobs::{start_claimed_and_wait_for, system};
use crate::submit::SubmitError;

const INTERVAL: Duration = Duration::from_hours(1);
/// Conversations that are found at once.
const FOUND_MAX: usize = 100;
/// Conversations that one transaction deletes, each with its keys. Few, because other writes wait for it.
const PRUNED_MAX: usize = 16;

/// Deletes conversations that ended longer than `keep` ago, now and every hour, until the engine
/// stops. Conversations with pending inquiries or unfinished work are never deleted.
///
/// A clock that is set forward while the server runs does not make anything older: no more time
/// counts than has elapsed since the start.
pub fn start_retention(engine: &Engine, keep: SignedDuration) {
    let engine = engine.clone();
    let (started_at, started) = (engine.clock().now(), Instant::now());
    tokio::spawn(async move {
        loop {
            let wall = engine.clock().now();
            if let Some(before) = deleted_before(wall, started_at, started.elapsed(), keep) {
                delete_before(&engine, before).await;
            }
            if !engine.sleep_unless_stopping(INTERVAL).await {
                return;
            }
        }
    });
}

async fn delete_before(engine: &Engine, before: Timestamp) {
    let deleted = delete_ended(engine, before).await;
    let pruned = prune_closed(engine, before).await;
    match (deleted, pruned) {
        (Ok(0), Ok(0)) => {}
        (Ok(deleted), Ok(pruned)) => {
            tracing::info!(deleted, pruned, "deleted old conversations");
        }
        (Err(error), _) => {
            tracing::warn!(%error, "cannot delete old conversations; will retry in an hour");
        }
        (_, Err(error)) => {
            tracing::warn!(%error, "cannot delete old conversations; will retry in an hour");
        }
    }
}

async fn delete_ended(engine: &Engine, before: Timestamp) -> Result<usize, SubmitError> {
    let mut deleted = 0;
    // Conversations that cannot be deleted now must not keep others from it.
    let mut kept: HashSet<ConversationId> = HashSet::new();
    loop {
        let limit = FOUND_MAX + kept.len();
        let mut ended = engine.store().ended_conversations(before, limit).await?;
        ended.retain(|ended| !kept.contains(&ended.id));
        if ended.is_empty() {
            return Ok(deleted);
        }
        for ended in ended {
            // The rest waits for the next start: others wait for what this process holds.
            if engine.inner.shutdown.is_closing() {
                return Ok(deleted);
            }
            match close_unchanged(engine, &ended).await {
                Ok(true) => deleted += 1,
                Ok(false) => {
                    kept.insert(ended.id);
                }
                Err(SubmitError::Store(StoreError::Corrupt(why))) => {
                    tracing::error!(conversation = %ended.id, why, "cannot delete a conversation");
                    kept.insert(ended.id);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Closes a conversation and waits for the job that removes its content: many at once would fill the transactions
/// that others wait for. False if it has changed since it was found.
async fn close_unchanged(engine: &Engine, ended: &EndedConversation) -> Result<bool, SubmitError> {
    let conversations = &engine.inner.conversations;
    let guard = conversations.lock(&ended.id).await;
    let loaded = match conversations.load(&ended.id).await {
        Err(SubmitError::NotFound) => return Ok(false),
        loaded => loaded?,
    };
    if loaded.conversation.version != ended.version {
        return Ok(false);
    }
    let context = engine.context(system());
    let decision = loaded.conversation.decide(&Command::Close, &context)?;
    let options = CommitOptions::default();
    match engine
        .commit(&loaded, decision, &options, context.now)
        .await
    {
        Err(SubmitError::Store(StoreError::Conflict)) => {
            conversations.evict(&ended.id);
            Ok(false)
        }
        committed => {
            drop(guard);
            let kind = Job::RemoveConversation.name();
            start_claimed_and_wait_for(engine, kind, committed?.1).await;
            Ok(true)
        }
    }
}

async fn prune_closed(engine: &Engine, before: Timestamp) -> Result<usize, StoreError> {
    let mut all = 0;
    loop {
        let pruned = engine.store().prune(before, PRUNED_MAX).await?;
        all += pruned;
        if pruned < PRUNED_MAX || engine.inner.shutdown.is_closing() {
            return Ok(all);
        }
    }
}

/// What was last changed before this time is deleted. Of the wall clock, no more counts than has
/// elapsed since the start.
fn deleted_before(
    wall: Timestamp,
    started_at: Timestamp,
    elapsed: Duration,
    keep: SignedDuration,
) -> Option<Timestamp> {
    let now = wall.min(started_at.checked_add(elapsed).ok()?);
    now.checked_sub(keep).ok()
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;

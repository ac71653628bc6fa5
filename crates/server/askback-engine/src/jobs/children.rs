//! Starts and stops sub-agents, and reports their results to the parent.

use askback_core::conversation::command::Command;
use askback_core::conversation::event::{CallResult, ChildStarted};
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::state::State;
use askback_core::conversation::{Conversation, Driver, Parent};
use askback_core::id::{CallId, ConversationId};
use askback_store::{JobRow, StoreError};

use super::start::finish_job;
use super::{load, system};
use crate::commit::CommitOptions;
use crate::create::ConversationStart;
use crate::engine::Engine;
use crate::submit::SubmitError;

/// Creates the conversations of sub-agents, unless the parent no longer waits for them. Those that
/// exist already were created before a crash.
pub(super) async fn start(
    engine: &Engine,
    row: &JobRow,
    call: &CallId,
    children: &[ChildStarted],
) -> Result<(), SubmitError> {
    let is_expected = |found: &Conversation| {
        let State::AwaitingSubAgents { round, .. } = &found.state else {
            return false;
        };
        round.current().is_some_and(|current| current.id == *call)
    };
    let loaded = load(engine, row, is_expected).await?;
    if is_expected(&loaded.conversation) {
        for child in children {
            let new = ConversationStart {
                id: Some(child.conversation.clone()),
                driver: Driver::BuiltIn,
                app: loaded.app.clone(),
                parent: Some(Parent {
                    conversation: row.conversation.clone(),
                    call: call.clone(),
                }),
                title: Some(child.name.clone()),
                message: Some(child.task.to_string()),
                message_id: None,
            };
            match engine.create(new, system(), CommitOptions::default()).await {
                Ok(_) | Err(SubmitError::Store(StoreError::Conflict)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    // The parent may have been stopped in the meantime, before some of its children existed. Now all
    // of them exist, so a later stop finds them.
    let loaded = load(engine, row, is_expected).await?;
    if !is_expected(&loaded.conversation) {
        let ids: Vec<_> = children
            .iter()
            .map(|child| child.conversation.clone())
            .collect();
        withdraw(engine, &ids).await?;
    }
    finish_job(engine, row.id).await;
    Ok(())
}

pub(super) async fn stop(
    engine: &Engine,
    row: &JobRow,
    children: &[ConversationId],
) -> Result<(), SubmitError> {
    withdraw(engine, children).await?;
    finish_job(engine, row.id).await;
    Ok(())
}

/// Stops conversations. Those that are idle or do not exist need no stop.
async fn withdraw(engine: &Engine, children: &[ConversationId]) -> Result<(), SubmitError> {
    for child in children {
        let stop = Command::Withdraw { target: None };
        match engine.submit(child, stop, system()).await {
            Ok(_) | Err(SubmitError::Rejected(_) | SubmitError::NotFound) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Submits the result of a sub-agent to its parent. A parent that no longer waits rejects it.
pub(super) async fn report(
    engine: &Engine,
    row: &JobRow,
    parent: &ConversationId,
    result: CallResult,
) -> Result<(), SubmitError> {
    let child = row.conversation.clone();
    let finished = Command::SubAgentFinished { child, result };
    match engine.submit(parent, finished, system()).await {
        Ok(_)
        | Err(
            SubmitError::Rejected(Rejection::StaleReport | Rejection::Closed)
            | SubmitError::NotFound,
        ) => {}
        Err(error) => return Err(error),
    }
    finish_job(engine, row.id).await;
    Ok(())
}

#[cfg(test)]
#[path = "children_tests.rs"]
mod tests;

//! Starts and stops sub-agents, and brings their reports to the parent.

use askback_core::conversation::command::Command;
use askback_core::conversation::event::{CallResult, ChildStarted};
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::state::State;
use askback_core::conversation::{Conversation, Driver, Parent};
use askback_core::id::{CallId, ConversationId};
use askback_store::{JobRow, StoreError};

use super::system;
use crate::commit::CommitOptions;
use crate::create::ConversationStart;
use crate::engine::Engine;
use crate::submit::SubmitError;

/// Starts the conversations of sub-agents that are still wanted. Those that exist already were
/// started before a crash.
pub(super) async fn start(
    engine: &Engine,
    row: &JobRow,
    call: &CallId,
    children: &[ChildStarted],
) -> Result<(), SubmitError> {
    let wants = |found: &Conversation| {
        let State::AwaitingSubAgents { round, .. } = &found.state else {
            return false;
        };
        round.current().is_some_and(|current| current.id == *call)
    };
    let loaded = engine.load_for_job(&row.conversation, wants).await?;
    if wants(&loaded.conversation) {
        for child in children {
            let new = ConversationStart {
                id: Some(child.conversation.clone()),
                driver: Driver::BuiltIn,
                app: loaded.app.clone(),
                parent: Some(Parent {
                    conversation: row.conversation.clone(),
                    call: call.clone(),
                }),
                title: Some(child.name.to_string()),
                message: Some(child.task.to_string()),
                message_id: None,
            };
            match engine.create(new, system(), CommitOptions::default()).await {
                Ok(_) | Err(SubmitError::Store(StoreError::Conflict)) => {}
                Err(error) => return Err(error),
            }
        }
    }
    // The parent may have been stopped meanwhile, and whoever stopped its children did not find
    // those that came later. From here on all exist, so a later stop finds them.
    let loaded = engine.load_for_job(&row.conversation, wants).await?;
    if !wants(&loaded.conversation) {
        let ids: Vec<_> = children
            .iter()
            .map(|child| child.conversation.clone())
            .collect();
        withdraw(engine, &ids).await?;
    }
    engine.finish_job(row.id).await;
    Ok(())
}

/// Stops sub-agents whose parent was stopped.
pub(super) async fn stop(
    engine: &Engine,
    row: &JobRow,
    children: &[ConversationId],
) -> Result<(), SubmitError> {
    withdraw(engine, children).await?;
    engine.finish_job(row.id).await;
    Ok(())
}

/// Stops conversations that work; those that do not, or are not there, need no stop.
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

/// Brings a sub-agent's report to its parent, once.
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
    engine.finish_job(row.id).await;
    Ok(())
}

#[cfg(test)]
#[path = "children_tests.rs"]
mod tests;

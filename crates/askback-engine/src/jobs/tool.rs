//! Runs a tool and reports its result.

use askback_core::conversation::Conversation;
use askback_core::conversation::command::Command;
use askback_core::conversation::state::State;
use askback_core::id::CallId;
use askback_store::JobRow;
use serde_json::Value;

use super::running_jobs::AbortableWork;
use super::{report, system};
use crate::engine::Engine;
use crate::ports::ToolRun;
use crate::submit::SubmitError;

pub(super) async fn run(
    engine: &Engine,
    row: &JobRow,
    call: CallId,
    name: String,
    input: Value,
) -> Result<(), SubmitError> {
    let Some(mut registered) = engine
        .inner
        .running
        .register(AbortableWork::Tool(call.clone()))
    else {
        return Ok(());
    };
    let loaded = engine
        .load_for_job(&row.conversation, |found| {
            is_current(found, &call).is_some()
        })
        .await?;
    let current = is_current(&loaded.conversation, &call);
    match current {
        None => {
            engine.finish_job(row.id).await;
            return Ok(());
        }
        // A previous process started it, and it may have had effects, so it does not run again.
        Some(true) => return report(engine, row, Command::ToolInterrupted { call }).await,
        Some(false) => {}
    }
    let started = Command::ToolStarted { call: call.clone() };
    match engine.submit(&row.conversation, started, system()).await {
        Ok(_) => {}
        Err(SubmitError::Rejected(_)) => {
            engine.finish_job(row.id).await;
            return Ok(());
        }
        Err(error) => return Err(error),
    }
    let tool = ToolRun {
        conversation: row.conversation.clone(),
        call: call.clone(),
        name,
        input,
    };
    if let Some(result) = registered
        .run_until_aborted(engine.inner.parts.tools.run(tool))
        .await
    {
        report(engine, row, Command::ToolFinished { call, result }).await
    } else {
        engine.finish_job(row.id).await;
        Ok(())
    }
}

/// `None` unless the conversation waits for this call; otherwise whether the call was started.
fn is_current(conversation: &Conversation, call: &CallId) -> Option<bool> {
    match &conversation.state {
        State::ToolExecuting { round, started } => {
            let current = round.current().filter(|current| current.id == *call);
            current.map(|_| *started)
        }
        State::Idle
        | State::LlmRequesting { .. }
        | State::AwaitingUserResponse(_)
        | State::AwaitingSubAgents { .. }
        | State::Error { .. }
        | State::Closed => None,
    }
}

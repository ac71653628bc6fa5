//! Runs a tool and reports its result.

use std::sync::Arc;

use askback_core::conversation::Conversation;
use askback_core::conversation::command::Command;
use askback_core::conversation::event::CallResult;
use askback_core::conversation::job::{Job, ToolResume};
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::state::{PendingInquiries, ReturnedTool, State, ToolQuestion};
use askback_core::id::CallId;
use askback_core::inquiry::Inquiry;
use askback_core::outcome::Outcome;
use askback_store::JobRow;
use jiff::SignedDuration;
use serde_json::Value;

use super::running_jobs::AbortableWork;
use super::start::{finish_job, holds_claim, release_job};
use super::tool_asker::ToolAsker;
use super::{load, report, system};
use crate::commit::CommitOptions;
use crate::engine::Engine;
use crate::ports::{AskUser, ResumedTool, ToolReturn, ToolRun};
use crate::submit::SubmitError;

/// When to look again whether a tool can be run here.
const ELSEWHERE_RETRY_DELAY: SignedDuration = SignedDuration::from_secs(10);

/// Runs the tool of a [`Job::RunTool`]; other jobs are none of its business.
pub(super) async fn run(engine: &Engine, row: &JobRow, job: Job) -> Result<(), SubmitError> {
    let Job::RunTool {
        call,
        name,
        input,
        resume,
    } = job
    else {
        return Ok(());
    };
    let Some(mut registered) = engine
        .inner
        .running
        .register(AbortableWork::Tool(row.conversation.clone(), call.clone()))
    else {
        return Ok(());
    };
    // The loss of the claim aborts tools that are registered.
    if !holds_claim(engine, row) {
        return Ok(());
    }
    let loaded = load(engine, row, |found| is_current(found, &call).is_some()).await?;
    let current = is_current(&loaded.conversation, &call);
    match current {
        None => {
            finish_job(engine, row.id).await;
            return Ok(());
        }
        // A previous process started it, and it may have had effects, so it does not run again.
        Some(true) => return report(engine, row, Command::ToolInterrupted { call }).await,
        Some(false) if !engine.inner.parts.tools.runs_here() => {
            let at = engine.clock().now() + ELSEWHERE_RETRY_DELAY;
            release_job(engine, row, at).await;
            return Ok(());
        }
        Some(false) => {}
    }
    let resumed = match resume {
        Some(resume) => Some(resumed(engine, resume).await?),
        None => None,
    };
    let started = Command::ToolStarted { call: call.clone() };
    match engine.submit(&row.conversation, started, system()).await {
        Ok(_) => {}
        Err(SubmitError::Rejected(_)) => return settle(engine, row, call).await,
        Err(error) => return Err(error),
    }
    let user = Arc::new(ToolAsker::new(engine, &row.conversation, &call));
    let tool = ToolRun {
        conversation: row.conversation.clone(),
        call: call.clone(),
        name,
        input: input.clone(),
        resumed,
        user: Arc::clone(&user) as Arc<dyn AskUser>,
    };
    let running = registered.run_until_aborted(engine.inner.parts.tools.run(tool));
    tokio::select! {
        biased;
        returned = running => finish(engine, row, (call, input), returned).await,
        // The job stays in the store. The next server withdraws the question.
        () = user.waits_at_shutdown() => Ok(()),
    }
}

/// Reports what a tool has returned; none if it was aborted.
async fn finish(
    engine: &Engine,
    row: &JobRow,
    (call, input): (CallId, Value),
    returned: Option<ToolReturn>,
) -> Result<(), SubmitError> {
    match returned {
        Some(ToolReturn::Finished(result)) => {
            report(engine, row, Command::ToolFinished { call, result }).await
        }
        Some(ToolReturn::Asks { inquiry, state }) => {
            let how = ToolQuestion::Returned(Box::new(ReturnedTool { input, state }));
            ask(engine, row, call, inquiry, how).await
        }
        None => settle(engine, row, call).await,
    }
}

/// For a tool that could not be started or was aborted: removes the job if the conversation does not wait for the
/// tool any more. Another process may have started it, and lost the job since.
async fn settle(engine: &Engine, row: &JobRow, call: CallId) -> Result<(), SubmitError> {
    if !holds_claim(engine, row) {
        return Ok(());
    }
    let loaded = load(engine, row, |_| false).await?;
    match is_current(&loaded.conversation, &call) {
        None => {
            finish_job(engine, row.id).await;
            Ok(())
        }
        Some(true) => report(engine, row, Command::ToolInterrupted { call }).await,
        Some(false) => Ok(()),
    }
}

/// What a tool that has returned a question goes on with.
async fn resumed(engine: &Engine, resume: ToolResume) -> Result<ResumedTool, SubmitError> {
    let view = engine.inquiry(&resume.inquiry).await?;
    let resolution = view.and_then(|view| view.resolution);
    Ok(ResumedTool {
        outcome: resolution.map_or(Outcome::Withdrawn, |stored| stored.resolution.outcome),
        state: resume.state,
    })
}

/// Asks the question that a tool has returned. The same commit removes the job.
async fn ask(
    engine: &Engine,
    row: &JobRow,
    call: CallId,
    inquiry: Inquiry,
    how: ToolQuestion,
) -> Result<(), SubmitError> {
    let asked = Command::ToolAsked {
        call: call.clone(),
        inquiry,
        how,
    };
    let options = CommitOptions {
        finished_jobs: vec![row.id],
        ..CommitOptions::default()
    };
    let executed = engine.execute(&row.conversation, &asked, system(), options);
    match executed.await {
        Ok(_) => Ok(()),
        Err(SubmitError::Rejected(Rejection::Undeliverable(reason))) => {
            let result = CallResult::error(format!("The tool asked a question. {reason}"));
            report(engine, row, Command::ToolFinished { call, result }).await
        }
        Err(SubmitError::Rejected(_) | SubmitError::NotFound) => {
            finish_job(engine, row.id).await;
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// `None` unless the conversation waits for this call; otherwise whether the call was started.
pub(super) fn is_current(conversation: &Conversation, call: &CallId) -> Option<bool> {
    match &conversation.state {
        State::ToolExecuting { round, started } => {
            let current = round.current().filter(|current| current.id == *call);
            current.map(|_| *started)
        }
        // The tool of a previous process waits for an answer.
        State::AwaitingUserResponse(PendingInquiries::Agent { round, pending })
            if pending.tool == Some(ToolQuestion::Running) =>
        {
            round.is_current(call).then_some(true)
        }
        State::Idle
        | State::LlmRequesting { .. }
        | State::AwaitingUserResponse(_)
        | State::AwaitingSubAgents { .. }
        | State::Error { .. }
        | State::Closed => None,
    }
}

#[cfg(test)]
#[path = "tool_tests.rs"]
mod tests;

//! Jobs: work that follows from a commit. Each is stored until it is done, so a crash loses none. Its
//! result is a command like any other, and is rejected if the conversation no longer expects it.

mod children;
mod limiter;
mod llm;
pub(crate) mod queue;
mod running_jobs;
mod start;
mod timers;
mod tool;
mod tool_asker;
mod webhook;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::Conversation;
use askback_core::conversation::command::Command;
use askback_core::conversation::job::Job;
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::state::State;
use askback_core::outcome::{Actor, Surface};
use askback_core::time::next_whole_millis;
use askback_store::JobRow;
use askback_stored::StoredJob;
use jiff::{SignedDuration, Timestamp};

use crate::commit::{CommitOptions, WEBHOOK};
use crate::engine::Engine;
use crate::loaded_conversation::LoadedConversation;
use crate::metrics::label;
use crate::submit::SubmitError;
pub(crate) use limiter::JobLimiter;
use queue::Queue;
pub(crate) use running_jobs::{AbortableWork, RunningJobs};
pub(crate) use start::{
    ClaimedJobs, JobWaker, claim_due_jobs, finish_job, start_claimed, start_claimed_and_wait_for,
};
use start::{JobStart, release_job};
pub(crate) use timers::run_timers;
pub use webhook::{QueuedWebhook, WebhookQueue};
pub(crate) use worker::run_worker;

/// When to check a deadline again while an answer can still be undone.
const HELD_RETRY_DELAY: SignedDuration = SignedDuration::from_secs(1);
const STORE_RETRY_DELAY: Duration = Duration::from_secs(1);

/// The actor of commands that jobs submit.
pub(crate) fn system() -> Actor {
    Actor::new(None, Surface::System)
}

/// Whether a conversation still expects the result of running work.
pub(crate) fn is_expected(conversation: &Conversation, work: &AbortableWork) -> bool {
    match work {
        AbortableWork::Request(_, request) => {
            matches!(conversation.state, State::LlmRequesting { request: current, .. } if current == *request)
        }
        AbortableWork::Tool(_, call) => tool::is_current(conversation, call).is_some(),
    }
}

async fn run(engine: &Engine, row: JobRow, start: JobStart) {
    let id = row.id;
    if engine.inner.shutdown.is_closing() {
        // The job stays in the store, and the next server runs it.
        return;
    }
    if row.kind == WEBHOOK {
        let _working = engine.inner.shutdown.track_work();
        webhook::run(engine, row).await;
        return;
    }
    let job = askback_stored::from_json::<StoredJob<'_>>(&row.json).and_then(StoredJob::restore);
    let job = match job {
        Ok(job) => job,
        Err(error) => {
            // Not finished, so it is tried again after a while: this stops its conversation, not the server.
            tracing::error!(%error, job = id, "cannot parse a job");
            return;
        }
    };
    // Not tracked as work: a shutdown does not wait for the end of an undo window.
    if let Job::CommitHeldAnswer {
        inquiry,
        held_at,
        at,
    } = job
    {
        let left = match start {
            JobStart::WithCommit => timers::full_window(held_at, at),
            JobStart::Later => timers::window_left(engine.clock().now(), held_at, at),
        };
        timers::commit_after_undo_window(engine, &row, left, inquiry, at).await;
        return;
    }
    let _working = engine.inner.shutdown.track_work();
    let result = match job {
        Job::RequestLlm {
            request, attempt, ..
        } => llm::run(engine, &row, request, attempt).await,
        job @ Job::RunTool { .. } => tool::run(engine, &row, job).await,
        Job::StartSubAgents { call, children } => {
            children::start(engine, &row, &call, &children).await
        }
        Job::StopSubAgents { children } => children::stop(engine, &row, &children).await,
        Job::ReportToParent { parent, result, .. } => {
            children::report(engine, &row, &parent, result).await
        }
        Job::RemoveConversation => engine.finish_removal(&row).await,
        Job::RemindInquiry {
            inquiry,
            expires_at,
            ..
        } => {
            let remind = Command::Remind {
                inquiry,
                expires_at,
            };
            report(engine, &row, remind).await
        }
        Job::ExpireInquiry { inquiry, .. } => {
            report(engine, &row, Command::Expire { inquiry }).await
        }
        Job::CommitHeldAnswer { .. } | Job::AbortRequest { .. } | Job::AbortTool { .. } => Ok(()),
    };
    if let Err(error) = result {
        retry(engine, &row, &error).await;
    }
}

/// The conversation of a job. If it does not expect the job, it is read again.
async fn load(
    engine: &Engine,
    row: &JobRow,
    expects: impl Fn(&Conversation) -> bool,
) -> Result<Arc<LoadedConversation>, SubmitError> {
    let conversations = &engine.inner.conversations;
    conversations.load_for_job(&row.conversation, expects).await
}

/// Submits the result of a job; the same commit removes the job. A result that the conversation no
/// longer expects is dropped.
async fn report(engine: &Engine, row: &JobRow, command: Command) -> Result<(), SubmitError> {
    let options = CommitOptions {
        finished_jobs: vec![row.id],
        ..CommitOptions::default()
    };
    // No task is spawned for it: nothing cancels the task of a job.
    let executed = engine.execute(&row.conversation, &command, system(), options);
    match executed.await {
        Ok(_) => Ok(()),
        Err(SubmitError::Rejected(rejection)) => {
            if let Some(at) = retry_at(engine.clock().now(), &rejection) {
                release_job(engine, row, at).await;
                return Ok(());
            }
            tracing::debug!(
                code = rejection.code(),
                job = row.id,
                "dropped a job result that nobody expects any more"
            );
            finish_job(engine, row.id).await;
            Ok(())
        }
        Err(SubmitError::NotFound) => {
            finish_job(engine, row.id).await;
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// When a timer that fired too early must fire again: it was before the deadline, or an answer can
/// still be undone.
fn retry_at(now: Timestamp, rejection: &Rejection) -> Option<Timestamp> {
    if let Rejection::NotExpired { expires_at } = rejection {
        let soonest = now + SignedDuration::from_millis(1);
        return expires_at.map(|at| next_whole_millis(at).max(soonest));
    }
    matches!(rejection, Rejection::Held).then(|| now + HELD_RETRY_DELAY)
}

/// Schedules a job again after an internal failure, with exponential backoff.
async fn retry(engine: &Engine, row: &JobRow, error: &SubmitError) {
    tracing::warn!(%error, job = row.id, kind = row.kind, "a job failed; will retry");
    if let Some(queue) = Queue::from_name(&row.queue) {
        let retries = &engine.metrics().job_retries;
        retries.get_or_create(&label("queue", queue.kind())).inc();
    }
    let seconds = i64::from(1_u32 << row.attempt.min(6));
    let at = engine.clock().now() + SignedDuration::from_secs(seconds);
    release_job(engine, row, at).await;
}

#[cfg(test)]
#[path = "jobs/clock_tests.rs"]
mod clock_tests;
#[cfg(test)]
#[path = "jobs/queue_isolation_tests.rs"]
mod queue_isolation_tests;

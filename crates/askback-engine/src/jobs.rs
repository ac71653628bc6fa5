//! Jobs: work that follows from a commit. They are rows until they are done, so a crash loses none;
//! what they report is a command like any other, and is refused if it comes too late.

mod children;
mod limiter;
mod llm;
pub(crate) mod queue;
mod running_jobs;
mod start;
mod timers;
mod tool;
mod webhook;
mod worker;

use std::time::Duration;

use askback_core::conversation::command::Command;
use askback_core::conversation::job::Job;
use askback_core::conversation::rejection::Rejection;
use askback_core::outcome::{Actor, Surface};
use askback_core::time::next_whole_millis;
use askback_store::JobRow;
use jiff::{SignedDuration, Timestamp};

use crate::commit::{CommitOptions, WEBHOOK};
use crate::engine::Engine;
use crate::storage_format;
use crate::submit::SubmitError;
pub(crate) use limiter::JobLimiter;
pub(crate) use running_jobs::RunningJobs;
pub(crate) use start::ClaimedJobs;
use start::JobStart;
pub(crate) use timers::run_timers;
pub(crate) use worker::run_worker;

/// How soon a deadline is looked at again whose question has an answer that can be taken back.
const HELD_RETRY_DELAY: SignedDuration = SignedDuration::from_secs(1);
/// The pause after a store that could not be read.
const STORE_RETRY_DELAY: Duration = Duration::from_secs(1);

/// The actor behind timers and reports.
pub(crate) fn system() -> Actor {
    Actor {
        name: None,
        surface: Surface::System,
    }
}

/// Waits for a time, or for ever.
async fn until(engine: &Engine, at: Option<Timestamp>) {
    match at {
        Some(at) => engine.clock().sleep_until(at).await,
        None => std::future::pending().await,
    }
}

async fn run(engine: &Engine, row: JobRow, begun: JobStart) {
    let id = row.id;
    if engine.inner.shutdown.is_closing() {
        // It stays due, and the next server begins it.
        return;
    }
    if row.kind == WEBHOOK {
        let _working = engine.inner.shutdown.track_work();
        webhook::run(engine, row).await;
        return;
    }
    let job: Job = match storage_format::parse(&row.json) {
        Ok(job) => job,
        Err(error) => {
            // Left alone: it stops its conversation, not the server.
            tracing::error!(%error, job = id, "a job cannot be read");
            return;
        }
    };
    // Waiting is no work: an engine that stops does not wait for it.
    if let Job::CommitHeldAnswer {
        inquiry,
        held_at,
        at,
    } = job
    {
        let left = match (begun, held_at) {
            (JobStart::WithCommit, Some(held_at)) => timers::full_window(held_at, at),
            (JobStart::WithCommit | JobStart::Later, _) => {
                timers::window_left(engine.clock().now(), held_at, at)
            }
        };
        timers::commit_after_undo_window(engine, &row, left, (inquiry, at)).await;
        return;
    }
    let _working = engine.inner.shutdown.track_work();
    let done = match job {
        Job::RequestLlm {
            request, attempt, ..
        } => llm::run(engine, &row, request, attempt).await,
        Job::RunTool { call, name, input } => tool::run(engine, &row, call, name, input).await,
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
    if let Err(error) = done {
        retry(engine, &row, &error).await;
    }
}

/// Submits what a job has to report, and the job is done with the same commit. A report that comes
/// too late is no failure: the job is done all the same.
async fn report(engine: &Engine, row: &JobRow, command: Command) -> Result<(), SubmitError> {
    let options = CommitOptions {
        finished_jobs: vec![row.id],
        ..CommitOptions::default()
    };
    // A job's task is its own: it does not go away.
    let done = engine.execute(&row.conversation, &command, system(), options);
    match done.await {
        Ok(_) => Ok(()),
        Err(SubmitError::Rejected(rejection)) => {
            if let Some(at) = retry_at(engine.clock().now(), &rejection) {
                engine.release_job(row, at).await;
                return Ok(());
            }
            tracing::debug!(
                code = rejection.code(),
                job = row.id,
                "a report came too late"
            );
            engine.finish_job(row.id).await;
            Ok(())
        }
        Err(SubmitError::NotFound) => {
            engine.finish_job(row.id).await;
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// When a timer is to fire again that came too early: before its deadline, or while an answer can
/// still be taken back.
fn retry_at(now: Timestamp, rejection: &Rejection) -> Option<Timestamp> {
    if let Rejection::NotExpired { expires_at } = rejection {
        let soonest = now + SignedDuration::from_millis(1);
        return expires_at.map(|at| next_whole_millis(at).max(soonest));
    }
    matches!(rejection, Rejection::Held).then(|| now + HELD_RETRY_DELAY)
}

/// Gives a job back after a failure of ours; it runs again after a pause that grows.
async fn retry(engine: &Engine, row: &JobRow, error: &SubmitError) {
    tracing::warn!(%error, job = row.id, kind = row.kind, "a job failed; trying again");
    let seconds = i64::from(1_u32 << row.attempt.min(6));
    let at = engine.clock().now() + SignedDuration::from_secs(seconds);
    engine.release_job(row, at).await;
}

#[cfg(test)]
#[path = "jobs/clock_tests.rs"]
mod clock_tests;
#[cfg(test)]
#[path = "jobs/queue_isolation_tests.rs"]
mod queue_isolation_tests;

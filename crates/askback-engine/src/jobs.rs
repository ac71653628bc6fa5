//! Jobs: work that follows from a commit. They are rows until they are done, so a crash loses none;
//! what they report is a command like any other, and is refused if it comes too late.

mod children;
mod llm;
mod running;
mod slots;
mod tool;
mod webhook;

use std::sync::Arc;

use askback_core::conversation::command::Command;
use askback_core::conversation::job::Job;
use askback_core::outcome::{Actor, Surface};
use askback_store::{JobRow, StoreError};
use jiff::SignedDuration;

use crate::commit::{Extras, WEBHOOK};
use crate::engine::Engine;
use crate::stored;
use crate::submit::SubmitError;
pub(crate) use running::Running;
pub(crate) use slots::{Claimed, Slots};

/// How long a claimed job is left to its worker.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// The pause after a store that could not be read.
const STORE_PAUSE: SignedDuration = SignedDuration::from_secs(1);

/// The actor behind timers and reports.
pub(crate) fn system() -> Actor {
    Actor {
        name: None,
        surface: Surface::System,
    }
}

/// Claims jobs as they fall due and runs them. Nothing polls: it waits for a commit that brings jobs
/// for later, for a job that must be run again, or for the next due time. What a commit brings for
/// now begins with it.
pub(crate) async fn work(engine: Engine) {
    while !engine.inner.shutdown.is_closing() {
        let changed = engine.inner.jobs_changed.notified();
        match claim(&engine).await {
            Ok(next) => {
                let clock = Arc::clone(engine.clock());
                let due = async move {
                    match next {
                        Some(at) => clock.sleep_until(at).await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    () = changed => {}
                    () = due => {}
                }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot read jobs; trying again");
                let again = engine.clock().now() + STORE_PAUSE;
                engine.clock().sleep_until(again).await;
            }
        }
    }
}

/// Starts what is due and says when the next job will be.
async fn claim(engine: &Engine) -> Result<Option<jiff::Timestamp>, StoreError> {
    let slots = &engine.inner.slots;
    loop {
        let free = slots.free();
        if free == 0 {
            // A job that ends rings the bell.
            return Ok(None);
        }
        let now = engine.clock().now();
        let jobs = engine.store().claim_jobs(now, now + LEASE, free).await?;
        if jobs.is_empty() {
            return engine.store().next_job_at().await;
        }
        for job in jobs {
            let Some(slot) = slots.take(1) else {
                engine.store().release_job(job.id, job.run_at).await?;
                continue;
            };
            engine.start_job(job, Some(slot));
        }
    }
}

async fn run(engine: &Engine, row: JobRow) {
    let _working = engine.inner.shutdown.work();
    let id = row.id;
    if row.kind == WEBHOOK {
        webhook::run(engine, row).await;
        return;
    }
    let job: Job = match stored::parse(&row.json) {
        Ok(job) => job,
        Err(error) => {
            // Left alone: it stops its conversation, not the server.
            tracing::error!(%error, job = id, "a job cannot be read");
            return;
        }
    };
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
        Job::ReleaseAnswer { inquiry, at } => {
            let release = Command::Release { inquiry, until: at };
            report(engine, &row, release).await
        }
        Job::ExpireInquiry { inquiry, .. } => {
            report(engine, &row, Command::Expire { inquiry }).await
        }
        Job::AbortRequest { .. } | Job::AbortTool { .. } => Ok(()),
    };
    if let Err(error) = done {
        retry(engine, &row, &error).await;
    }
}

/// Submits what a job has to report, and the job is done with the same commit. A report that comes
/// too late is no failure: the job is done all the same.
async fn report(engine: &Engine, row: &JobRow, command: Command) -> Result<(), SubmitError> {
    let extras = Extras {
        done: vec![row.id],
        ..Extras::default()
    };
    // A job's task is its own: it does not go away.
    let done = engine.carry_out(&row.conversation, &command, system(), extras);
    match done.await {
        Ok(_) => Ok(()),
        Err(SubmitError::Rejected(rejection)) => {
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

/// Gives a job back after a failure of ours; it runs again after a pause that grows.
async fn retry(engine: &Engine, row: &JobRow, error: &SubmitError) {
    tracing::warn!(%error, job = row.id, kind = row.kind, "a job failed; trying again");
    let seconds = i64::from(1_u32 << row.attempt.min(6));
    let at = engine.clock().now() + SignedDuration::from_secs(seconds);
    if let Err(error) = engine.store().release_job(row.id, at).await {
        tracing::warn!(%error, job = row.id, "cannot give a job back");
    }
}

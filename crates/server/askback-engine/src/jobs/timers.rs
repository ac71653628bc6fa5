//! Timers: deadlines, reminders, and the ends of undo windows. They have their own loop and their own
//! limit, and each takes one commit, so they never wait for other jobs.
//!
//! Deadlines follow the wall clock, which somebody may change at any time. An undo window is measured
//! by elapsed time in the process that accepted the answer; only after a restart does the wall clock
//! decide how much of it is left.

use std::time::Duration;

use askback_core::conversation::command::Command;
use askback_core::id::InquiryId;
use askback_core::limits;
use askback_store::{JobRow, StoreError};
use jiff::Timestamp;

use super::queue::Queue;
use super::start::{JobStart, start_job};
use super::worker::start_due_in;
use super::{STORE_RETRY_DELAY, report};
use crate::engine::Engine;

const UNDO_WINDOW_MAX: Duration = Duration::from_secs(limits::UNDO_SECONDS_MAX.unsigned_abs());
const HELD_ANSWERS_PER_CLAIM: usize = 256;

/// Runs the timers until the engine shuts down.
pub(crate) async fn run_timers(engine: Engine) {
    while !engine.inner.shutdown.is_closing() {
        let changed = engine.inner.job_waker.timers.notified();
        match start_due(&engine).await {
            Ok(next) => {
                tokio::select! {
                    biased;
                    () = changed => {}
                    () = engine.clock().sleep_until_or_forever(next) => {}
                }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot read timers; will retry");
                engine.sleep_unless_stopping(STORE_RETRY_DELAY).await;
            }
        }
    }
}

/// Starts the timers that are due and returns when the next one will be.
async fn start_due(engine: &Engine) -> Result<Option<Timestamp>, StoreError> {
    resume_held_answers(engine).await?;
    Ok(start_due_in(engine, &Queue::Timer).await?.next)
}

/// Claims the held answers of a previous process, due or not: from now on their undo windows are
/// measured by elapsed time.
async fn resume_held_answers(engine: &Engine) -> Result<(), StoreError> {
    let queue = Queue::HeldAnswers.name();
    loop {
        let claiming = engine
            .store()
            .claim_jobs(&queue, Timestamp::MAX, HELD_ANSWERS_PER_CLAIM);
        let claim = claiming.await?;
        if claim.jobs.is_empty() {
            return Ok(());
        }
        for job in claim.jobs {
            start_job(engine, job, None, JobStart::Later);
        }
    }
}

/// Waits for the end of the undo window and commits the held answer. If the store cannot be written,
/// this retries until it can.
pub(super) async fn commit_after_undo_window(
    engine: &Engine,
    row: &JobRow,
    mut pause: Duration,
    inquiry: InquiryId,
    until: Timestamp,
) {
    let command = Command::CommitHeldAnswer { inquiry, until };
    let mut failures = 0;
    loop {
        if !engine.sleep_unless_stopping(pause).await {
            return;
        }
        let _working = engine.inner.shutdown.track_work();
        match report(engine, row, command.clone()).await {
            Ok(()) => return,
            Err(error) => {
                tracing::warn!(%error, job = row.id, "cannot commit a held answer; will retry");
                failures += 1;
                pause = Duration::from_secs(1 << failures.min(6_u32));
            }
        }
    }
}

/// The rest of an undo window by the wall clock. A clock that shows a time before the answer was set
/// back, so the whole window starts again.
pub(super) fn window_left(now: Timestamp, held_at: Timestamp, until: Timestamp) -> Duration {
    let whole = full_window(held_at, until);
    let left = Duration::try_from(until.duration_since(now));
    left.unwrap_or(Duration::ZERO).min(whole)
}

/// The length of an undo window that starts now.
pub(super) fn full_window(held_at: Timestamp, until: Timestamp) -> Duration {
    let whole = Duration::try_from(until.duration_since(held_at));
    whole.unwrap_or(Duration::ZERO).min(UNDO_WINDOW_MAX)
}

#[cfg(test)]
#[path = "timers_tests.rs"]
mod tests;

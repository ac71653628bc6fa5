//! Timers: deadlines, reminders, and answers that can no longer be taken back. They have a loop of
//! their own and a limit that only they use up, for as long as a commit takes, so they never wait for
//! work.
//!
//! Deadlines follow the wall clock, which may be set at any time. An answer that can be taken back
//! waits by elapsed time in the process that took it; only after a restart is the wall clock asked
//! how much of that time is left.

use std::time::Duration;

use askback_core::conversation::command::Command;
use askback_core::id::InquiryId;
use askback_core::limits;
use askback_store::{JobRow, StoreError};
use jiff::Timestamp;

use super::queue::Queue;
use super::start::JobStart;
use super::worker::start_due_in;
use super::{STORE_RETRY_DELAY, report, until};
use crate::engine::Engine;

/// No answer is held for longer.
const UNDO_WINDOW_MAX: Duration = Duration::from_secs(limits::HOLD_SECONDS_MAX.unsigned_abs());
/// Held answers that are claimed at once after a restart.
const HELD_ANSWERS_PER_CLAIM: usize = 256;

/// Looks after the timers until the engine stops.
pub(crate) async fn run_timers(engine: Engine) {
    while !engine.inner.shutdown.is_closing() {
        let changed = engine.inner.timers_changed.notified();
        match start_due(&engine).await {
            Ok(next) => {
                tokio::select! {
                    () = changed => {}
                    () = until(&engine, next) => {}
                }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot read timers; trying again");
                engine.sleep_unless_stopping(STORE_RETRY_DELAY).await;
            }
        }
    }
}

/// Starts the timers that are due, and says when the next one will be.
async fn start_due(engine: &Engine) -> Result<Option<Timestamp>, StoreError> {
    resume_held_answers(engine).await?;
    start_due_in(engine, &Queue::Timer).await
}

/// Takes up the held answers that nobody looks after: those of a process that is gone. Each is
/// claimed whether it is due or not, because it waits by elapsed time from here on.
async fn resume_held_answers(engine: &Engine) -> Result<(), StoreError> {
    let holds = Queue::HeldAnswers.name();
    loop {
        let claiming = engine
            .store()
            .claim_jobs(&holds, Timestamp::MAX, HELD_ANSWERS_PER_CLAIM);
        let claim = claiming.await?;
        if claim.jobs.is_empty() {
            return Ok(());
        }
        for job in claim.jobs {
            engine.start_job(job, None, JobStart::Later);
        }
    }
}

/// Lets a held answer take effect after this time. It is never given back: a store that cannot
/// be written is tried again from here.
pub(super) async fn commit_after_undo_window(
    engine: &Engine,
    row: &JobRow,
    mut pause: Duration,
    (inquiry, until): (InquiryId, Timestamp),
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
                tracing::warn!(%error, job = row.id, "a held answer cannot take effect yet");
                failures += 1;
                pause = Duration::from_secs(1 << failures.min(6_u32));
            }
        }
    }
}

/// How long an answer is held from now on. A clock that stands before the time at which it was given
/// was set back meanwhile and cannot tell, so the whole time is waited for once more.
pub(super) fn window_left(
    now: Timestamp,
    held_at: Option<Timestamp>,
    until: Timestamp,
) -> Duration {
    let whole = held_at.map_or(UNDO_WINDOW_MAX, |held_at| full_window(held_at, until));
    let left = Duration::try_from(until.duration_since(now));
    left.unwrap_or(Duration::ZERO).min(whole)
}

/// How long an answer is held that was given just now.
pub(super) fn full_window(held_at: Timestamp, until: Timestamp) -> Duration {
    let whole = Duration::try_from(until.duration_since(held_at));
    whole.unwrap_or(Duration::ZERO).min(UNDO_WINDOW_MAX)
}

#[cfg(test)]
#[path = "timers_tests.rs"]
mod tests;

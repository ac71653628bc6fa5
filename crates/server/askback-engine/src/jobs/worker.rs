//! Claims jobs when they are due, queue by queue. It does not poll: it waits for the next due time, or
//! until a commit, a released job or a free permit wakes it.

use std::collections::HashSet;

use askback_store::StoreError;
use jiff::{SignedDuration, Timestamp};

use super::STORE_RETRY_DELAY;
use super::queue::Queue;
use super::start::{JobStart, serves_queue, start_job};
use crate::clock::{MAX_SLEEP, RollbackDetector};
use crate::engine::Engine;

/// Runs the jobs of all queues except timers, until the engine shuts down.
pub(crate) async fn run_worker(engine: Engine) {
    // Queues without a provider here that were already logged.
    let mut reported = HashSet::new();
    let mut rollbacks = RollbackDetector::watch(engine.clock().as_ref());
    let mut back = SignedDuration::ZERO;
    while !engine.inner.shutdown.is_closing() {
        let changed = engine.inner.job_waker.jobs.notified();
        back += rollbacks.check(engine.clock().as_ref());
        match start_due_jobs(&engine, &mut reported, &mut back).await {
            Ok(next) => {
                tokio::select! {
                    biased;
                    () = changed => {}
                    () = engine.clock().sleep_until_or_forever(next) => {}
                    by = wait_for_rollback(&engine, &mut rollbacks), if next.is_some() => back += by,
                }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot read jobs; will retry");
                engine.sleep_unless_stopping(STORE_RETRY_DELAY).await;
            }
        }
    }
}

/// Waits until somebody sets the clock back, and returns by how much.
async fn wait_for_rollback(engine: &Engine, rollbacks: &mut RollbackDetector) -> SignedDuration {
    loop {
        engine.clock().sleep(MAX_SLEEP).await;
        let by = rollbacks.check(engine.clock().as_ref());
        if !by.is_zero() {
            return by;
        }
    }
}

/// Starts the jobs that are due and returns when the next one will be. `back` is by how much the clock
/// was set back and not yet compensated.
async fn start_due_jobs(
    engine: &Engine,
    reported: &mut HashSet<Queue>,
    back: &mut SignedDuration,
) -> Result<Option<Timestamp>, StoreError> {
    if !back.is_zero() {
        bring_forward(engine, *back).await?;
        *back = SignedDuration::ZERO;
    }
    start_due_in_all(engine, reported).await
}

/// Moves due times after the clock was set back. Jobs outside the timer queues have a due time only
/// as a delay before a retry, and a clock change must not prolong that.
async fn bring_forward(engine: &Engine, by: SignedDuration) -> Result<(), StoreError> {
    let now = engine.clock().now();
    for name in engine.store().job_queues().await? {
        if Queue::from_name(&name).is_some_and(|queue| !queue.is_timer()) {
            engine.store().bring_forward_jobs(&name, now, by).await?;
        }
    }
    Ok(())
}

async fn start_due_in_all(
    engine: &Engine,
    reported: &mut HashSet<Queue>,
) -> Result<Option<Timestamp>, StoreError> {
    let mut next = None;
    for name in engine.store().job_queues().await? {
        let Some(queue) = Queue::from_name(&name) else {
            continue;
        };
        if queue.is_timer() {
            continue;
        }
        if serves_queue(engine, &queue) {
            let next_in = start_due_in(engine, &queue).await?;
            next = next.into_iter().chain(next_in).min();
        } else if reported.insert(queue) {
            tracing::warn!(
                queue = name,
                "conversations are waiting for a server that has their provider"
            );
        }
    }
    Ok(next)
}

/// Starts the due jobs of one queue and returns when the next one will be.
pub(super) async fn start_due_in(
    engine: &Engine,
    queue: &Queue,
) -> Result<Option<Timestamp>, StoreError> {
    let limiter = &engine.inner.limiter;
    let name = queue.name();
    loop {
        let free = limiter.free(queue);
        if free == 0 || engine.inner.shutdown.is_closing() {
            // A job that ends wakes the loop again.
            return Ok(None);
        }
        let now = engine.clock().now();
        let claim = engine.store().claim_jobs(&name, now, free).await?;
        if claim.jobs.is_empty() {
            return Ok(claim.next_at);
        }
        for job in claim.jobs {
            match limiter.try_acquire(queue) {
                Some(permit) => {
                    start_job(engine, job, Some(permit), JobStart::Later);
                }
                None => engine.store().abandon_job(job.id),
            }
        }
    }
}

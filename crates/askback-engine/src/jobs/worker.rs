//! Claims work as it falls due, queue by queue. Nothing polls: it waits for a commit that brings jobs
//! for later, for a job that must be run again or has left room for others, or for the next due time.

use std::collections::HashSet;

use askback_store::StoreError;
use jiff::{SignedDuration, Timestamp};

use super::queue::Queue;
use super::start::JobStart;
use super::{STORE_RETRY_DELAY, until};
use crate::clock::{MAX_SLEEP, RollbackDetector};
use crate::engine::Engine;

/// Looks after all queues but those of timers, until the engine stops.
pub(crate) async fn run_worker(engine: Engine) {
    // Queues that this server does not work on and has said so.
    let mut reported = HashSet::new();
    let mut rollbacks = RollbackDetector::watch(engine.clock().as_ref());
    let mut back = SignedDuration::ZERO;
    while !engine.inner.shutdown.is_closing() {
        let changed = engine.inner.jobs_changed.notified();
        back += rollbacks.check(engine.clock().as_ref());
        match start_due_jobs(&engine, &mut reported, &mut back).await {
            Ok(next) => {
                tokio::select! {
                    () = changed => {}
                    () = until(&engine, next) => {}
                    by = wait_for_rollback(&engine, &mut rollbacks), if next.is_some() => back += by,
                }
            }
            Err(error) => {
                tracing::warn!(%error, "cannot read jobs; trying again");
                engine.sleep_unless_stopping(STORE_RETRY_DELAY).await;
            }
        }
    }
}

/// Waits until the clock is set back, and says by how much.
async fn wait_for_rollback(engine: &Engine, rollbacks: &mut RollbackDetector) -> SignedDuration {
    loop {
        engine.clock().sleep(MAX_SLEEP).await;
        let by = rollbacks.check(engine.clock().as_ref());
        if !by.is_zero() {
            return by;
        }
    }
}

/// Starts what is due, after a clock that was set `back` has been made up for.
async fn start_due_jobs(
    engine: &Engine,
    reported: &mut HashSet<Queue>,
    back: &mut SignedDuration,
) -> Result<Option<Timestamp>, StoreError> {
    if !back.is_zero() {
        bring_forward(engine, *back).await?;
        *back = SignedDuration::ZERO;
    }
    claim(engine, reported).await
}

/// Work waits for a time only before it is tried again, so that is no longer after the clock was
/// set back than it was before.
async fn bring_forward(engine: &Engine, by: SignedDuration) -> Result<(), StoreError> {
    let now = engine.clock().now();
    for name in engine.store().job_queues().await? {
        if Queue::from_name(&name).is_some_and(|queue| !queue.is_timer()) {
            engine.store().bring_forward_jobs(&name, now, by).await?;
        }
    }
    Ok(())
}

/// Starts what is due and says when the next job will be.
async fn claim(
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
        if engine.serves_queue(&queue) {
            let next_in = start_due_in(engine, &queue).await?;
            next = next.into_iter().chain(next_in).min();
        } else if reported.insert(queue) {
            tracing::warn!(
                queue = name,
                "conversations wait for a server with their provider"
            );
        }
    }
    Ok(next)
}

/// Starts what is due in one queue and says when its next job will be.
pub(super) async fn start_due_in(
    engine: &Engine,
    queue: &Queue,
) -> Result<Option<Timestamp>, StoreError> {
    let limiter = &engine.inner.limiter;
    let name = queue.name();
    loop {
        let free = limiter.free(queue);
        if free == 0 || engine.inner.shutdown.is_closing() {
            // A job that ends wakes whoever looks after the queue.
            return Ok(None);
        }
        let now = engine.clock().now();
        let claim = engine.store().claim_jobs(&name, now, free).await?;
        if claim.jobs.is_empty() {
            return Ok(claim.next_at);
        }
        for job in claim.jobs {
            match limiter.take(queue) {
                Some(permit) => engine.start_job(job, Some(permit), JobStart::Later),
                None => engine.store().abandon_job(job.id),
            }
        }
    }
}

//! Claims jobs when they are due, queue by queue in turn. It does not poll: it waits for the next due time, or
//! until a commit, a released job or a free permit wakes it.

use std::collections::HashSet;

use askback_store::StoreError;
use jiff::{SignedDuration, Timestamp};

use super::STORE_RETRY_DELAY;
use super::queue::Queue;
use super::start::{JobStart, serves_queue, start_job};
use crate::clock::{MAX_SLEEP, RollbackDetector};
use crate::engine::Engine;

/// What the worker remembers from look to look.
#[derive(Default)]
struct Worker {
    /// Queues without a provider here that were already logged.
    reported: HashSet<Queue>,
    /// The name of the queue that was served last. The next look begins after it, so that no queue
    /// waits for ever for those before it.
    served: String,
}

/// Runs the jobs of all queues except timers, until the engine shuts down.
pub(crate) async fn run_worker(engine: Engine) {
    let mut worker = Worker::default();
    let mut rollbacks = RollbackDetector::watch(engine.clock().as_ref());
    let mut back = SignedDuration::ZERO;
    while !engine.inner.shutdown.is_closing() {
        let changed = engine.inner.job_waker.jobs.notified();
        back += rollbacks.check(engine.clock().as_ref());
        match start_due_jobs(&engine, &mut worker, &mut back).await {
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
    worker: &mut Worker,
    back: &mut SignedDuration,
) -> Result<Option<Timestamp>, StoreError> {
    if !back.is_zero() {
        bring_forward(engine, *back).await?;
        *back = SignedDuration::ZERO;
    }
    start_due_in_all(engine, worker).await
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
    worker: &mut Worker,
) -> Result<Option<Timestamp>, StoreError> {
    let mut next = None;
    // Sorted by name.
    let mut names = engine.store().job_queues().await?;
    let after_served = names.partition_point(|name| *name <= worker.served);
    names.rotate_left(after_served);
    for name in names {
        let Some(queue) = Queue::from_name(&name) else {
            continue;
        };
        if queue.is_timer() {
            continue;
        }
        if serves_queue(engine, &queue) {
            let look = start_due_in(engine, &queue).await?;
            next = next.into_iter().chain(look.next).min();
            if look.has_started {
                worker.served = name;
            }
        } else if worker.reported.insert(queue) {
            tracing::warn!(
                queue = name,
                "conversations are waiting for a server that has their provider"
            );
        }
    }
    Ok(next)
}

/// What came of a look at one queue.
pub(super) struct Look {
    pub(super) has_started: bool,
    /// When to look again; `None` if there is nothing, or if a job that ends wakes the loop.
    pub(super) next: Option<Timestamp>,
}

/// Starts due jobs of one queue: no more than could start at first, so that others get their turn
/// even if these end at once.
pub(super) async fn start_due_in(engine: &Engine, queue: &Queue) -> Result<Look, StoreError> {
    let limiter = &engine.inner.limiter;
    let name = queue.name();
    let mut left = limiter.free(queue);
    let mut has_started = false;
    while left > 0 && !engine.inner.shutdown.is_closing() {
        let now = engine.clock().now();
        let claim = engine.store().claim_jobs(&name, now, left).await?;
        if claim.jobs.is_empty() {
            let next = claim.next_at;
            return Ok(Look { has_started, next });
        }
        left = left.saturating_sub(claim.jobs.len());
        for job in claim.jobs {
            match limiter.try_acquire(queue) {
                Some(permit) => {
                    start_job(engine, job, Some(permit), JobStart::Later);
                    has_started = true;
                }
                None => engine.store().abandon_job(job.id),
            }
        }
    }
    let can_go_on = limiter.free(queue) > 0 && !engine.inner.shutdown.is_closing();
    let next = can_go_on.then(|| engine.clock().now());
    Ok(Look { has_started, next })
}

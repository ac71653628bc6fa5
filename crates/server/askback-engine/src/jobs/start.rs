//! Starts jobs: with the commit that created them, or when the worker claims them later.

use std::time::Duration;

use askback_store::{Commit, JobId, JobRow, StoreError};
use askback_stored::StoredWebhookJob;
use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::limiter::JobPermit;
use super::queue::Queue;
use super::{STORE_RETRY_DELAY, run};
use crate::commit::json;
use crate::engine::Engine;
use crate::metrics::label;

/// When to run a job again that was neither finished nor released, such as one that panicked.
const ABANDONED_RETRY_DELAY: Duration = Duration::from_mins(1);

/// The permits for the jobs that a commit claims, in their order. Held answers need none.
pub(crate) type Permits = Vec<Option<JobPermit>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JobStart {
    /// Right after the commit that created the job.
    WithCommit,
    /// After the worker or the timer loop claimed it, perhaps after a restart.
    Later,
}

/// Jobs that were claimed by their commit, each with its permit.
#[must_use]
pub(crate) struct ClaimedJobs(Vec<(JobRow, Option<JobPermit>)>);

impl ClaimedJobs {
    pub(crate) fn new(jobs: Vec<JobRow>, permits: Permits) -> ClaimedJobs {
        ClaimedJobs(jobs.into_iter().zip(permits).collect())
    }
}

/// Wakes the loops that claim jobs.
#[derive(Debug, Default)]
pub(crate) struct JobWaker {
    /// For the worker: a job may be due earlier than it knows, or a permit is free again.
    pub(super) jobs: Notify,
    pub(super) timers: Notify,
}

impl JobWaker {
    /// Wakes the loop that claims jobs of this queue.
    pub(crate) fn wake(&self, queue: Option<&Queue>) {
        if queue.is_some_and(Queue::is_timer) {
            self.timers.notify_one();
        } else {
            self.jobs.notify_one();
        }
    }

    /// The same for the name of a queue.
    pub(super) fn wake_queue(&self, name: &str) {
        self.wake(Queue::from_name(name).as_ref());
    }

    pub(crate) fn wake_all(&self) {
        self.jobs.notify_one();
        self.timers.notify_one();
    }
}

/// Marks the jobs of a commit that can start at once as claimed. The worker claims the others
/// when they are due and their limit allows it.
pub(crate) fn claim_due_jobs(engine: &Engine, commit: &mut Commit) -> Permits {
    let mut permits = Vec::new();
    if engine.inner.shutdown.is_closing() {
        return permits;
    }
    for job in &mut commit.jobs {
        let Some(queue) = Queue::from_name(&job.queue) else {
            continue;
        };
        if queue == Queue::HeldAnswers {
            job.claim_at_once = true;
            permits.push(None);
        } else if queue != Queue::Timer
            && job.run_at <= commit.at
            && serves_queue(engine, &queue)
            && let Some(permit) = engine.inner.limiter.try_acquire_with_commit(&queue)
        {
            job.claim_at_once = true;
            permits.push(Some(permit));
        }
    }
    permits
}

/// Whether this server runs the jobs of a queue. Requests to a provider that it does not have are
/// left to a server that does.
pub(super) fn serves_queue(engine: &Engine, queue: &Queue) -> bool {
    match queue {
        Queue::Llm(provider) => engine.inner.parts.llm.can_continue(provider.as_deref()),
        Queue::Timer | Queue::HeldAnswers | Queue::Tool | Queue::Agents | Queue::Webhook(_) => true,
    }
}

/// Starts jobs that were claimed by their commit. During a shutdown they stay in the store.
pub(crate) fn start_claimed(engine: &Engine, claimed: ClaimedJobs) {
    if engine.inner.shutdown.is_closing() {
        return;
    }
    for (job, permit) in claimed.0 {
        start_job(engine, job, permit, JobStart::WithCommit);
    }
}

/// The same, and waits for the jobs of one kind.
pub(crate) async fn start_claimed_and_wait_for(engine: &Engine, kind: &str, claimed: ClaimedJobs) {
    let awaited = |(job, _): &(JobRow, _)| job.kind == kind;
    let (awaited, others) = claimed.0.into_iter().partition(awaited);
    start_claimed(engine, ClaimedJobs(others));
    for (job, permit) in awaited {
        if engine.inner.shutdown.is_closing() {
            return;
        }
        if let Some(task) = start_job(engine, job, permit, JobStart::WithCommit) {
            // The panic hook has reported a panic already.
            drop(task.await);
        }
    }
}

/// `None` if somebody else runs it.
pub(super) fn start_job(
    engine: &Engine,
    row: JobRow,
    permit: Option<JobPermit>,
    start: JobStart,
) -> Option<JoinHandle<()>> {
    engine.inner.running.job_started(row.id);
    if !holds_claim(engine, &row) {
        return None;
    }
    let queue = Queue::from_name(&row.queue);
    if let Some(queue) = &queue {
        let runs = &engine.metrics().job_runs;
        runs.get_or_create(&label("queue", queue.kind())).inc();
    }
    let guard = JobGuard {
        engine: engine.clone(),
        id: row.id,
        queue,
        permit,
    };
    Some(tokio::spawn(
        async move { run(&guard.engine, row, start).await },
    ))
}

/// Whether a job that was started is still ours. The response to a claim may come after the lease of this
/// process was lost: the job is left to whoever has it then.
pub(super) fn holds_claim(engine: &Engine, row: &JobRow) -> bool {
    let is_held = engine.store().holds_claim(row.id);
    let is_ours = is_held && engine.inner.running.is_ours(row.id);
    if !is_ours {
        engine.inner.running.jobs_finished(&[row.id]);
    }
    if !is_held {
        tracing::info!(job = row.id, "another node may run this job by now");
        // The lease may yet be renewed. Then nobody else takes the job.
        engine.store().abandon_job(row.id);
        engine.inner.job_waker.wake_queue(&row.queue);
    }
    is_ours
}

/// Removes a job that needs no commit of its own.
pub(crate) async fn finish_job(engine: &Engine, job: JobId) {
    let running = &engine.inner.running;
    if !running.is_ours(job) {
        return;
    }
    match engine.store().finish_job(job).await {
        Ok(()) => running.jobs_finished(&[job]),
        Err(error) => {
            tracing::warn!(%error, job, "cannot remove a finished job; it will run again");
        }
    }
}

/// Schedules a claimed job again for `run_at`. If that cannot be written, it is claimed again as soon
/// as the store can be used.
pub(crate) async fn release_job(engine: &Engine, row: &JobRow, run_at: Timestamp) {
    if engine.inner.running.is_ours(row.id) {
        let released = engine.store().release_job(row.id, run_at).await;
        job_released(engine, row, released);
    }
}

/// The same, with other content.
pub(super) async fn replace_job(
    engine: &Engine,
    row: &JobRow,
    run_at: Timestamp,
    job: &StoredWebhookJob,
) {
    if engine.inner.running.is_ours(row.id) {
        let replaced = match json(job) {
            Ok(json) => engine.store().replace_job(row.id, run_at, json).await,
            Err(error) => Err(error),
        };
        job_released(engine, row, replaced);
    }
}

fn job_released(engine: &Engine, row: &JobRow, released: Result<(), StoreError>) {
    match released {
        Ok(()) => {
            engine.inner.running.jobs_finished(&[row.id]);
            engine.inner.job_waker.wake_queue(&row.queue);
        }
        Err(error) => {
            tracing::warn!(%error, job = row.id, "cannot schedule a job again");
            if engine.inner.running.job_stopped(row.id) {
                let queue = Queue::from_name(&row.queue);
                abandon_later(engine, row.id, queue, STORE_RETRY_DELAY);
            }
        }
    }
}

/// Abandons a job after a delay, so that it is claimed again.
fn abandon_later(engine: &Engine, job: JobId, queue: Option<Queue>, delay: Duration) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let engine = engine.clone();
    runtime.spawn(async move {
        if engine.sleep_unless_stopping(delay).await {
            engine.store().abandon_job(job);
            engine.inner.job_waker.wake(queue.as_ref());
        }
    });
}

/// A running job. When it is dropped, by return or panic, jobs that wait for its permit are started,
/// and a job that was neither finished nor released runs again later.
struct JobGuard {
    engine: Engine,
    id: JobId,
    queue: Option<Queue>,
    permit: Option<JobPermit>,
}

impl Drop for JobGuard {
    fn drop(&mut self) {
        let inner = &self.engine.inner;
        drop(self.permit.take());
        if inner.running.job_stopped(self.id) && !inner.shutdown.is_closing() {
            let queue = self.queue.take();
            abandon_later(&self.engine, self.id, queue, ABANDONED_RETRY_DELAY);
        }
    }
}

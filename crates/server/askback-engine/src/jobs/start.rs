//! Starts jobs: with the commit that created them, or when the worker claims them later.

use std::time::Duration;

use askback_store::{Commit, JobId, JobRow, StoreError};
use askback_stored::StoredWebhookJob;
use jiff::Timestamp;
use tokio::task::JoinHandle;

use super::limiter::JobPermit;
use super::queue::Queue;
use super::{STORE_RETRY_DELAY, run};
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

impl Engine {
    /// Marks the jobs of a commit that can start at once as claimed. The worker claims the others
    /// when they are due and their limit allows it.
    pub(crate) fn claim_due_jobs(&self, commit: &mut Commit) -> Permits {
        let mut permits = Vec::new();
        if self.inner.shutdown.is_closing() {
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
                && self.serves_queue(&queue)
                && let Some(permit) = self.inner.limiter.try_acquire(&queue)
            {
                job.claim_at_once = true;
                permits.push(Some(permit));
            }
        }
        permits
    }

    /// Whether this server runs the jobs of a queue. Requests to a provider that it does not have are
    /// left to a server that does.
    pub(super) fn serves_queue(&self, queue: &Queue) -> bool {
        match queue {
            Queue::Llm(provider) => self.inner.parts.llm.can_continue(provider.as_deref()),
            Queue::Timer | Queue::HeldAnswers | Queue::Tool | Queue::Agents | Queue::Webhook(_) => {
                true
            }
        }
    }

    /// Starts jobs that were claimed by their commit. During a shutdown they stay in the store.
    pub(crate) fn start_claimed(&self, claimed: ClaimedJobs) {
        if self.inner.shutdown.is_closing() {
            return;
        }
        for (job, permit) in claimed.0 {
            self.start_job(job, permit, JobStart::WithCommit);
        }
    }

    /// The same, and waits for the jobs of one kind.
    pub(crate) async fn start_claimed_and_wait_for(&self, kind: &str, claimed: ClaimedJobs) {
        let awaited = |(job, _): &(JobRow, _)| job.kind == kind;
        let (awaited, others) = claimed.0.into_iter().partition(awaited);
        self.start_claimed(ClaimedJobs(others));
        for (job, permit) in awaited {
            if self.inner.shutdown.is_closing() {
                return;
            }
            if let Some(task) = self.start_job(job, permit, JobStart::WithCommit) {
                // The panic hook has reported a panic already.
                drop(task.await);
            }
        }
    }

    /// `None` if somebody else runs it.
    pub(super) fn start_job(
        &self,
        row: JobRow,
        permit: Option<JobPermit>,
        start: JobStart,
    ) -> Option<JoinHandle<()>> {
        self.inner.running.job_started(row.id);
        if !self.holds_claim(&row) {
            return None;
        }
        let queue = Queue::from_name(&row.queue);
        if let Some(queue) = &queue {
            let runs = &self.metrics().job_runs;
            runs.get_or_create(&label("queue", queue.kind())).inc();
        }
        let guard = JobGuard {
            engine: self.clone(),
            id: row.id,
            queue,
            permit,
        };
        Some(tokio::spawn(
            async move { run(&guard.engine, row, start).await },
        ))
    }

    /// Whether a job that was started is still ours. The reply to a claim may come after the lease of this
    /// process was lost: the job is left to whoever has it then.
    pub(super) fn holds_claim(&self, row: &JobRow) -> bool {
        let is_held = self.store().holds_claim(row.id);
        let is_ours = is_held && self.inner.running.is_ours(row.id);
        if !is_ours {
            self.inner.running.jobs_finished(&[row.id]);
        }
        if !is_held {
            tracing::info!(job = row.id, "another node may run this job by now");
            // The lease may yet be renewed. Then nobody else takes the job.
            self.store().abandon_job(row.id);
            self.wake_queue(Queue::from_name(&row.queue).as_ref());
        }
        is_ours
    }

    /// Schedules a claimed job again for `run_at`. If that cannot be written, it is claimed again as soon
    /// as the store can be used.
    pub(crate) async fn release_job(&self, row: &JobRow, run_at: Timestamp) {
        if self.inner.running.is_ours(row.id) {
            let released = self.store().release_job(row.id, run_at).await;
            self.job_released(row, released);
        }
    }

    /// The same, with other content.
    pub(super) async fn replace_job(
        &self,
        row: &JobRow,
        run_at: Timestamp,
        job: &StoredWebhookJob,
    ) {
        if self.inner.running.is_ours(row.id) {
            let replaced = match askback_stored::to_json(job) {
                Ok(json) => self.store().replace_job(row.id, run_at, json).await,
                Err(error) => Err(StoreError::Corrupt(error.to_string())),
            };
            self.job_released(row, replaced);
        }
    }

    fn job_released(&self, row: &JobRow, released: Result<(), StoreError>) {
        match released {
            Ok(()) => {
                self.inner.running.jobs_finished(&[row.id]);
                self.wake_queue(Queue::from_name(&row.queue).as_ref());
            }
            Err(error) => {
                tracing::warn!(%error, job = row.id, "cannot schedule a job again");
                if self.inner.running.job_stopped(row.id) {
                    let queue = Queue::from_name(&row.queue);
                    self.abandon_later(row.id, queue, STORE_RETRY_DELAY);
                }
            }
        }
    }

    /// Wakes the loop that claims jobs of this queue.
    pub(crate) fn wake_queue(&self, queue: Option<&Queue>) {
        if queue.is_some_and(Queue::is_timer) {
            self.inner.timers_changed.notify_one();
        } else {
            self.inner.jobs_changed.notify_one();
        }
    }

    /// Abandons a job after a delay, so that it is claimed again.
    fn abandon_later(&self, job: JobId, queue: Option<Queue>, delay: Duration) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let engine = self.clone();
        runtime.spawn(async move {
            if engine.sleep_unless_stopping(delay).await {
                engine.store().abandon_job(job);
                engine.wake_queue(queue.as_ref());
            }
        });
    }

    /// Sleeps for an elapsed time. Returns false at once when the engine shuts down.
    pub(crate) async fn sleep_unless_stopping(&self, duration: Duration) -> bool {
        tokio::select! {
            biased;
            () = self.inner.shutdown.wait_until_closing() => false,
            () = self.clock().sleep(duration) => true,
        }
    }
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
        let limiter = &inner.limiter;
        let was_full = |queue: &Queue| limiter.free(queue) == 0;
        let was_full = self.queue.as_ref().is_some_and(was_full);
        drop(self.permit.take());
        if was_full {
            self.engine.wake_queue(self.queue.as_ref());
        }
        if inner.running.job_stopped(self.id) && !inner.shutdown.is_closing() {
            let queue = self.queue.take();
            self.engine
                .abandon_later(self.id, queue, ABANDONED_RETRY_DELAY);
        }
    }
}

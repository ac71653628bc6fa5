//! Jobs begin: those that a commit brings along at once, others when they are claimed. And they end:
//! finished, given back, or neither.

use std::time::Duration;

use askback_store::{Commit, JobId, JobRow};
use jiff::Timestamp;

use super::limiter::JobPermit;
use super::queue::Queue;
use super::run;
use crate::engine::Engine;

/// After which time a job is taken up again whose worker could neither finish it nor give it back:
/// it panicked, or the store could not be written.
const ABANDONED_RETRY_DELAY: Duration = Duration::from_mins(1);

/// Permits for the jobs of a commit that are claimed with it, in their order; timers need none.
pub(crate) type Permits = Vec<Option<JobPermit>>;

/// When a job is begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JobStart {
    /// At once, with the commit that brought it.
    WithCommit,
    /// When it was found: due, or left behind by a process that is gone.
    Later,
}

/// Jobs that were claimed with their commit, each with its permit.
#[must_use]
pub(crate) struct ClaimedJobs(Vec<(JobRow, Option<JobPermit>)>);

impl ClaimedJobs {
    pub(crate) fn new(jobs: Vec<JobRow>, permits: Permits) -> ClaimedJobs {
        ClaimedJobs(jobs.into_iter().zip(permits).collect())
    }
}

impl Engine {
    /// Claims the jobs of a commit that can begin at once. The others are found when they are due,
    /// and when their limit allows it.
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
                job.claim = true;
                permits.push(None);
            } else if queue != Queue::Timer
                && job.run_at <= commit.at
                && self.serves_queue(&queue)
                && let Some(permit) = self.inner.limiter.take(&queue)
            {
                job.claim = true;
                permits.push(Some(permit));
            }
        }
        permits
    }

    /// Whether this server works on a queue. Requests to a provider that it does not have wait for
    /// a server that does; nothing claims them meanwhile.
    pub(super) fn serves_queue(&self, queue: &Queue) -> bool {
        match queue {
            Queue::Llm(provider) => self.inner.parts.llm.continues(provider.as_deref()),
            Queue::Timer | Queue::HeldAnswers | Queue::Tool | Queue::Agents | Queue::Webhook(_) => {
                true
            }
        }
    }

    /// Starts jobs that were claimed with their commit. An engine that stops leaves them to the next.
    pub(crate) fn start_claimed(&self, claimed: ClaimedJobs) {
        if self.inner.shutdown.is_closing() {
            return;
        }
        for (job, permit) in claimed.0 {
            self.start_job(job, permit, JobStart::WithCommit);
        }
    }

    pub(super) fn start_job(&self, row: JobRow, permit: Option<JobPermit>, begun: JobStart) {
        self.inner.running.job_started(row.id);
        let guard = JobGuard {
            engine: self.clone(),
            id: row.id,
            queue: Queue::from_name(&row.queue),
            permit,
        };
        tokio::spawn(async move { run(&guard.engine, row, begun).await });
    }

    /// Gives a job back, to be run again from `run_at` on. If that cannot be written, it is taken up
    /// again after a while anyway.
    pub(crate) async fn release_job(&self, row: &JobRow, run_at: Timestamp) {
        match self.store().release_job(row.id, run_at).await {
            Ok(()) => {
                self.inner.running.jobs_finished(&[row.id]);
                self.wake_queue(Queue::from_name(&row.queue).as_ref());
            }
            Err(error) => tracing::warn!(%error, job = row.id, "cannot give a job back"),
        }
    }

    /// Wakes whoever looks after a queue.
    pub(crate) fn wake_queue(&self, queue: Option<&Queue>) {
        if queue.is_some_and(Queue::is_timer) {
            self.inner.timers_changed.notify_one();
        } else {
            self.inner.jobs_changed.notify_one();
        }
    }

    /// Lets go of a job after a pause, so that it is run again.
    fn abandon_later(&self, job: JobId, queue: Option<Queue>) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let engine = self.clone();
        runtime.spawn(async move {
            if engine.sleep_unless_stopping(ABANDONED_RETRY_DELAY).await {
                engine.store().abandon_job(job);
                engine.wake_queue(queue.as_ref());
            }
        });
    }

    /// Waits by elapsed time. False if the engine stops meanwhile.
    pub(crate) async fn sleep_unless_stopping(&self, pause: Duration) -> bool {
        tokio::select! {
            biased;
            () = self.inner.shutdown.wait_until_closing() => false,
            () = self.clock().sleep(pause) => true,
        }
    }
}

/// A job that runs. When it ends, however that comes, others that wait for its permit are looked
/// for, and a job that is neither finished nor given back is run again later.
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
            self.engine.abandon_later(self.id, self.queue.take());
        }
    }
}

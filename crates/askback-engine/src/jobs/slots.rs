//! How many jobs run side by side, and those that a commit brings along and that begin at once.

use std::sync::Arc;

use askback_store::{Commit, JobId, JobRow};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{LEASE, run};
use crate::engine::Engine;

/// Jobs that run side by side.
const PARALLEL: usize = 256;

/// Places for jobs that run.
#[derive(Debug, Clone)]
pub(crate) struct Slots(Arc<Semaphore>);

impl Default for Slots {
    fn default() -> Slots {
        Slots(Arc::new(Semaphore::new(PARALLEL)))
    }
}

impl Slots {
    /// How many are free.
    pub(super) fn free(&self) -> usize {
        self.0.available_permits()
    }

    /// Takes some, if that many are free.
    pub(super) fn take(&self, count: usize) -> Option<OwnedSemaphorePermit> {
        let count = u32::try_from(count).ok()?;
        Arc::clone(&self.0).try_acquire_many_owned(count).ok()
    }
}

/// Jobs that were claimed with their commit, each with its place.
#[must_use]
pub(crate) struct Claimed {
    jobs: Vec<JobRow>,
    slots: Option<OwnedSemaphorePermit>,
}

impl Claimed {
    pub(crate) fn new(jobs: Vec<JobRow>, slots: Option<OwnedSemaphorePermit>) -> Claimed {
        Claimed { jobs, slots }
    }
}

impl Engine {
    /// Claims the jobs of a commit that are due at once, if there is room for them. Otherwise they
    /// are found like all others.
    pub(crate) fn reserve(&self, commit: &mut Commit) -> Option<OwnedSemaphorePermit> {
        let due = commit.jobs.iter().filter(|job| job.run_at <= commit.at);
        let count = due.count();
        if count == 0 || self.inner.shutdown.is_closing() {
            return None;
        }
        let slots = self.inner.slots.take(count)?;
        commit.claim_until = Some(commit.at + LEASE);
        Some(slots)
    }

    /// Starts jobs that were claimed with their commit. An engine that stops leaves them to the next.
    pub(crate) fn start_claimed(&self, claimed: Claimed) {
        if self.inner.shutdown.is_closing() {
            return;
        }
        let Claimed { jobs, mut slots } = claimed;
        for job in jobs {
            let slot = slots.as_mut().and_then(|slots| slots.split(1));
            self.start_job(job, slot);
        }
    }

    pub(super) fn start_job(&self, row: JobRow, slot: Option<OwnedSemaphorePermit>) {
        self.inner.running.begun(row.id);
        let begun = Begun {
            engine: self.clone(),
            id: row.id,
            slot,
        };
        tokio::spawn(async move { run(&begun.engine, row).await });
    }
}

/// A job that runs. When it ends, however that comes, whoever looks for jobs is told if there is
/// something to look for: it must be run again, or others wait for its place.
struct Begun {
    engine: Engine,
    id: JobId,
    slot: Option<OwnedSemaphorePermit>,
}

impl Drop for Begun {
    fn drop(&mut self) {
        let inner = &self.engine.inner;
        let was_full = inner.slots.free() == 0;
        drop(self.slot.take());
        if inner.running.ended(self.id) || was_full {
            inner.jobs_changed.notify_one();
        }
    }
}

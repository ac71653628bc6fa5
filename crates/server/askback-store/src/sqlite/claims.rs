//! Job claims. Each data directory has one server, so claims are kept in memory: a claim costs no
//! write, and when the process ends, all jobs are free. A claim has no time limit, so that a clock
//! change never gives a job to two workers.

use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;

use crate::rows::JobId;

/// The jobs that were claimed and neither finished nor released.
#[derive(Default)]
pub(super) struct Claims {
    held: Mutex<HashMap<JobId, Claim>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    /// How often the job was claimed.
    pub(super) attempt: u32,
    /// The job may be claimed again. The claim stays, to remember the attempt.
    pub(super) is_abandoned: bool,
}

impl Claim {
    pub(super) fn active(attempt: u32) -> Claim {
        Claim {
            attempt,
            is_abandoned: false,
        }
    }
}

impl Claims {
    /// Locks all claims. Claiming keeps the lock while it reads jobs, so that a job that is being
    /// finished is either not read any more or still claimed.
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<JobId, Claim>> {
        self.held.lock()
    }

    /// Adds claims for new jobs, before their transaction is visible to others.
    pub(super) fn acquire(&self, jobs: &[(JobId, Claim)]) {
        if !jobs.is_empty() {
            self.lock().extend(jobs.iter().copied());
        }
    }

    /// Lets the job be claimed again, and remembers how often it was claimed.
    pub(super) fn abandon(&self, job: JobId) {
        if let Some(claim) = self.lock().get_mut(&job) {
            claim.is_abandoned = true;
        }
    }

    /// Ends claims. Called after the transaction that removed or rescheduled the jobs.
    pub(super) fn release(&self, jobs: &[JobId]) {
        if jobs.is_empty() {
            return;
        }
        let mut held = self.lock();
        for job in jobs {
            held.remove(job);
        }
    }

    /// How often a claimed job was claimed; 0 without a claim.
    pub(super) fn attempt(&self, job: JobId) -> u32 {
        self.lock().get(&job).map_or(0, |claim| claim.attempt)
    }
}

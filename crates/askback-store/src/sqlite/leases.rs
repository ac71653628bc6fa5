//! Job leases. Each data directory has one server, so leases are kept in memory: a claim costs no
//! write, and when the process ends, all jobs are free. A lease has no time limit, so that a clock
//! change never gives a job to two workers.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::rows::JobId;

/// The jobs that were claimed and neither finished nor released.
#[derive(Default)]
pub(super) struct Leases {
    held: Mutex<HashMap<JobId, Lease>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Lease {
    /// How often the job was claimed.
    pub(super) attempt: u32,
    /// The job may be claimed again. The lease stays, to remember the attempt.
    pub(super) is_abandoned: bool,
}

impl Lease {
    pub(super) fn active(attempt: u32) -> Lease {
        Lease {
            attempt,
            is_abandoned: false,
        }
    }
}

impl Leases {
    /// Locks all leases. Claiming keeps the lock while it reads jobs, so that a job that is being
    /// finished is either not read any more or still leased.
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<JobId, Lease>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds leases for new jobs, before their transaction is visible to others.
    pub(super) fn acquire(&self, jobs: &[(JobId, Lease)]) {
        if !jobs.is_empty() {
            self.lock().extend(jobs.iter().copied());
        }
    }

    /// Lets the job be claimed again, and remembers how often it was claimed.
    pub(super) fn abandon(&self, job: JobId) {
        if let Some(lease) = self.lock().get_mut(&job) {
            lease.is_abandoned = true;
        }
    }

    /// Ends leases. Called after the transaction that removed or rescheduled the jobs.
    pub(super) fn release(&self, jobs: &[JobId]) {
        if jobs.is_empty() {
            return;
        }
        let mut held = self.lock();
        for job in jobs {
            held.remove(job);
        }
    }

    /// How often a leased job was claimed; 0 without a lease.
    pub(super) fn attempt(&self, job: JobId) -> u32 {
        self.lock().get(&job).map_or(0, |lease| lease.attempt)
    }
}

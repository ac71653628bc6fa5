//! Who holds which job. There is one server for a data directory, so this is kept in memory and a
//! claim costs no write; when the process ends, all jobs are free. A claim has no end of its own, so
//! no jump of a clock gives a job to two workers.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::rows::JobId;

/// The jobs that were claimed and neither finished nor given back.
#[derive(Default)]
pub(super) struct Leases {
    held: Mutex<HashMap<JobId, Lease>>,
}

/// One claim.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lease {
    /// How often the job was claimed.
    pub(super) attempt: u32,
    /// Whether its worker has let go of it, so that another may take it.
    pub(super) is_abandoned: bool,
}

impl Lease {
    /// The claim of a worker that holds the job.
    pub(super) fn held(attempt: u32) -> Lease {
        Lease {
            attempt,
            is_abandoned: false,
        }
    }
}

impl Leases {
    /// All of them. Held while due jobs are read, so that a job which is finished meanwhile is
    /// either no longer read or still held.
    pub(super) fn lock(&self) -> MutexGuard<'_, HashMap<JobId, Lease>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes jobs that nobody can have seen yet.
    pub(super) fn hold(&self, jobs: &[(JobId, Lease)]) {
        if !jobs.is_empty() {
            self.lock().extend(jobs.iter().copied());
        }
    }

    /// Lets another worker take a job. How often it was claimed is remembered.
    pub(super) fn abandon(&self, job: JobId) {
        if let Some(lease) = self.lock().get_mut(&job) {
            lease.is_abandoned = true;
        }
    }

    /// Lets go of jobs. Called after the transaction that removed or moved them.
    pub(super) fn free(&self, jobs: &[JobId]) {
        if jobs.is_empty() {
            return;
        }
        let mut held = self.lock();
        for job in jobs {
            held.remove(job);
        }
    }

    /// How often a job was claimed since it was last written.
    pub(super) fn attempt(&self, job: JobId) -> u32 {
        self.lock().get(&job).map_or(0, |lease| lease.attempt)
    }
}

//! Who holds which job. There is one server for a data directory, so this is kept in memory and a
//! claim costs no write; when the process ends, all jobs are free.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::rows::JobId;

/// The jobs that were claimed and neither finished nor given back.
#[derive(Default)]
pub(super) struct Leases {
    held: Mutex<HashMap<JobId, Lease>>,
}

/// One claim.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lease {
    /// From when on another may take the job over.
    pub(super) until: Timestamp,
    /// How often it was claimed.
    pub(super) attempt: u32,
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

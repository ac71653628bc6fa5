//! The jobs that this process has claimed. A claim has no time limit, so that a clock change never gives a job to two workers.

use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;

use crate::rows::JobId;

/// The jobs that were claimed and neither finished nor released.
#[derive(Default)]
pub struct Claims(Mutex<HashMap<JobId, Claim>>);

/// One of them.
#[derive(Debug, Clone, Copy)]
pub struct Claim {
    /// How often the job was claimed.
    pub attempt: u32,
    /// The job may be claimed again. The claim stays, to remember the attempt.
    pub is_abandoned: bool,
}

impl Claim {
    /// A job that was claimed for the time with this number.
    pub fn active(attempt: u32) -> Claim {
        Claim {
            attempt,
            is_abandoned: false,
        }
    }
}

impl Claims {
    /// Locks all claims, for as long as none may be added or end.
    pub fn lock(&self) -> MutexGuard<'_, HashMap<JobId, Claim>> {
        self.0.lock()
    }

    /// Lets the job be claimed again, and remembers how often it was claimed.
    pub fn abandon(&self, job: JobId) {
        if let Some(claim) = self.lock().get_mut(&job) {
            claim.is_abandoned = true;
        }
    }

    /// Ends claims. Called after the transaction that removed or rescheduled the jobs.
    pub fn release(&self, jobs: &[JobId]) {
        if jobs.is_empty() {
            return;
        }
        let mut held = self.lock();
        for job in jobs {
            held.remove(job);
        }
    }
}

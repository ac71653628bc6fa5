//! Reads and commits that fail on purpose: what a failing disk does, for tests.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// How a commit fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitFault {
    /// It is on disk, and reported as failed.
    Written,
    /// It is not on disk, and reported as failed.
    NotWritten,
}

/// What fails. All clones are one.
#[derive(Debug, Clone, Default)]
pub struct DiskFaults {
    /// Those of the next commits, in their order.
    commits: Arc<Mutex<VecDeque<CommitFault>>>,
    are_reads_failing: Arc<AtomicBool>,
}

impl DiskFaults {
    /// Lets the next commit that has no fault yet fail.
    pub fn inject(&self, fault: CommitFault) {
        self.lock().push_back(fault);
    }

    /// Lets all reads fail from now on, or none.
    pub fn fail_reads(&self, are_failing: bool) {
        self.are_reads_failing.store(are_failing, Ordering::SeqCst);
    }

    pub(super) fn are_reads_failing(&self) -> bool {
        self.are_reads_failing.load(Ordering::SeqCst)
    }

    /// The fault of the commit that is being written.
    pub(super) fn take(&self) -> Option<CommitFault> {
        self.lock().pop_front()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<CommitFault>> {
        self.commits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Commits that fail on purpose: what a failing disk does, for tests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// How a commit fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitFault {
    /// It is on disk, and reported as failed.
    Written,
    /// It is not on disk, and reported as failed.
    NotWritten,
}

/// The faults of the next commits, in their order. All clones are one.
#[derive(Debug, Clone, Default)]
pub struct CommitFaults(Arc<Mutex<VecDeque<CommitFault>>>);

impl CommitFaults {
    /// Lets the next commit that has no fault yet fail.
    pub fn inject(&self, fault: CommitFault) {
        self.lock().push_back(fault);
    }

    /// The fault of the commit that is being written.
    pub(super) fn take(&self) -> Option<CommitFault> {
        self.lock().pop_front()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<CommitFault>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

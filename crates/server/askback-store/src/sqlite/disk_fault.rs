//! Simulates a failing disk, for tests.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a commit fails. Its caller gets the same error in both cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitFault {
    /// The commit is on disk.
    Written,
    /// The commit is not on disk.
    NotWritten,
}

/// The faults to simulate. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct DiskFaults {
    /// The faults of the next commits, in order.
    commits: Arc<Mutex<VecDeque<CommitFault>>>,
    are_reads_failing: Arc<AtomicBool>,
    is_reopening_failing: Arc<AtomicBool>,
    is_full: Arc<AtomicBool>,
}

impl DiskFaults {
    /// Adds a fault for the next commit that has none.
    pub fn inject(&self, fault: CommitFault) {
        self.commits.lock().push_back(fault);
    }

    /// Makes all reads fail from now on, or stops that.
    pub fn fail_reads(&self, are_failing: bool) {
        self.are_reads_failing.store(are_failing, Ordering::SeqCst);
    }

    /// Makes it impossible to open the database again after a failure, or stops that.
    pub fn fail_reopening(&self, is_failing: bool) {
        self.is_reopening_failing
            .store(is_failing, Ordering::SeqCst);
    }

    /// Leaves room for small writes only, or for all.
    pub fn fill_disk(&self, is_full: bool) {
        self.is_full.store(is_full, Ordering::SeqCst);
    }

    pub(super) fn is_reopening_failing(&self) -> bool {
        self.is_reopening_failing.load(Ordering::SeqCst)
    }

    pub(super) fn is_disk_full(&self) -> bool {
        self.is_full.load(Ordering::SeqCst)
    }

    pub(super) fn are_reads_failing(&self) -> bool {
        self.are_reads_failing.load(Ordering::SeqCst)
    }

    /// Takes the fault of the next commit.
    pub(super) fn take(&self) -> Option<CommitFault> {
        self.commits.lock().pop_front()
    }
}

//! What the parts of a store share.

use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::batch_writes::BatchMark;
use crate::jobs::NodeClaims;
use crate::open_connections::OpenConnections;
use askback_store::ClockOffset;
use askback_store::rows::JobRow;
use askback_store::{RemoteChange, RemoteChanges};

#[derive(Default)]
pub(super) struct Shared {
    pub(super) claims: NodeClaims,
    pub(super) transactions: AtomicU64,
    pub(super) connections: OpenConnections,
    pub(super) clock_offset: Arc<ClockOffset>,
    /// The last batch of commits failed, for example because the disk is full.
    pub(super) last_write_failed: AtomicBool,
    /// The result of this commit is not known. Until it is, nothing can be read: what is read must not
    /// change afterwards.
    unresolved: Mutex<Option<BatchMark>>,
    lease: Mutex<Option<Lease>>,
    changes: Mutex<Option<mpsc::UnboundedSender<RemoteChange>>>,
}

/// The right to claim jobs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lease {
    pub(super) node: i64,
    /// Before others can take the claims, by a clock that nobody sets.
    pub(super) act_until: Instant,
}

impl Shared {
    /// This node, while it may act on its claims.
    pub(super) fn node(&self) -> Option<i64> {
        let lease = *self.lease.lock();
        let lease = lease.filter(|lease| Instant::now() < lease.act_until);
        lease.map(|lease| lease.node)
    }

    /// Takes note of jobs that were claimed under a lease. If that lease is lost by now, because the response
    /// took too long, another node may have them.
    pub(super) fn acquire_claims(&self, node: Option<i64>, jobs: &[JobRow]) {
        self.claims
            .acquire(jobs, || node.is_some() && self.node() == node);
    }

    pub(super) fn lease(&self) -> Option<Lease> {
        *self.lease.lock()
    }

    pub(super) fn set_lease(&self, lease: Option<Lease>) {
        *self.lease.lock() = lease;
    }

    pub(super) fn set_unresolved(&self, batch: Option<BatchMark>) {
        *self.unresolved.lock() = batch;
    }

    pub(super) fn unresolved(&self) -> Option<BatchMark> {
        *self.unresolved.lock()
    }

    /// The first caller gets the changes.
    pub(super) fn subscribe(&self) -> Option<RemoteChanges> {
        let mut changes = self.changes.lock();
        if changes.is_some() {
            return None;
        }
        let (sender, receiver) = mpsc::unbounded_channel();
        *changes = Some(sender);
        Some(receiver)
    }

    pub(super) fn send(&self, change: RemoteChange) {
        if let Some(sender) = self.changes.lock().as_ref() {
            // Without a receiver the engine has stopped.
            sender.send(change).ok();
        }
    }
}

//! Wakes those who wait for the outcome of one inquiry, and nobody else.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;

use askback_core::id::InquiryId;
use tokio::sync::broadcast;

use crate::record::Record;

/// The inquiries that somebody waits for. A sender is dropped when its inquiry gets an outcome, which wakes
/// its receivers in the order in which they began to wait. Sorted, so that waking everybody has an order too.
#[derive(Debug, Default)]
pub(crate) struct OutcomeWaiters {
    waiting: Mutex<BTreeMap<InquiryId, broadcast::Sender<()>>>,
}

/// Waits for the outcome of one inquiry.
pub(crate) struct OutcomeWaiter {
    waiters: Arc<OutcomeWaiters>,
    inquiry: InquiryId,
    /// `None` only while it is dropped.
    resolved: Option<broadcast::Receiver<()>>,
}

impl OutcomeWaiters {
    /// Starts to wait: an outcome that is published from now on is noticed.
    pub(crate) fn add(self: &Arc<Self>, inquiry: &InquiryId) -> OutcomeWaiter {
        let mut waiting = self.waiting.lock();
        let sender = waiting.entry(inquiry.clone());
        let sender = sender.or_insert_with(|| broadcast::Sender::new(1));
        OutcomeWaiter {
            waiters: Arc::clone(self),
            inquiry: inquiry.clone(),
            resolved: Some(sender.subscribe()),
        }
    }

    /// Wakes those who wait for the inquiries that a record resolves. A record that cannot be read may have resolved any
    /// of them: its conversation may have been deleted while it was read.
    pub(crate) fn wake_for(&self, record: &Record) {
        if record.is_damaged {
            self.wake_all();
        }
        for inquiry in record.resolved() {
            drop(self.waiting.lock().remove(inquiry));
        }
    }

    /// Wakes everybody, to look for themselves.
    pub(crate) fn wake_all(&self) {
        self.waiting.lock().clear();
    }
}

impl OutcomeWaiter {
    /// Completes when the inquiry has got its outcome, or may have.
    pub(crate) async fn resolved(&mut self) {
        if let Some(resolved) = &mut self.resolved {
            // Nothing is ever sent, so this ends when the sender is dropped.
            while resolved.recv().await.is_ok() {}
        }
    }
}

impl Drop for OutcomeWaiter {
    fn drop(&mut self) {
        drop(self.resolved.take());
        let mut waiting = self.waiters.waiting.lock();
        let unused = |sender: &broadcast::Sender<()>| sender.receiver_count() == 0;
        if waiting.get(&self.inquiry).is_some_and(unused) {
            waiting.remove(&self.inquiry);
        }
    }
}

#[cfg(test)]
#[path = "outcome_waiters_tests.rs"]
mod tests;

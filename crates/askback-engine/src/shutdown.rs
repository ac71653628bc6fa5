//! Stopping in order: no new work, and waiting for the work that must not be cut off.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Notify;

/// Whether the engine stops, and how much work is still under way.
#[derive(Debug, Default)]
pub(crate) struct Shutdown {
    closing: AtomicBool,
    working: AtomicUsize,
    changed: Notify,
}

/// Work that is under way, until it is dropped.
pub(crate) struct Working<'a>(&'a Shutdown);

impl Shutdown {
    /// No new work from here on.
    pub(crate) fn begin(&self) {
        self.closing.store(true, Ordering::SeqCst);
        self.changed.notify_waiters();
    }

    /// Whether new work is refused.
    pub(crate) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    /// Waits until new work is refused.
    pub(crate) async fn closing(&self) {
        let changed = self.changed.notified();
        tokio::pin!(changed);
        loop {
            changed.as_mut().enable();
            if self.is_closing() {
                return;
            }
            changed.as_mut().await;
            changed.set(self.changed.notified());
        }
    }

    /// Counts a piece of work.
    pub(crate) fn work(&self) -> Working<'_> {
        self.working.fetch_add(1, Ordering::SeqCst);
        Working(self)
    }

    /// Waits until nothing is under way.
    pub(crate) async fn finished(&self) {
        loop {
            let changed = self.changed.notified();
            if self.working.load(Ordering::SeqCst) == 0 {
                return;
            }
            changed.await;
        }
    }
}

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.working.fetch_sub(1, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }
}

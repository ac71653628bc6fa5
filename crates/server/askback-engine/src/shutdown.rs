//! Graceful shutdown: start no new work, wait for work that must not be interrupted.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tokio::sync::Notify;

#[derive(Debug, Default)]
pub(crate) struct Shutdown {
    closing: AtomicBool,
    working: AtomicUsize,
    changed: Notify,
}

/// Counts as running work until it is dropped.
pub(crate) struct WorkGuard<'a>(&'a Shutdown);

impl Shutdown {
    pub(crate) fn begin(&self) {
        self.closing.store(true, Ordering::SeqCst);
        self.changed.notify_waiters();
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    pub(crate) async fn wait_until_closing(&self) {
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

    pub(crate) fn track_work(&self) -> WorkGuard<'_> {
        self.working.fetch_add(1, Ordering::SeqCst);
        WorkGuard(self)
    }

    pub(crate) async fn wait_until_idle(&self) {
        loop {
            let changed = self.changed.notified();
            if self.working.load(Ordering::SeqCst) == 0 {
                return;
            }
            changed.await;
        }
    }
}

impl Drop for WorkGuard<'_> {
    fn drop(&mut self) {
        self.0.working.fetch_sub(1, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }
}

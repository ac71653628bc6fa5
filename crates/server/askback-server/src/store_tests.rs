//! A store and a clock for tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use askback_engine::ports::PortFuture;
use askback_engine::{Clock, SystemClock};
use askback_store::{SqliteOptions, SqliteStore, Store};
use jiff::{SignedDuration, Timestamp};
use tempfile::TempDir;

/// A clock that only the test advances.
pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    pub(crate) fn advance(&self, by: SignedDuration) {
        self.0.fetch_add(by.as_secs(), Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_second(self.0.load(Ordering::SeqCst)).unwrap()
    }

    fn sleep_until(&self, at: Timestamp) -> PortFuture<'_, ()> {
        Box::pin(async move {
            while self.now() < at {
                tokio::task::yield_now().await;
            }
        })
    }

    fn seed(&self) -> u128 {
        SystemClock.seed()
    }
}

/// A store in a directory that is deleted with the test, and a clock.
pub(crate) struct TestStore {
    directory: TempDir,
    pub(crate) clock: Arc<TestClock>,
}

impl TestStore {
    pub(crate) fn new() -> TestStore {
        TestStore {
            directory: tempfile::tempdir().unwrap(),
            clock: Arc::new(TestClock(AtomicI64::new(1_800_000_000))),
        }
    }

    /// Opens the store, with what was stored before.
    pub(crate) fn open(&self) -> Arc<dyn Store> {
        let path = self.directory.path().join("test.db");
        Arc::new(SqliteStore::open(&path, SqliteOptions::default()).unwrap())
    }

    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock) as _
    }
}

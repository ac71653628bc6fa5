//! A store and a clock for tests.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};

use askback_engine::ports::PortFuture;
use askback_engine::{Clock, SystemClock};
use askback_store::{SqliteOptions, SqliteStore, Store};
use jiff::{SignedDuration, Timestamp};

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
    directory: PathBuf,
    pub(crate) clock: Arc<TestClock>,
}

impl TestStore {
    pub(crate) fn new() -> TestStore {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("askback-server-{}-{count}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&directory).unwrap();
        TestStore {
            directory,
            clock: Arc::new(TestClock(AtomicI64::new(1_800_000_000))),
        }
    }

    /// Opens the store, with what was stored before.
    pub(crate) fn open(&self) -> Arc<dyn Store> {
        let path = self.directory.join("test.db");
        Arc::new(SqliteStore::open(&path, SqliteOptions::default()).unwrap())
    }

    pub(crate) fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.clock) as _
    }
}

impl Drop for TestStore {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.directory).unwrap();
    }
}

//! Options for opening a database.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use crate::sqlite::disk_fault::DiskFaults;

/// Each reading connection has its own page cache.
const READERS_MAX: usize = 8;

/// Options of [`SqliteStore::open`](crate::SqliteStore::open).
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    /// What an acknowledged commit survives.
    pub synchronous: Synchronous,
    /// How long to wait for a lock that another process holds, such as a backup.
    pub busy_timeout: Duration,
    /// The most reads that run at once.
    pub readers: NonZero<usize>,
    /// Simulated failures. Only tests add any.
    pub faults: DiskFaults,
}

/// What an acknowledged commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// A crash of the process or the system, and a power failure.
    #[default]
    Full,
    /// A crash of the process only. After a power failure the last commits may be missing.
    Normal,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        let cores = available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let readers = cores.get().min(READERS_MAX);
        SqliteOptions {
            synchronous: Synchronous::Full,
            busy_timeout: Duration::from_secs(5),
            readers: NonZero::new(readers).unwrap_or(NonZero::<usize>::MIN),
            faults: DiskFaults::default(),
        }
    }
}

//! How a database is opened.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use crate::sqlite::disk_fault::DiskFaults;

/// The most reading connections; each has a page cache of its own.
const READERS_MAX: usize = 8;

/// How a database is opened.
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    /// What an acknowledged commit survives.
    pub synchronous: Synchronous,
    /// How long to wait for another process that holds the database.
    pub busy_timeout: Duration,
    /// How many reads run at once.
    pub readers: NonZero<usize>,
    /// Reads and commits that are to fail. Only tests put any in.
    pub faults: DiskFaults,
}

/// What an acknowledged commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Synchronous {
    /// The end of the process, of the system, and of the power.
    #[default]
    Full,
    /// The end of the process only; after a power loss the last commits may be missing.
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

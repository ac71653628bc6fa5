//! A directory for the files of one test, and a database of an earlier version.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::store::StoreError;

static COUNT: AtomicU64 = AtomicU64::new(0);

/// An empty directory that is deleted with this value.
pub struct ScratchDir {
    path: PathBuf,
}

impl ScratchDir {
    /// Creates a directory that no other test uses.
    pub fn new() -> std::io::Result<ScratchDir> {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("askback-test-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // Left by an earlier process with the same id.
        if path.exists() {
            std::fs::remove_dir_all(&path)?;
        }
        std::fs::create_dir(&path)?;
        Ok(ScratchDir { path })
    }

    /// The path of the directory.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        // If this fails, the system cleans its temporary directory.
        drop(std::fs::remove_dir_all(&self.path));
    }
}

/// A database of schema version 7 as SQL: conversations of the built-in agent and of others, with
/// inquiries that are pending, held, resolved in several ways, or deleted.
pub const SCHEMA_7: &str = include_str!("../../tests/fixtures/schema_7.sql");

/// The same of schema version 10, also with a draft, a snooze, a moved deadline and an answer that was
/// undone.
pub const SCHEMA_10: &str = include_str!("../../tests/fixtures/schema_10.sql");

/// The same of schema version 11, also with a long conversation of the built-in agent and one of an external agent
/// with several inquiries.
pub const SCHEMA_11: &str = include_str!("../../tests/fixtures/schema_11.sql");

/// Writes a database from SQL.
pub fn write_database(path: &Path, sql: &str) -> Result<(), StoreError> {
    Ok(rusqlite::Connection::open(path)?.execute_batch(sql)?)
}

//! A directory for the files of one test, and databases of released versions.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

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

/// A database of schema version 1 as SQL: conversations of the built-in agent, long ones among them, and of others, with
/// inquiries that are pending, held, resolved in several ways, or deleted, with a draft, a snooze, a moved deadline and
/// an answer that was undone.
pub const VERSION_1: &str = include_str!("../fixtures/version_1.sql");

/// Writes a database from SQL.
pub fn write_database(path: &Path, sql: &str) -> rusqlite::Result<()> {
    rusqlite::Connection::open(path)?.execute_batch(sql)
}

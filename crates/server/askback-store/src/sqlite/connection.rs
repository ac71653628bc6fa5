//! Opens and configures connections.

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::sqlite::checkpoint::wal_length;
use crate::sqlite::options::{SqliteOptions, Synchronous};
use crate::store::StoreError;

/// Prepared statements per connection; more than there are.
const STATEMENTS_MAX: usize = 64;

/// What a reading connection keeps of the database. Commits need nothing from readers, and a page of a list is a few
/// dozen pages of the file, which the operating system has in memory.
const READER_CACHE_KIB: i64 = 512;

/// The size in bytes to which the `-wal` file is truncated after it has grown.
pub(super) const WAL_BYTES_KEPT: u64 = 16 << 20;

/// Opens the writing connection. Creates the file if it does not exist.
pub(super) fn open_writer(path: &Path, options: &SqliteOptions) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = open(path, flags, options)?;
    set_up_writer(&connection, options)?;
    Ok(connection)
}

/// Reopens the writing connection after a commit of unknown result, and commits once. This overwrites
/// what a failed commit may have left in the WAL, so that no restart brings it back: what can be read
/// afterwards is final.
pub(super) fn reopen_writer(
    path: &Path,
    options: &SqliteOptions,
) -> Result<Connection, StoreError> {
    if options.faults.is_reopening_failing() {
        let why = "a simulated disk failure".to_owned();
        return Err(StoreError::Unavailable(why));
    }
    // Without CREATE: a database that was deleted must not be replaced by an empty one.
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE, options)?;
    set_up_writer(&connection, options)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    connection.pragma_update(None, "user_version", version)?;
    Ok(connection)
}

/// Opens a connection that copies the log into the database beside the writer.
pub(super) fn open_checkpointer(
    path: &Path,
    options: &SqliteOptions,
) -> Result<Connection, StoreError> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE, options)?;
    set_up_writer(&connection, options)?;
    Ok(connection)
}

/// How many pages of the log are on disk. `None` if commits are not synced: after a power failure they may be gone.
pub(super) fn log_frames(connection: &Connection, options: &SqliteOptions) -> Option<u32> {
    match options.synchronous {
        Synchronous::Full => wal_length(connection).ok().filter(|&pages| pages > 0),
        Synchronous::Normal => None,
    }
}

fn set_up_writer(connection: &Connection, options: &SqliteOptions) -> Result<(), StoreError> {
    set_checkpoint_on_close(connection, CheckpointOnClose::No)?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::Unavailable(format!(
            "the file system does not support a write-ahead log (SQLite uses {mode}); use a local disk"
        )));
    }
    let synchronous = match options.synchronous {
        Synchronous::Full => "FULL",
        Synchronous::Normal => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    // On macOS an fsync leaves data in the cache of the drive; these flush it. No effect elsewhere.
    let full = options.synchronous == Synchronous::Full;
    connection.pragma_update(None, "fullfsync", full)?;
    connection.pragma_update(None, "checkpoint_fullfsync", full)?;
    // The writer runs checkpoints itself, when it is idle.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    let kept = WAL_BYTES_KEPT.cast_signed();
    connection.pragma_update(None, "journal_size_limit", kept)?;
    // Keeps the undo pages of savepoints out of temporary files.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(())
}

/// Whether SQLite, when it closes the last connection, copies the log into the database and removes it.
pub(super) fn set_checkpoint_on_close(
    connection: &Connection,
    on: CheckpointOnClose,
) -> rusqlite::Result<()> {
    let is_off = on == CheckpointOnClose::No;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, is_off)?;
    Ok(())
}

/// See [`set_checkpoint_on_close`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckpointOnClose {
    /// At the end of a server whose files are in place.
    Yes,
    /// The log may belong to another database than the one that has its name.
    No,
}

/// Opens a read-only connection. The database must exist.
pub(super) fn open_reader(path: &Path, options: &SqliteOptions) -> Result<Connection, StoreError> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, options)?;
    connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
    Ok(connection)
}

fn open(path: &Path, flags: OpenFlags, options: &SqliteOptions) -> Result<Connection, StoreError> {
    // Each connection is used by one thread at a time, so it needs no mutex.
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(options.busy_timeout)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    // Without it, a parameter that might select a partial index makes SQLite compile the statement
    // again for each value that is bound.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;

//! Connections, set up alike.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use crate::sqlite::options::{SqliteOptions, Synchronous};
use crate::store::StoreError;

/// Statements that a connection keeps prepared; more than there are.
const STATEMENTS_MAX: usize = 64;

/// What the file `-wal` is cut back to after a burst, in bytes.
const WAL_BYTES_KEPT: i64 = 16 << 20;

/// Opens the connection that writes; the file is created if it is not there.
pub(super) fn open_writer(path: &Path, options: &SqliteOptions) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let connection = open(path, flags, options)?;
    set_up_writer(&connection, options)?;
    Ok(connection)
}

/// Opens the connection that writes once more after a commit whose result is not known, and commits
/// once: what can be read from then on stays. What a commit that failed has left in the log is
/// overwritten by that, so that no restart brings it back later.
pub(super) fn reopen_writer(
    path: &Path,
    options: &SqliteOptions,
) -> Result<Connection, StoreError> {
    // A database that is gone is not made anew.
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_WRITE, options)?;
    set_up_writer(&connection, options)?;
    let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    connection.pragma_update(None, "user_version", version)?;
    Ok(connection)
}

fn set_up_writer(connection: &Connection, options: &SqliteOptions) -> Result<(), StoreError> {
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(StoreError::Unavailable(format!(
            "the file system cannot keep a write-ahead log (SQLite says {mode}); use a local disk"
        )));
    }
    let synchronous = match options.synchronous {
        Synchronous::Full => "FULL",
        Synchronous::Normal => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    // On macOS an fsync leaves the data in the drive's cache; these ask the drive to write it. They
    // do nothing elsewhere.
    let full = options.synchronous == Synchronous::Full;
    connection.pragma_update(None, "fullfsync", full)?;
    connection.pragma_update(None, "checkpoint_fullfsync", full)?;
    // The writer copies the log back when nobody waits for it.
    connection.pragma_update(None, "wal_autocheckpoint", 0)?;
    connection.pragma_update(None, "journal_size_limit", WAL_BYTES_KEPT)?;
    // Savepoints keep their undo pages in memory and not in files.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    Ok(())
}

/// Opens a connection that reads. The database must be there.
pub(super) fn open_reader(path: &Path, options: &SqliteOptions) -> Result<Connection, StoreError> {
    open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, options)
}

fn open(path: &Path, flags: OpenFlags, options: &SqliteOptions) -> Result<Connection, StoreError> {
    // A connection is used by one thread at a time, so its own lock is not needed.
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(options.busy_timeout)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok(connection)
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;

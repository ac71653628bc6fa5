//! WAL checkpoints: the writer copies the write-ahead log back into the database, mostly while it is
//! idle.

use std::time::Duration;

use rusqlite::Connection;

use crate::store::StoreError;

/// How long the writer must be idle before a checkpoint.
pub(super) const IDLE_DELAY: Duration = Duration::from_millis(500);

/// The length of the WAL, in pages of 4 KiB, at which a checkpoint runs even under load.
const WAL_PAGES_MAX: u32 = 4096;

/// Whether everything was copied into the database. A failed checkpoint is tried again the next time. On a full disk
/// the WAL holds the only free space: after a checkpoint it is reused from its start.
pub(super) fn try_checkpoint(connection: &Connection) -> bool {
    checkpoint(connection).is_ok_and(|(log, copied)| log == copied)
}

/// Whether a checkpoint has to run although the writer is not idle, so that the WAL is bounded.
pub(super) fn is_wal_long(connection: &Connection) -> bool {
    wal_pages(connection).is_ok_and(|pages| pages >= WAL_PAGES_MAX)
}

/// The pages in the WAL.
pub(super) fn wal_pages(connection: &Connection) -> Result<u32, StoreError> {
    let mut statement = connection.prepare_cached("PRAGMA wal_checkpoint(NOOP)")?;
    Ok(statement.query_row([], |row| row.get(1))?)
}

/// Checkpoints as far as no reader needs the WAL, without waiting. Returns the pages in the WAL and
/// how many of them were copied.
fn checkpoint(connection: &Connection) -> Result<(i64, i64), StoreError> {
    let mut statement = connection.prepare_cached("PRAGMA wal_checkpoint(PASSIVE)")?;
    Ok(statement.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))?)
}

#[cfg(test)]
#[path = "checkpoint_tests.rs"]
mod tests;

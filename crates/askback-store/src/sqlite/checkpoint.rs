//! What the writer does besides writing, mostly when nobody waits for it: the log is copied back into
//! the database.

use std::time::Duration;

use rusqlite::Connection;

use crate::store::StoreError;

/// How long nothing must come before the writer turns to this.
pub(super) const QUIET: Duration = Duration::from_millis(500);

/// The length of the log, in pages of 4 KiB, at which it is copied back even while others wait.
const LOG_PAGES_MAX: i64 = 4096;

/// Nothing has come for a while. What fails now is tried again the next time.
pub(super) fn when_quiet(connection: &Connection) {
    drop(checkpoint(connection));
}

/// Keeps the log from growing without bound while there is always something to write.
pub(super) fn when_log_is_long(connection: &Connection) {
    if log_pages(connection).is_ok_and(|pages| pages >= LOG_PAGES_MAX) {
        drop(checkpoint(connection));
    }
}

/// A transaction has failed some time ago. If the disk is full, what the log takes up is the room
/// there is: once it is copied back, it is written from its beginning again. True if that is done.
pub(super) fn after_failure(connection: &Connection) -> bool {
    checkpoint(connection).is_ok_and(|(log, copied)| log == copied)
}

fn log_pages(connection: &Connection) -> Result<i64, StoreError> {
    let mut statement = connection.prepare_cached("PRAGMA wal_checkpoint(NOOP)")?;
    Ok(statement.query_row([], |row| row.get(1))?)
}

/// Copies the log back, as far as no reader needs it. Waits for nobody. Returns how long the log
/// is, and how much of it is copied.
fn checkpoint(connection: &Connection) -> Result<(i64, i64), StoreError> {
    let mut statement = connection.prepare_cached("PRAGMA wal_checkpoint(PASSIVE)")?;
    Ok(statement.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))?)
}

#[cfg(test)]
#[path = "checkpoint_tests.rs"]
mod tests;

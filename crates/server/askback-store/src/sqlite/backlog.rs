//! What waits in the store, counted from index entries alone.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _};

use crate::rows::Backlog;
use crate::sqlite::sql_types::{SqlTimestamp, SqlU64};
use crate::store::StoreError;

/// Numbers rise with time, so that the lowest one is the oldest inquiry. SQLite would rather read the index of all
/// conversations.
pub(super) const PENDING: &str =
    "SELECT count(*), min(number) FROM inquiries INDEXED BY inquiries_pending WHERE status = 0";
pub(super) const JOBS: &str = "SELECT queue, count(*) FROM jobs GROUP BY queue";
pub(super) const MESSAGES: &str =
    "SELECT channel, count(*) FROM deliveries WHERE due_at IS NOT NULL GROUP BY channel";

pub(super) fn read(connection: &Connection) -> Result<Backlog, StoreError> {
    let mut counting = connection.prepare_cached(PENDING)?;
    let (pending, oldest) = counting.query_row([], |row| {
        Ok((row.get::<_, SqlU64>(0)?.0, row.get::<_, Option<i64>>(1)?))
    })?;
    let mut reading =
        connection.prepare_cached("SELECT asked_at FROM inquiries WHERE number = ?1")?;
    let oldest_asked_at = reading
        .query_row([oldest], |row| row.get::<_, SqlTimestamp>(0))
        .optional()?;
    Ok(Backlog {
        pending,
        oldest_asked_at: oldest_asked_at.map(|at| at.0),
        jobs: counts(connection, JOBS)?,
        messages: counts(connection, MESSAGES)?,
    })
}

fn counts(connection: &Connection, sql: &str) -> Result<BTreeMap<String, u64>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get::<_, SqlU64>(1)?.0)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

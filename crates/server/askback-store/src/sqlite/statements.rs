//! Runs prepared statements, each in one call.

use rusqlite::{Connection, OptionalExtension as _, Params, Row};

use crate::store::StoreError;

/// Changes rows, and returns how many.
pub(super) fn execute(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
) -> Result<usize, StoreError> {
    Ok(connection.prepare_cached(sql)?.execute(parameters)?)
}

/// Adds a row, and returns its primary key.
pub(super) fn insert(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
) -> Result<i64, StoreError> {
    Ok(connection.prepare_cached(sql)?.insert(parameters)?)
}

/// The only row, if there is one.
pub(super) fn query_one<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row(parameters, read).optional()?)
}

/// All rows.
pub(super) fn query_all<T>(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(parameters, read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

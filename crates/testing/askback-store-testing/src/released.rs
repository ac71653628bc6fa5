//! Databases of released versions.

use std::path::Path;

/// A database of schema version 1 as SQL: conversations of the built-in agent, long ones among them, and of others, with
/// inquiries that are pending, held, resolved in several ways, or deleted, with a draft, a snooze, a moved deadline and
/// an answer that was undone.
pub const VERSION_1: &str = include_str!("../fixtures/version_1.sql");

/// Writes a database from SQL.
pub fn write_database(path: &Path, sql: &str) -> rusqlite::Result<()> {
    rusqlite::Connection::open(path)?.execute_batch(sql)
}

//! A consistent copy of a database that another process may be writing.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _};

use crate::sqlite::commit::newest_sequence;
use crate::sqlite::connection;
use crate::sqlite::damage;
use crate::sqlite::migrations::APPLICATION_ID;
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::sql_types::SqlU64;
use crate::store::StoreError;

/// What a copy contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupContents {
    /// The version of the schema.
    pub schema: u32,
    /// Conversations, the deleted ones that have left a row included.
    pub conversations: u64,
    /// Inquiries of all conversations.
    pub inquiries: u64,
    /// Those without an outcome.
    pub pending: u64,
    /// Jobs, timers included.
    pub jobs: u64,
    /// The highest sequence number ever used.
    pub newest_sequence: u64,
}

/// Copies the database at `database` into the empty file `copy` and checks the copy: SQLite's own
/// integrity check, references between rows, and that it is no older than the database was at the start.
/// Everything that was acknowledged before the call is in it. The copy is not synced to disk.
pub fn back_up(database: &Path, copy: &Path) -> Result<BackupContents, StoreError> {
    damage::check_before_reading(database)?;
    let options = SqliteOptions::default();
    let reader = connection::open_reader(database, &options)?;
    refuse_foreign(&reader)?;
    let before = newest_sequence(&reader)?;
    let target = copy.to_str().ok_or_else(|| {
        StoreError::Unavailable(
            "the name of the backup is not valid UTF-8; choose another".to_owned(),
        )
    })?;
    reader.execute("VACUUM INTO ?1", [target])?;
    let after = newest_sequence(&reader)?;
    drop(reader);
    let copy = connection::open_reader(copy, &options)?;
    check_integrity(&copy)?;
    let contents = contents(&copy)?;
    if !(before..=after).contains(&contents.newest_sequence) {
        return Err(StoreError::Corrupt(format!(
            "the copy ends at sequence {}, but the database was between {before} and {after}",
            contents.newest_sequence
        )));
    }
    Ok(contents)
}

fn refuse_foreign(connection: &Connection) -> Result<(), StoreError> {
    let id: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if id == APPLICATION_ID {
        return Ok(());
    }
    Err(StoreError::Unavailable(
        "the file is not a database of askback; check --data and --store".to_owned(),
    ))
}

fn check_integrity(connection: &Connection) -> Result<(), StoreError> {
    let found: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        return Err(StoreError::Corrupt(format!(
            "SQLite's integrity check of the copy failed: {found}"
        )));
    }
    let broken: Option<String> = connection
        .query_row(
            "SELECT \"table\" FROM pragma_foreign_key_check",
            [],
            |row| row.get(0),
        )
        .optional()?;
    match broken {
        None => Ok(()),
        Some(table) => Err(StoreError::Corrupt(format!(
            "a row of the table {table} refers to a row that does not exist"
        ))),
    }
}

fn contents(connection: &Connection) -> Result<BackupContents, StoreError> {
    let number = |sql: &str| -> Result<u64, StoreError> {
        let counted: SqlU64 = connection.query_row(sql, [], |row| row.get(0))?;
        Ok(counted.0)
    };
    let schema =
        connection.query_row("SELECT max(number) FROM migrations", [], |row| row.get(0))?;
    Ok(BackupContents {
        schema,
        conversations: number("SELECT count(*) FROM conversations")?,
        inquiries: number("SELECT count(*) FROM inquiries")?,
        pending: number("SELECT count(*) FROM inquiries WHERE status = 0")?,
        jobs: number("SELECT count(*) FROM jobs")?,
        newest_sequence: newest_sequence(connection)?,
    })
}

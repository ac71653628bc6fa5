//! Schema migrations, applied in order.

use rusqlite::{Connection, TransactionBehavior};

use crate::sql::migration::{self, Migration};
use crate::store::StoreError;

/// "askb", the SQLite application id of our databases.
pub(super) const APPLICATION_ID: i32 = 0x6173_6b62;

/// In order. `indexes_tests.rs` names a query for each index. A migration never changes after its
/// release, not even its comments: the checksum of its file is stored in every database.
pub(super) const MIGRATIONS: &[Migration] = &[Migration {
    number: 1,
    name: "tables",
    sql: include_str!("migrations/0001_tables.sql"),
}];

/// Applies missing migrations. Refuses a database of a newer version or of another program.
pub(super) fn migrate(
    connection: &mut Connection,
    migrations: &[Migration],
) -> Result<(), StoreError> {
    claim_file(connection)?;
    for migration in migrations {
        apply(connection, migration)?;
    }
    refuse_newer(connection, migrations)
}

/// Sets the application id of an empty file. Fails for a database of another program.
fn claim_file(connection: &mut Connection) -> Result<(), StoreError> {
    // Read first, so that opening a current database writes nothing.
    let id: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if id == APPLICATION_ID {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let objects: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let id: i32 = transaction.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    if id == APPLICATION_ID {
        return Ok(());
    }
    if id != 0 || objects != 0 {
        return Err(StoreError::Unavailable(
            "the file is a database of another program; use another file".to_owned(),
        ));
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.execute_batch(
        "CREATE TABLE migrations (
            number   INTEGER PRIMARY KEY,
            name     TEXT    NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT",
    )?;
    Ok(transaction.commit()?)
}

fn apply(connection: &mut Connection, migration: &Migration) -> Result<(), StoreError> {
    if is_applied(connection, migration)? {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have applied it in the meantime.
    if is_applied(&transaction, migration)? {
        return Ok(());
    }
    transaction.execute_batch(migration.sql)?;
    transaction.execute(
        "INSERT INTO migrations (number, name, checksum) VALUES (?1, ?2, ?3)",
        (migration.number, migration.name, migration.checksum()),
    )?;
    Ok(transaction.commit()?)
}

fn is_applied(connection: &Connection, migration: &Migration) -> Result<bool, StoreError> {
    let mut statement = connection.prepare("SELECT checksum FROM migrations WHERE number = ?1")?;
    let mut rows = statement.query([migration.number])?;
    let Some(row) = rows.next()? else {
        return Ok(false);
    };
    migration.verify(row.get(0)?)?;
    Ok(true)
}

fn refuse_newer(connection: &Connection, migrations: &[Migration]) -> Result<(), StoreError> {
    let found: u32 = connection.query_row(
        "SELECT coalesce(max(number), 0) FROM migrations",
        [],
        |row| row.get(0),
    )?;
    migration::refuse_newer(found, migrations)
}

#[cfg(test)]
#[path = "migrations_tests.rs"]
mod tests;

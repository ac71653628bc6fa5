//! Schema migrations, applied in order by whichever node starts first.

use crate::connection::Connection;
use crate::sql_values::Columns;
use askback_store::sql::migration::{self, Migration};
use askback_store::store::StoreError;

/// In order. A migration never changes after its release, not even its comments: the checksum of its
/// file is stored in every database.
pub(super) const MIGRATIONS: &[Migration] = &[Migration {
    number: 1,
    name: "tables",
    sql: include_str!("migrations/0001_tables.sql"),
}];

/// The oldest version that has everything which the statements use.
const SERVER_VERSION_MIN: i32 = 130_000;

/// "askb": the advisory lock that one node holds while it migrates. Others wait.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1634954082)";

const SERVER_VERSION: &str = "SELECT current_setting('server_version_num')::int";

const HAS_MIGRATIONS: &str = "SELECT to_regclass('askback.migrations') IS NOT NULL";

const APPLIED: &str = "SELECT number, checksum FROM askback.migrations ORDER BY number";

const INSERT: &str = "INSERT INTO askback.migrations (number, name, checksum) VALUES ($1, $2, $3)";

const TABLE: &str = "CREATE SCHEMA IF NOT EXISTS askback;
     CREATE TABLE IF NOT EXISTS askback.migrations (
         number   bigint PRIMARY KEY,
         name     text   NOT NULL,
         checksum bigint NOT NULL
     )";

/// Applies missing migrations, all in one transaction. Refuses a database of a newer version. Writes
/// nothing to a current database.
pub(super) async fn migrate(connection: &Connection) -> Result<(), StoreError> {
    let version = connection.query(SERVER_VERSION, &[]).await?;
    let version = version
        .first()
        .map_or(Ok(0), |row| Columns::of(row).get())?;
    if version < SERVER_VERSION_MIN {
        return Err(StoreError::Unavailable(
            "this server is older than PostgreSQL 13; use a newer one".to_owned(),
        ));
    }
    if is_current(connection).await? {
        return Ok(());
    }
    connection.batch("BEGIN").await?;
    connection.batch(LOCK).await?;
    connection.batch(TABLE).await?;
    // Another node may have applied them while this one waited.
    let applied = applied(connection).await?;
    for migration in &MIGRATIONS[applied.min(MIGRATIONS.len())..] {
        connection.batch(migration.sql).await?;
        let number = i64::from(migration.number);
        let checksum = migration.checksum();
        connection
            .execute(INSERT, &[&number, &migration.name, &checksum])
            .await?;
    }
    connection.batch("COMMIT").await?;
    Ok(())
}

async fn is_current(connection: &Connection) -> Result<bool, StoreError> {
    let exists = connection.query(HAS_MIGRATIONS, &[]).await?;
    let exists = exists
        .first()
        .map_or(Ok(false), |row| Columns::of(row).get())?;
    Ok(exists && applied(connection).await? == MIGRATIONS.len())
}

/// How many migrations were applied. Fails if one differs from ours.
async fn applied(connection: &Connection) -> Result<usize, StoreError> {
    let rows = connection.query(APPLIED, &[]).await?;
    let mut newest = 0;
    for (row, known) in rows
        .iter()
        .zip(MIGRATIONS.iter().map(Some).chain(std::iter::repeat(None)))
    {
        let mut columns = Columns::of(row);
        newest = columns.small()?;
        if let Some(known) = known {
            known.verify(columns.get()?)?;
        }
    }
    migration::refuse_newer(newest, MIGRATIONS)?;
    Ok(rows.len())
}

//! Credentials.

use jiff::Timestamp;
use rusqlite::Connection;

use crate::credential_store::{CredentialRow, CredentialStore};
use crate::sqlite::SqliteStore;
use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::SqlTimestamp;
use crate::store::{StoreError, StoreFuture};

impl CredentialStore for SqliteStore {
    fn add_credential(&self, credential: CredentialRow) -> StoreFuture<'_, ()> {
        self.write(move |transaction| add(transaction, &credential))
    }

    fn credentials(&self) -> StoreFuture<'_, Vec<CredentialRow>> {
        self.read(list)
    }

    fn touch_credential(&self, name: &str, at: Timestamp) -> StoreFuture<'_, bool> {
        let name = name.to_owned();
        self.write(move |transaction| {
            let mut statement = transaction
                .prepare_cached("UPDATE credentials SET last_used_at = ?2 WHERE name = ?1")?;
            let touched = statement.execute((&name, SqlTimestamp(at)))?;
            Ok(Written::from(touched > 0))
        })
    }

    fn revoke_credential(&self, name: &str) -> StoreFuture<'_, bool> {
        let name = name.to_owned();
        self.write(move |transaction| {
            let mut sessions =
                transaction.prepare_cached("DELETE FROM sessions WHERE credential = ?1")?;
            sessions.execute([&name])?;
            let mut statement =
                transaction.prepare_cached("DELETE FROM credentials WHERE name = ?1")?;
            Ok(Written::from(statement.execute([&name])? > 0))
        })
    }
}

fn add(transaction: &Connection, credential: &CredentialRow) -> Result<Written<()>, StoreError> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO credentials
            (name, secret_hash, scope, person, created_at, last_used_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    statement.execute((
        &credential.name,
        credential.secret_hash,
        &credential.scope,
        &credential.person,
        SqlTimestamp(credential.created_at),
        credential.last_used_at.map(SqlTimestamp),
        credential.expires_at.map(SqlTimestamp),
    ))?;
    Ok(Written::from(()))
}

fn list(connection: &Connection) -> Result<Vec<CredentialRow>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT name, secret_hash, scope, person, created_at, last_used_at, expires_at
         FROM credentials ORDER BY name",
    )?;
    let rows = statement.query_map([], |row| {
        let optional = |time: Option<SqlTimestamp>| time.map(|time| time.0);
        Ok(CredentialRow {
            name: row.get(0)?,
            secret_hash: row.get(1)?,
            scope: row.get(2)?,
            person: row.get(3)?,
            created_at: row.get::<_, SqlTimestamp>(4)?.0,
            last_used_at: optional(row.get(5)?),
            expires_at: optional(row.get(6)?),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

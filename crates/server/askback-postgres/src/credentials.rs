//! Credentials.

use jiff::Timestamp;
use tokio_postgres::Row;

use crate::PostgresStore;
use crate::connection::Sql;
use crate::sql_values::{BYTEA, Columns, INT8, TEXT, Text};
use askback_store::backend::stored_numbers::stored_micros;
use askback_store::credential_store::{CredentialRow, CredentialStore};
use askback_store::store::{StoreError, StoreFuture};

const ADD: Sql = Sql {
    text: "INSERT INTO askback.credentials
               (name, secret_hash, scope, person, created_at, last_used_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)",
    types: &[TEXT, BYTEA, TEXT, TEXT, INT8, INT8, INT8],
};

const LIST: Sql = Sql {
    text: "SELECT name, secret_hash, scope, person, created_at, last_used_at, expires_at
           FROM askback.credentials ORDER BY name",
    types: &[],
};

const TOUCH: Sql = Sql {
    text: "UPDATE askback.credentials SET last_used_at = $2 WHERE name = $1",
    types: &[TEXT, INT8],
};

const REVOKE: Sql = Sql {
    text: "WITH ended AS (DELETE FROM askback.sessions WHERE credential = $1)
           DELETE FROM askback.credentials WHERE name = $1",
    types: &[TEXT],
};

impl CredentialStore for PostgresStore {
    fn add_credential(&self, credential: CredentialRow) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let secret_hash = &credential.secret_hash[..];
            let person = credential.person.as_deref().map(Text);
            let created_at = stored_micros(credential.created_at);
            let last_used_at = credential.last_used_at.map(stored_micros);
            let expires_at = credential.expires_at.map(stored_micros);
            self.pool
                .change(
                    &ADD,
                    &[
                        &Text(&credential.name),
                        &secret_hash,
                        &Text(&credential.scope),
                        &person,
                        &created_at,
                        &last_used_at,
                        &expires_at,
                    ],
                )
                .await?;
            Ok(())
        })
    }

    fn credentials(&self) -> StoreFuture<'_, Vec<CredentialRow>> {
        Box::pin(async move {
            let rows = self.pool.query(&LIST, &[]).await?;
            rows.iter().map(read_row).collect()
        })
    }

    fn touch_credential(&self, name: &str, at: Timestamp) -> StoreFuture<'_, bool> {
        let (name, at) = (name.to_owned(), stored_micros(at));
        Box::pin(async move { Ok(self.pool.change(&TOUCH, &[&Text(&name), &at]).await? > 0) })
    }

    fn revoke_credential(&self, name: &str) -> StoreFuture<'_, bool> {
        let name = name.to_owned();
        Box::pin(async move { Ok(self.pool.change(&REVOKE, &[&Text(&name)]).await? > 0) })
    }
}

fn read_row(row: &Row) -> Result<CredentialRow, StoreError> {
    let mut columns = Columns::of(row);
    let damaged = |_| StoreError::Corrupt("a credential cannot be read".to_owned());
    Ok(CredentialRow {
        name: columns.get()?,
        secret_hash: columns.get::<&[u8]>()?.try_into().map_err(damaged)?,
        scope: columns.get()?,
        person: columns.get()?,
        created_at: columns.time()?,
        last_used_at: columns.optional_time()?,
        expires_at: columns.optional_time()?,
    })
}

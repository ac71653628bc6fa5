//! Credentials.

use jiff::Timestamp;

use super::{SqlExecutor, SqlRow, read_all, values};
use crate::credential_store::{CredentialRow, CredentialStore};
use crate::store::{StoreError, StoreFuture};

const ADD: &str = "INSERT INTO askback.credentials
         (name, secret_hash, scope, person, created_at, last_used_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)";

const LIST: &str = "SELECT name, secret_hash, scope, person, created_at, last_used_at, expires_at
     FROM askback.credentials ORDER BY name";

impl<S: SqlExecutor> CredentialStore for S {
    fn add_credential(&self, credential: CredentialRow) -> StoreFuture<'_, ()> {
        let values = values![
            credential.name,
            credential.secret_hash,
            credential.scope,
            credential.person,
            credential.created_at,
            credential.last_used_at,
            credential.expires_at,
        ];
        Box::pin(async move { self.change(ADD, values).await.map(drop) })
    }

    fn credentials(&self) -> StoreFuture<'_, Vec<CredentialRow>> {
        Box::pin(async { read_all(self.select(LIST, Vec::new()).await?, read) })
    }

    fn touch_credential(&self, name: &str, at: Timestamp) -> StoreFuture<'_, bool> {
        let sql = "UPDATE askback.credentials SET last_used_at = $2 WHERE name = $1";
        let values = values![name, at];
        Box::pin(async move { Ok(self.change(sql, values).await? > 0) })
    }

    fn revoke_credential(&self, name: &str) -> StoreFuture<'_, bool> {
        self.remove_credential(name)
    }
}

fn read(row: &mut SqlRow) -> Result<CredentialRow, StoreError> {
    Ok(CredentialRow {
        name: row.get()?,
        secret_hash: row.get()?,
        scope: row.get()?,
        person: row.get()?,
        created_at: row.get()?,
        last_used_at: row.get()?,
        expires_at: row.get()?,
    })
}

//! Credentials: tokens that permit a part of what the server's token does. The server stores a hash of each.

use std::sync::Arc;

use askback_engine::Clock;
use askback_store::{CredentialRow, Store, StoreError, StoreFuture};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use crate::access_rows::{AccessRow, AccessRows, Granted};
use crate::random_secret::{SecretError, random_hex};

/// What every secret begins with, so that scanners for secrets find one that was published.
pub(crate) const SECRET_PREFIX: &str = "askback_";
/// How often the last use is stored.
const TOUCH_EVERY: SignedDuration = SignedDuration::from_mins(1);

/// The credentials of a server.
pub(crate) struct Credentials {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    rows: AccessRows<CredentialRow>,
}

/// The credential of a request.
pub(crate) type Credential = Granted<CredentialRow>;

impl AccessRow for CredentialRow {
    fn read_all(store: &dyn Store) -> StoreFuture<'_, Vec<CredentialRow>> {
        store.credentials()
    }

    fn secret_hash(&self) -> [u8; 32] {
        self.secret_hash
    }

    fn expires_at(&self) -> Option<Timestamp> {
        self.expires_at
    }

    fn note_use(&mut self, now: Timestamp) -> bool {
        let last_used = self.last_used_at;
        let is_new = last_used.is_none_or(|at| now.duration_since(at) >= TOUCH_EVERY);
        if is_new {
            self.last_used_at = Some(now);
        }
        is_new
    }

    fn store_use<'a>(&'a self, store: &'a dyn Store) -> StoreFuture<'a, bool> {
        store.touch_credential(&self.name, self.last_used_at.unwrap_or_default())
    }
}

impl Credentials {
    pub(crate) fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Credentials {
        Credentials {
            rows: AccessRows::new(Arc::clone(&store), Arc::clone(&clock)),
            store,
            clock,
        }
    }

    /// Stores a credential, and returns its secret.
    pub(crate) async fn add(
        &self,
        make: impl FnOnce([u8; 32]) -> CredentialRow,
    ) -> Result<String, SecretError> {
        let secret = format!("{SECRET_PREFIX}{}", random_hex::<32>()?);
        let (store, row) = (Arc::clone(&self.store), make(hash(&secret)));
        let adding = self
            .rows
            .change(async move { store.add_credential(row).await });
        adding.await?;
        Ok(secret)
    }

    /// All that have not expired, by name.
    pub(crate) async fn list(&self) -> Result<Vec<CredentialRow>, StoreError> {
        let now = self.clock.now();
        let rows = self.store.credentials().await?.into_iter();
        Ok(rows.filter(|row| row.is_valid(now)).collect())
    }

    /// Ends a credential with its open requests. False if there was none.
    pub(crate) async fn revoke(&self, name: &str) -> Result<bool, StoreError> {
        let (store, name) = (Arc::clone(&self.store), name.to_owned());
        let revoking = async move { store.revoke_credential(&name).await };
        self.rows.change(revoking).await
    }

    /// The credential with this secret, if it is valid.
    pub(crate) async fn find(&self, secret: &str) -> Result<Option<Credential>, StoreError> {
        if !secret.starts_with(SECRET_PREFIX) {
            return Ok(None);
        }
        let (asked_at, hash) = (Instant::now(), hash(secret));
        self.rows.refresh().await?;
        if !self.rows.knows(&hash) {
            // Another node may just have made it.
            self.rows.refresh_since(asked_at).await?;
        }
        Ok(self.rows.find(&hash))
    }

    /// The credential with this name, if it is valid.
    pub(crate) async fn named(&self, name: &str) -> Result<Option<Credential>, StoreError> {
        self.rows.refresh().await?;
        Ok(self.rows.find_by(|row| row.name == name))
    }

    /// Waits until a credential is revoked or expires.
    pub(crate) async fn wait_for_end(&self, credential: Credential) {
        self.rows.wait_for_end(credential).await;
    }

    /// Notices what other nodes have revoked.
    pub(crate) async fn refresh(&self) -> Result<(), StoreError> {
        self.rows.refresh().await
    }
}

/// The secrets have 256 random bits, so that a plain hash cannot be guessed from.
fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

#[cfg(test)]
#[path = "credentials_tests.rs"]
mod tests;

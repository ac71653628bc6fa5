//! Credentials: tokens that permit a part of what the server's token does. The server stores a hash of each.
//!
//! The store has all of them. Memory has them too, so that a request needs no read. With a store that several nodes share,
//! the copy is at most [`STALE_AFTER`] old. A credential that is revoked or expires ends its open requests.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use askback_engine::Clock;
use askback_store::{CredentialRow, Store, StoreError};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::random_secret::{SecretError, random_hex};

/// What every secret begins with, so that scanners for secrets find one that was published.
pub(crate) const SECRET_PREFIX: &str = "askback_";
/// How old the copy of a shared store may be.
const STALE_AFTER: Duration = Duration::from_millis(500);
/// How often the last use is stored.
const TOUCH_EVERY: SignedDuration = SignedDuration::from_mins(1);

/// The credentials of a server.
pub(crate) struct Credentials {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    copy: Mutex<Copy>,
    /// Held while the store is read, so that no older reading replaces a newer one: what was revoked would be valid again.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Copy {
    by_hash: HashMap<[u8; 32], Known>,
    /// When the last reading began.
    read_at: Option<Instant>,
}

struct Known {
    row: CredentialRow,
    /// Dropping it notifies all receivers.
    ended: watch::Sender<()>,
}

/// The credential of a request.
#[derive(Debug, Clone)]
pub(crate) struct Credential {
    pub(crate) row: CredentialRow,
    ended: watch::Receiver<()>,
}

impl Credentials {
    pub(crate) fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Credentials {
        Credentials {
            store,
            clock,
            copy: Mutex::default(),
            reading: tokio::sync::Mutex::default(),
        }
    }

    /// Stores a credential, and returns its secret.
    pub(crate) async fn add(
        &self,
        make: impl FnOnce([u8; 32]) -> CredentialRow,
    ) -> Result<String, SecretError> {
        let secret = format!("{SECRET_PREFIX}{}", random_hex::<32>()?);
        self.store.add_credential(make(hash(&secret))).await?;
        self.read().await?;
        Ok(secret)
    }

    /// All that have not expired, by name.
    pub(crate) async fn list(&self) -> Result<Vec<CredentialRow>, StoreError> {
        let now = self.clock.now();
        let rows = self.store.credentials().await?.into_iter();
        Ok(rows.filter(|row| is_valid(row, now)).collect())
    }

    /// Ends a credential with its open requests. False if there was none.
    pub(crate) async fn revoke(&self, name: &str) -> Result<bool, StoreError> {
        let revoked = self.store.revoke_credential(name).await?;
        self.read().await?;
        Ok(revoked)
    }

    /// The credential with this secret, if it is valid.
    pub(crate) async fn find(&self, secret: &str) -> Result<Option<Credential>, StoreError> {
        if !secret.starts_with(SECRET_PREFIX) {
            return Ok(None);
        }
        let (asked_at, hash) = (Instant::now(), hash(secret));
        self.refresh().await?;
        let is_known = self.copy.lock().by_hash.contains_key(&hash);
        if !is_known && self.store.is_shared() {
            // Another node may just have made it.
            self.read_if(|read_at| read_at < asked_at).await?;
        }
        let now = self.clock.now();
        let mut copy = self.copy.lock();
        let Some(known) = copy.by_hash.get_mut(&hash) else {
            return Ok(None);
        };
        if !is_valid(&known.row, now) {
            return Ok(None);
        }
        let last_used = known.row.last_used_at;
        if last_used.is_none_or(|at| now.duration_since(at) >= TOUCH_EVERY) {
            known.row.last_used_at = Some(now);
            self.store_last_use(known.row.name.clone(), now);
        }
        Ok(Some(Credential {
            row: known.row.clone(),
            ended: known.ended.subscribe(),
        }))
    }

    /// The credential with this name, if it is valid.
    pub(crate) async fn named(&self, name: &str) -> Result<Option<Credential>, StoreError> {
        self.refresh().await?;
        let now = self.clock.now();
        let copy = self.copy.lock();
        let mut known = copy.by_hash.values();
        let found = known.find(|known| known.row.name == name && is_valid(&known.row, now));
        Ok(found.map(|known| Credential {
            row: known.row.clone(),
            ended: known.ended.subscribe(),
        }))
    }

    /// Waits until a credential is revoked or expires.
    pub(crate) async fn wait_for_end(&self, mut credential: Credential) {
        let expires_at = credential.row.expires_at.unwrap_or(Timestamp::MAX);
        loop {
            tokio::select! {
                // Nothing is ever sent: the sender was dropped.
                changed = credential.ended.changed() => if changed.is_err() {
                    return;
                },
                () = self.clock.sleep_until(expires_at) => return,
                () = tokio::time::sleep(STALE_AFTER), if self.store.is_shared() => {
                    // If the store cannot be read, nobody knows better.
                    drop(self.refresh().await);
                }
            }
        }
    }

    /// Reads the store if the copy is missing or too old.
    pub(crate) async fn refresh(&self) -> Result<(), StoreError> {
        self.read_if(|read_at| self.store.is_shared() && read_at.elapsed() >= STALE_AFTER)
            .await
    }

    /// Reads the store if there is no copy, or if it is too old by the time at which it was read.
    async fn read_if(&self, is_too_old: impl Fn(Instant) -> bool) -> Result<(), StoreError> {
        let is_needed = || self.copy.lock().read_at.is_none_or(&is_too_old);
        if !is_needed() {
            return Ok(());
        }
        let reading = self.reading.lock().await;
        if !is_needed() {
            return Ok(());
        }
        self.read_alone(&reading).await
    }

    async fn read(&self) -> Result<(), StoreError> {
        let reading = self.reading.lock().await;
        self.read_alone(&reading).await
    }

    /// Makes the copy equal to the store. What is gone ends, with its open requests.
    async fn read_alone(&self, _: &tokio::sync::MutexGuard<'_, ()>) -> Result<(), StoreError> {
        let began_at = Instant::now();
        let rows = self.store.credentials().await?;
        let mut copy = self.copy.lock();
        let mut before = std::mem::take(&mut copy.by_hash);
        for row in rows {
            let known = before.remove(&row.secret_hash);
            let ended = known.map_or_else(|| watch::channel(()).0, |known| known.ended);
            copy.by_hash.insert(row.secret_hash, Known { row, ended });
        }
        copy.read_at = Some(began_at);
        Ok(())
    }

    /// In the background: a use that is not stored delays nobody.
    fn store_last_use(&self, name: String, at: Timestamp) {
        let store = Arc::clone(&self.store);
        tokio::spawn(async move {
            if let Err(error) = store.touch_credential(&name, at).await {
                tracing::warn!(%error, "cannot store the last use of a token");
            }
        });
    }
}

fn is_valid(row: &CredentialRow, now: Timestamp) -> bool {
    row.expires_at.is_none_or(|at| now < at)
}

/// The secrets have 256 random bits, so that a plain hash cannot be guessed from.
fn hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret).into()
}

#[cfg(test)]
#[path = "credentials_tests.rs"]
mod tests;

//! What gives access in place of the server's token: credentials, and sessions of browsers.
//!
//! The store has all of them. Memory has a copy by the hash of their secrets, so that a request needs no read. The copy of a
//! store that several nodes share is at most [`STALE_AFTER`] old. What is gone from the store ends its open requests.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use askback_engine::Clock;
use askback_store::{Store, StoreError, StoreFuture};
use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::Instant;

/// How old the copy of a shared store may be.
const STALE_AFTER: Duration = Duration::from_millis(500);

/// A row that gives access to whoever has its secret.
pub(crate) trait AccessRow: Clone + Send + Sync + 'static {
    fn read_all(store: &dyn Store) -> StoreFuture<'_, Vec<Self>>;

    fn secret_hash(&self) -> [u8; 32];

    /// `None` if it never ends by itself.
    fn expires_at(&self) -> Option<Timestamp>;

    /// Notes that it was used. True if that is to be stored.
    fn note_use(&mut self, now: Timestamp) -> bool;

    fn store_use<'a>(&'a self, store: &'a dyn Store) -> StoreFuture<'a, bool>;

    fn is_valid(&self, now: Timestamp) -> bool {
        self.expires_at().is_none_or(|at| now < at)
    }
}

/// The access of a request.
#[derive(Debug, Clone)]
pub(crate) struct Granted<R> {
    pub(crate) row: R,
    ended: watch::Receiver<()>,
}

/// All rows of one kind. Clones share them.
#[derive(Clone)]
pub(crate) struct AccessRows<R>(Arc<Inner<R>>);

struct Inner<R> {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    copy: Mutex<Copy<R>>,
    /// Held while the store is read or changed, so that no older reading replaces a newer one: what was ended would be valid
    /// again.
    reading: tokio::sync::Mutex<()>,
}

struct Copy<R> {
    by_hash: HashMap<[u8; 32], Known<R>>,
    /// When the last reading began.
    read_at: Option<Instant>,
}

struct Known<R> {
    row: R,
    /// Dropping it notifies all receivers.
    ended: watch::Sender<()>,
}

impl<R: Clone> Known<R> {
    fn grant(&self) -> Granted<R> {
        Granted {
            row: self.row.clone(),
            ended: self.ended.subscribe(),
        }
    }
}

impl<R: AccessRow> AccessRows<R> {
    pub(crate) fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> AccessRows<R> {
        AccessRows(Arc::new(Inner {
            store,
            clock,
            copy: Mutex::new(Copy {
                by_hash: HashMap::new(),
                read_at: None,
            }),
            reading: tokio::sync::Mutex::default(),
        }))
    }

    /// Changes the store, and then the copy, even if the request is dropped: nothing else would tell the copy.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        change: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        let rows = self.clone();
        let changing = tokio::spawn(async move {
            let _reading = rows.0.reading.lock().await;
            let changed = change.await;
            rows.read_alone().await?;
            changed
        });
        let stopped = |error: tokio::task::JoinError| StoreError::Unavailable(error.to_string());
        changing.await.map_err(stopped)?
    }

    /// Reads the store if the copy is missing or too old.
    pub(crate) async fn refresh(&self) -> Result<(), StoreError> {
        self.read_if(|read_at| read_at.elapsed() >= STALE_AFTER)
            .await
    }

    /// Reads the store if the copy is missing, or shared and older than this.
    pub(crate) async fn refresh_since(&self, at: Instant) -> Result<(), StoreError> {
        self.read_if(|read_at| read_at < at).await
    }

    async fn read_if(&self, is_too_old: impl Fn(Instant) -> bool) -> Result<(), StoreError> {
        let is_shared = self.0.store.is_shared();
        let is_needed = || {
            let read_at = self.0.copy.lock().read_at;
            read_at.is_none_or(|read_at| is_shared && is_too_old(read_at))
        };
        if !is_needed() {
            return Ok(());
        }
        let _reading = self.0.reading.lock().await;
        if is_needed() {
            self.read_alone().await?;
        }
        Ok(())
    }

    /// Makes the copy equal to the store. If that fails, it is done before the copy is used again.
    async fn read_alone(&self) -> Result<(), StoreError> {
        self.0.copy.lock().read_at = None;
        let began_at = Instant::now();
        let rows = R::read_all(self.0.store.as_ref()).await?;
        let mut copy = self.0.copy.lock();
        let mut before = std::mem::take(&mut copy.by_hash);
        for row in rows {
            let known = before.remove(&row.secret_hash());
            let ended = known.map_or_else(|| watch::channel(()).0, |known| known.ended);
            let hash = row.secret_hash();
            copy.by_hash.insert(hash, Known { row, ended });
        }
        copy.read_at = Some(began_at);
        Ok(())
    }

    pub(crate) fn knows(&self, hash: &[u8; 32]) -> bool {
        self.0.copy.lock().by_hash.contains_key(hash)
    }

    /// The access that a secret with this hash gives now. It counts as used.
    pub(crate) fn find(&self, hash: &[u8; 32]) -> Option<Granted<R>> {
        let now = self.0.clock.now();
        let mut copy = self.0.copy.lock();
        let known = copy.by_hash.get_mut(hash)?;
        if !known.row.is_valid(now) {
            return None;
        }
        if known.row.note_use(now) {
            // In the background: a use that is not stored delays nobody.
            let (store, row) = (Arc::clone(&self.0.store), known.row.clone());
            tokio::spawn(async move {
                if let Err(error) = row.store_use(store.as_ref()).await {
                    tracing::warn!(%error, "cannot store the last use of a token or session");
                }
            });
        }
        Some(known.grant())
    }

    /// The valid row with a property.
    pub(crate) fn find_by(&self, is_meant: impl Fn(&R) -> bool) -> Option<Granted<R>> {
        let now = self.0.clock.now();
        let copy = self.0.copy.lock();
        let mut known = copy.by_hash.values();
        let found = known.find(|known| is_meant(&known.row) && known.row.is_valid(now));
        found.map(Known::grant)
    }

    /// All valid rows.
    pub(crate) fn valid(&self) -> Vec<R> {
        let now = self.0.clock.now();
        let copy = self.0.copy.lock();
        let rows = copy.by_hash.values().map(|known| &known.row);
        rows.filter(|row| row.is_valid(now)).cloned().collect()
    }

    /// Waits until access ends or expires.
    pub(crate) async fn wait_for_end(&self, mut granted: Granted<R>) {
        let hash = granted.row.secret_hash();
        let clock = &self.0.clock;
        loop {
            let known = |copy: &Copy<R>| copy.by_hash.get(&hash).map(|known| known.row.clone());
            let row = known(&self.0.copy.lock());
            let Some(row) = row.filter(|row| row.is_valid(clock.now())) else {
                return;
            };
            tokio::select! {
                // Nothing is ever sent: the sender was dropped.
                changed = granted.ended.changed() => if changed.is_err() {
                    return;
                },
                // It may have been used in the meantime. Check again.
                () = clock.sleep_until_or_forever(row.expires_at()) => {}
                () = tokio::time::sleep(STALE_AFTER), if self.0.store.is_shared() => {
                    // If the store cannot be read, nobody knows better.
                    drop(self.refresh().await);
                }
            }
        }
    }
}

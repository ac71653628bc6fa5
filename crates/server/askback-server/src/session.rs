//! Sessions of browsers. Each browser has a random secret in a cookie; the server stores a hash of it.
//!
//! The store has all sessions, so that they survive a restart. Memory has them too, so that requests need no
//! read; if one server uses the store, the cache is never stale. With a store that several nodes share, each
//! request compares the cache with the store. A session ends explicitly, after a time without use, or at a maximum
//! age. Its open requests end with it.

mod cookie;

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use askback_core::text::{Lines, Text};
use askback_engine::Clock;
use askback_store::{SessionRow, Store, StoreError};
use axum::http::{HeaderMap, header};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{OnceCell, watch};
use tokio::time::Instant;

use crate::random_secret::{SecretError, random_hex};
use crate::token::Token;

pub(crate) use cookie::{CookieScope, cleared_cookie, cookie_name, cookies, session_cookie};

use cookie::is_session_cookie;

/// Sessions end after this time without use.
pub(crate) const IDLE_MAX: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Sessions end at this age.
pub(crate) const AGE_MAX: SignedDuration = SignedDuration::from_hours(180 * 24);
/// How often the last use of a session is stored.
const TOUCH_EVERY: SignedDuration = SignedDuration::from_hours(1);
/// How old the cache of a shared store may be while a feed is open.
const STALE_AFTER: Duration = Duration::from_millis(500);
/// One more session ends the least recently used one.
const SESSIONS_MAX: usize = 100;
/// Cookies to check per request.
const COOKIES_MAX: usize = 64;
const USER_AGENT_CHARS_MAX: usize = 200;

/// The sessions of a server.
pub(crate) struct Sessions {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    token: Token,
    cache: OnceCell<Mutex<SessionCache>>,
    /// When the cache of a shared store was last compared with it.
    read_at: Mutex<Option<Instant>>,
    /// Held while sessions are added or ended, so that store and cache change in the same order.
    changes: tokio::sync::Mutex<()>,
}

/// Sessions by the hash of their secret.
type SessionCache = HashMap<[u8; 32], CachedSession>;

struct CachedSession {
    row: SessionRow,
    /// Dropping it notifies all receivers.
    ended: watch::Sender<()>,
}

/// Makes the cache equal to the store. A session that is gone ends, with its open requests.
fn merge(cache: &mut SessionCache, stored: Vec<SessionRow>) {
    let mut before = std::mem::take(cache);
    for row in stored {
        let known = before.remove(&row.secret_hash);
        let ended = known.map_or_else(|| watch::channel(()).0, |known| known.ended);
        cache.insert(row.secret_hash, CachedSession { row, ended });
    }
}

/// Whom a session is for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SessionOwner {
    /// The credential that signs in. The session ends with it.
    pub(crate) credential: Option<String>,
    /// The alias of the person. Without one, the session may do everything.
    pub(crate) person: Option<String>,
}

/// The session of a request.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// Not a secret.
    pub(crate) id: String,
    /// The alias of the person who uses it. Without one, it may do everything.
    pub(crate) person: Option<String>,
    /// The credential that signed it in.
    pub(crate) credential: Option<String>,
    hash: [u8; 32],
    ended: watch::Receiver<()>,
}

impl Session {
    async fn ended(&self) {
        // Nothing is ever sent. An error means that the sender was dropped.
        let mut ended = self.ended.clone();
        while ended.changed().await.is_ok() {}
    }
}

impl Sessions {
    /// Only sessions of this token are valid.
    pub(crate) fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, token: Token) -> Sessions {
        Sessions {
            store,
            clock,
            token,
            cache: OnceCell::new(),
            read_at: Mutex::default(),
            changes: tokio::sync::Mutex::default(),
        }
    }

    /// Starts a session, and returns the value of its cookie.
    pub(crate) async fn sign_in(
        self: &Arc<Self>,
        headers: &HeaderMap,
        owner: SessionOwner,
    ) -> Result<String, SecretError> {
        let _changes = self.changes.lock().await;
        self.evict_excess().await?;
        let secret = random_hex::<32>()?;
        let now = self.clock.now();
        let row = SessionRow {
            id: format!("ses_{}", random_hex::<8>()?),
            secret_hash: self.hash(&secret),
            token_id: self.token.id(),
            user_agent: user_agent(headers),
            credential: owner.credential,
            person: owner.person,
            created_at: now,
            last_used_at: now,
            expires_at: now + IDLE_MAX,
        };
        let cache = self.cache().await?;
        self.store.add_session(row.clone()).await?;
        let (ended, _) = watch::channel(());
        cache
            .lock()
            .insert(row.secret_hash, CachedSession { row, ended });
        Ok(secret)
    }

    /// The session of a request, if it has not ended.
    pub(crate) async fn find_by_cookie(
        &self,
        headers: &HeaderMap,
    ) -> Result<Option<Session>, StoreError> {
        let name = cookie_name(headers);
        let ours = cookies(headers).filter(|(found, _)| *found == name);
        let ours: Vec<(&str, &str)> = ours.take(COOKIES_MAX).collect();
        if ours.is_empty() {
            return Ok(None);
        }
        let cache = self.cache().await?;
        let now = self.clock.now();
        for (_, secret) in ours {
            if let Some(session) = self.find(cache, &self.hash(secret), now) {
                return Ok(Some(session));
            }
        }
        Ok(None)
    }

    /// Ends the sessions that this browser has with this server on other ports, and returns their cookie names.
    /// Without this, a server that uses another port after each start would leave a cookie behind each time, and
    /// browsers send them all to every port.
    pub(crate) async fn end_for_other_ports(
        self: &Arc<Self>,
        headers: &HeaderMap,
    ) -> Result<Vec<String>, StoreError> {
        let present = cookie_name(headers);
        let others = cookies(headers)
            .filter(|(name, _)| is_session_cookie(name) && *name != present)
            .take(COOKIES_MAX);
        let mut names = Vec::new();
        for (name, secret) in others {
            let cache = self.cache().await?;
            let found = cache
                .lock()
                .get(&self.hash(secret))
                .map(|session| session.row.id.clone());
            if let Some(id) = found {
                self.end(&id).await?;
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// Sessions that have not ended, last used first.
    pub(crate) async fn list(&self) -> Result<Vec<SessionRow>, StoreError> {
        let cache = self.cache().await?;
        let now = self.clock.now();
        let rows = {
            let mut cache = cache.lock();
            cache.retain(|_, session| session.row.expires_at > now);
            cache.values().map(|session| session.row.clone()).collect()
        };
        Ok(last_used_first(rows))
    }

    /// Ends a session and its open requests. Returns false if it does not exist.
    pub(crate) async fn end(self: &Arc<Self>, id: &str) -> Result<bool, StoreError> {
        let (sessions, id) = (Arc::clone(self), id.to_owned());
        run_to_completion(async move {
            let _changes = sessions.changes.lock().await;
            sessions.remove(&id).await
        })
        .await
    }

    /// Ends all sessions, including those of earlier tokens.
    pub(crate) async fn end_all(self: &Arc<Self>) -> Result<(), StoreError> {
        let sessions = Arc::clone(self);
        run_to_completion(async move {
            let _changes = sessions.changes.lock().await;
            let cache = sessions.cache().await?;
            sessions.store.end_all_sessions().await?;
            cache.lock().clear();
            Ok(())
        })
        .await
    }

    /// Ends the sessions of a person.
    pub(crate) async fn end_of_person(self: &Arc<Self>, alias: &str) -> Result<(), StoreError> {
        let all = self.list().await?;
        for session in all.iter().filter(|it| it.person.as_deref() == Some(alias)) {
            self.end(&session.id).await?;
        }
        Ok(())
    }

    /// Forgets the sessions that a revoked credential has signed in. The store has ended them.
    pub(crate) async fn end_of_credential(&self, credential: &str) -> Result<(), StoreError> {
        let cache = self.cache().await?;
        cache
            .lock()
            .retain(|_, session| session.row.credential.as_deref() != Some(credential));
        Ok(())
    }

    async fn remove(&self, id: &str) -> Result<bool, StoreError> {
        let cache = self.cache().await?;
        // Store first: an ended session must not come back after a crash.
        let ended = self.store.end_session(id).await?;
        cache.lock().retain(|_, session| session.row.id != id);
        Ok(ended)
    }

    /// Waits until a session ends or expires.
    pub(crate) async fn wait_for_end(&self, session: Session) {
        loop {
            let Some(cache) = self.cache.get() else {
                return;
            };
            let expires_at = cache.lock().get(&session.hash).map(|it| it.row.expires_at);
            let Some(expires_at) = expires_at.filter(|at| *at > self.clock.now()) else {
                return;
            };
            tokio::select! {
                () = session.ended() => return,
                // It may have been used in the meantime. Check again.
                () = self.clock.sleep_until(expires_at) => {}
                () = tokio::time::sleep(STALE_AFTER), if self.store.is_shared() => {
                    // If the store cannot be read, nobody knows better.
                    drop(self.refresh().await);
                }
            }
        }
    }

    /// Compares the cache with the store, unless that was done just now: all open feeds share one read.
    pub(crate) async fn refresh(&self) -> Result<(), StoreError> {
        let read_at = *self.read_at.lock();
        if read_at.is_none_or(|at| at.elapsed() >= STALE_AFTER) {
            self.cache().await?;
        }
        Ok(())
    }

    /// The cache, loaded from the store on first use, and each time if other nodes may have changed it.
    async fn cache(&self) -> Result<&Mutex<SessionCache>, StoreError> {
        if let Some(cache) = self.cache.get() {
            if self.store.is_shared() {
                let stored = self.stored().await?;
                merge(&mut cache.lock(), stored);
                let mut read_at = self.read_at.lock();
                *read_at = Some(Instant::now());
            }
            return Ok(cache);
        }
        let read = async || {
            let mut cache = SessionCache::new();
            merge(&mut cache, self.stored().await?);
            Ok(Mutex::new(cache))
        };
        self.cache.get_or_try_init(read).await
    }

    /// The stored sessions of this token.
    async fn stored(&self) -> Result<Vec<SessionRow>, StoreError> {
        let token_id = self.token.id();
        let rows = self.store.sessions().await?.into_iter();
        Ok(rows.filter(|row| row.token_id == token_id).collect())
    }

    fn find(
        &self,
        cache: &Mutex<SessionCache>,
        hash: &[u8; 32],
        now: Timestamp,
    ) -> Option<Session> {
        let mut cache = cache.lock();
        if cache.get(hash)?.row.expires_at <= now {
            cache.remove(hash);
            return None;
        }
        let found = cache.get_mut(hash)?;
        let row = &mut found.row;
        if now.duration_since(row.last_used_at) >= TOUCH_EVERY {
            row.last_used_at = now;
            row.expires_at = (now + IDLE_MAX).min(row.created_at + AGE_MAX);
            self.store_last_use(row.clone());
        }
        Some(Session {
            id: row.id.clone(),
            person: row.person.clone(),
            credential: row.credential.clone(),
            hash: *hash,
            ended: found.ended.subscribe(),
        })
    }

    /// Stores the last use in the background. If that fails, the session only ends earlier.
    fn store_last_use(&self, row: SessionRow) {
        let store = Arc::clone(&self.store);
        tokio::spawn(async move {
            let noted = store.touch_session(&row.id, row.last_used_at, row.expires_at);
            if let Err(error) = noted.await {
                tracing::warn!(%error, "cannot store the last use of a session");
            }
        });
    }

    /// Removes expired sessions, and the least recently used ones if there are too many.
    async fn evict_excess(self: &Arc<Self>) -> Result<(), StoreError> {
        let sessions = Arc::clone(self);
        run_to_completion(async move {
            let now = sessions.clock.now();
            sessions.store.remove_expired_sessions(now).await?;
            for row in sessions.list().await?.iter().skip(SESSIONS_MAX - 1) {
                sessions.remove(&row.id).await?;
            }
            Ok(())
        })
        .await
    }

    /// Keyed with the token, so that a new token invalidates all sessions.
    fn hash(&self, secret: &str) -> [u8; 32] {
        let message = format!("askback session\0{secret}");
        self.token.sign(message.as_bytes())
    }
}

/// Completes a change even if the request is dropped, so that store and cache cannot differ.
async fn run_to_completion<T: Send + 'static>(
    change: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    match tokio::spawn(change).await {
        Ok(changed) => changed,
        Err(error) => Err(StoreError::Unavailable(error.to_string())),
    }
}

fn last_used_first(mut rows: Vec<SessionRow>) -> Vec<SessionRow> {
    rows.sort_by(|one, other| {
        let used = other.last_used_at.cmp(&one.last_used_at);
        used.then_with(|| one.id.cmp(&other.id))
    });
    rows
}

fn user_agent(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::USER_AGENT)?;
    let text = String::from_utf8_lossy(value.as_bytes());
    let clean = Text::clean(&text, Lines::One)?;
    Some(clean.clip(USER_AGENT_CHARS_MAX).to_string())
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;

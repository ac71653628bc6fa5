//! Sessions of browsers. Each browser has a random secret in a cookie; the server stores a hash of it.
//!
//! With a store that several nodes share, each request compares the copy in memory with the store. A session ends explicitly,
//! after a time without use, or at a maximum age. Its open requests end with it.

mod cookie;

use std::sync::Arc;

use askback_core::text::{Lines, Text};
use askback_engine::Clock;
use askback_store::{CredentialRow, SessionRow, Store, StoreError, StoreFuture};
use axum::http::{HeaderMap, header};
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use crate::access_rows::{AccessRow, AccessRows, Granted};
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
/// For one person, or for all who have no name. One more session ends the least recently used one of theirs.
const SESSIONS_MAX: usize = 100;
/// Cookies to check per request.
const COOKIES_MAX: usize = 64;
const USER_AGENT_CHARS_MAX: usize = 200;

/// The sessions of a server.
pub(crate) struct Sessions {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    token: Token,
    rows: AccessRows<SessionRow>,
}

/// The session of a request.
pub(crate) type Session = Granted<SessionRow>;

/// Whom a session is for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SessionOwner {
    /// The credential that signs in. The session ends with it.
    pub(crate) credential: Option<CredentialRow>,
    /// The alias of the person. Without one, the session may do everything.
    pub(crate) person: Option<String>,
}

impl AccessRow for SessionRow {
    fn read_all(store: &dyn Store) -> StoreFuture<'_, Vec<SessionRow>> {
        store.sessions()
    }

    fn secret_hash(&self) -> [u8; 32] {
        self.secret_hash
    }

    fn expires_at(&self) -> Option<Timestamp> {
        Some(self.expires_at)
    }

    fn note_use(&mut self, now: Timestamp) -> bool {
        let is_new = now.duration_since(self.last_used_at) >= TOUCH_EVERY;
        if is_new {
            self.last_used_at = now;
            self.expires_at = (now + IDLE_MAX).min(self.created_at + AGE_MAX);
        }
        is_new
    }

    fn store_use<'a>(&'a self, store: &'a dyn Store) -> StoreFuture<'a, bool> {
        store.touch_session(&self.id, self.last_used_at, self.expires_at)
    }
}

impl Sessions {
    /// Only sessions of this token are valid.
    pub(crate) fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>, token: Token) -> Sessions {
        Sessions {
            rows: AccessRows::new(Arc::clone(&store), Arc::clone(&clock)),
            store,
            clock,
            token,
        }
    }

    /// Starts a session, and returns the value of its cookie. Removes expired sessions, and the least recently used one of
    /// this person if there are too many.
    pub(crate) async fn sign_in(
        &self,
        headers: &HeaderMap,
        owner: SessionOwner,
    ) -> Result<String, SecretError> {
        let secret = random_hex::<32>()?;
        let now = self.clock.now();
        // Another node, whose clock is ahead, may just have made the credential.
        let created_at = owner
            .credential
            .as_ref()
            .map_or(now, |it| it.created_at.max(now));
        let row = SessionRow {
            id: format!("ses_{}", random_hex::<8>()?),
            secret_hash: self.hash(&secret),
            token_id: self.token.id(),
            user_agent: user_agent(headers),
            credential: owner.credential.as_ref().map(|it| it.name.clone()),
            person: owner.person,
            created_at,
            last_used_at: now,
            expires_at: now + IDLE_MAX,
        };
        self.rows.refresh().await?;
        let (store, rows) = (Arc::clone(&self.store), self.rows.clone());
        let signing_in = self.rows.change(async move {
            store.remove_expired_sessions(now).await?;
            let mut others = last_used_first(&rows, row.token_id);
            others.retain(|other| other.person == row.person);
            for other in others.iter().skip(SESSIONS_MAX - 1) {
                store.end_session(&other.id).await?;
            }
            let id = row.id.clone();
            store.add_session(row).await?;
            // The credential may have been revoked before its session was there to be ended with it.
            let credentials = store.credentials().await?;
            let is_there = |signs_in: &CredentialRow| {
                let mut hashes = credentials.iter().map(|it| it.secret_hash);
                hashes.any(|hash| hash == signs_in.secret_hash)
            };
            if owner.credential.as_ref().is_none_or(is_there) {
                return Ok(true);
            }
            store.end_session(&id).await?;
            Ok(false)
        });
        if signing_in.await? {
            Ok(secret)
        } else {
            Err(SecretError::AccessEnded)
        }
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
        self.rows.refresh_since(Instant::now()).await?;
        let mut secrets = ours.into_iter().map(|(_, secret)| secret);
        Ok(secrets.find_map(|secret| self.rows.find(&self.hash(secret))))
    }

    /// Ends the sessions that this browser has with this server on other ports, and returns their cookie names.
    /// Without this, a server that uses another port after each start would leave a cookie behind each time, and
    /// browsers send them all to every port.
    pub(crate) async fn end_for_other_ports(
        &self,
        headers: &HeaderMap,
    ) -> Result<Vec<String>, StoreError> {
        let present = cookie_name(headers);
        let others = cookies(headers)
            .filter(|(name, _)| is_session_cookie(name) && *name != present)
            .take(COOKIES_MAX);
        let mut names = Vec::new();
        for (name, secret) in others {
            self.rows.refresh().await?;
            let hash = self.hash(secret);
            if let Some(session) = self.rows.find_by(|row| row.secret_hash == hash) {
                self.end(&session.row.id).await?;
                names.push(name.to_owned());
            }
        }
        Ok(names)
    }

    /// Sessions that have not ended, last used first.
    pub(crate) async fn list(&self) -> Result<Vec<SessionRow>, StoreError> {
        self.rows.refresh_since(Instant::now()).await?;
        Ok(last_used_first(&self.rows, self.token.id()))
    }

    /// Ends a session and its open requests. Returns false if it does not exist.
    pub(crate) async fn end(&self, id: &str) -> Result<bool, StoreError> {
        let (store, id) = (Arc::clone(&self.store), id.to_owned());
        let ending = async move { store.end_session(&id).await };
        self.rows.change(ending).await
    }

    /// Ends all sessions, including those of earlier tokens.
    pub(crate) async fn end_all(&self) -> Result<(), StoreError> {
        let store = Arc::clone(&self.store);
        let ending = async move { store.end_all_sessions().await.map(drop) };
        self.rows.change(ending).await
    }

    /// Ends the sessions of a person.
    pub(crate) async fn end_of_person(&self, alias: &str) -> Result<(), StoreError> {
        let all = self.list().await?;
        for session in all.iter().filter(|it| it.person.as_deref() == Some(alias)) {
            self.end(&session.id).await?;
        }
        Ok(())
    }

    /// Forgets the sessions that the store has ended with their credential.
    pub(crate) async fn forget_ended(&self) -> Result<(), StoreError> {
        self.rows.change(std::future::ready(Ok(()))).await
    }

    /// Waits until a session ends or expires.
    pub(crate) async fn wait_for_end(&self, session: Session) {
        self.rows.wait_for_end(session).await;
    }

    /// Notices what was ended on other nodes.
    pub(crate) async fn refresh(&self) -> Result<(), StoreError> {
        self.rows.refresh().await
    }

    /// Keyed with the token, so that a new token invalidates all sessions.
    fn hash(&self, secret: &str) -> [u8; 32] {
        let message = format!("askback session\0{secret}");
        self.token.sign(message.as_bytes())
    }
}

/// The valid sessions of a token.
fn last_used_first(rows: &AccessRows<SessionRow>, token_id: [u8; 16]) -> Vec<SessionRow> {
    let mut rows = rows.valid();
    rows.retain(|row| row.token_id == token_id);
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

//! Browser sessions: who is signed in, and until when. Only hashes of secrets are stored.

use jiff::Timestamp;

use crate::store::StoreFuture;

/// One browser that is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Shown to people; not a secret.
    pub id: String,
    /// The hash of the secret in the browser's cookie.
    pub secret_hash: [u8; 32],
    /// The token that signed it in. A server with another token ignores the session.
    pub token_id: [u8; 16],
    /// The `User-Agent` header, cleaned and shortened.
    pub user_agent: Option<String>,
    /// The credential that signed it in. It ends with that.
    pub credential: Option<String>,
    /// The alias of the person who uses it. Without one, it may do everything.
    pub person: Option<String>,
    /// When it was signed in.
    pub created_at: Timestamp,
    /// When it was last used. Not exact: uses in quick succession are written once.
    pub last_used_at: Timestamp,
    /// When it ends unless it is used before then.
    pub expires_at: Timestamp,
}

/// The sessions in a store. Each change is on disk when the call returns.
pub trait SessionStore: Send + Sync + 'static {
    /// Adds a session. Fails with [`Conflict`](crate::StoreError::Conflict) if the id or the hash
    /// exists.
    fn add_session(&self, session: SessionRow) -> StoreFuture<'_, ()>;

    /// All sessions, including expired ones, most recently used first.
    fn sessions(&self) -> StoreFuture<'_, Vec<SessionRow>>;

    /// Records that a session was used. False if it has ended: this never restores it.
    fn touch_session(
        &self,
        id: &str,
        last_used_at: Timestamp,
        expires_at: Timestamp,
    ) -> StoreFuture<'_, bool>;

    /// Ends a session. False if there was none.
    fn end_session(&self, id: &str) -> StoreFuture<'_, bool>;

    /// Ends all sessions. Returns how many there were.
    fn end_all_sessions(&self) -> StoreFuture<'_, usize>;

    /// Removes sessions that expired at `now` or before. Returns how many.
    fn remove_expired_sessions(&self, now: Timestamp) -> StoreFuture<'_, usize>;
}

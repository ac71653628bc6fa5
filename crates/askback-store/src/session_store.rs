//! Browser sessions: who is signed in, and until when. Only hashes of secrets are kept.

use jiff::Timestamp;

use crate::store::StoreFuture;

/// One browser that is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRow {
    /// Names it to people; no secret.
    pub id: String,
    /// What the secret in the browser's cookie hashes to.
    pub secret_hash: [u8; 32],
    /// Which token it was given for; another token does not know it.
    pub token_id: [u8; 16],
    /// What the browser said it is, cleaned and shortened.
    pub user_agent: Option<String>,
    /// When it was signed in.
    pub created_at: Timestamp,
    /// When it was last used, give or take the pause between two writes.
    pub last_used_at: Timestamp,
    /// When it ends unless it is used before.
    pub expires_at: Timestamp,
}

/// What a store does with sessions. Each call is on disk when it returns.
pub trait SessionStore: Send + Sync + 'static {
    /// Adds a session. An id or a hash that is there already is a
    /// [`Conflict`](crate::StoreError::Conflict).
    fn add_session(&self, session: SessionRow) -> StoreFuture<'_, ()>;

    /// All sessions, the last used first, expired ones included.
    fn sessions(&self) -> StoreFuture<'_, Vec<SessionRow>>;

    /// Notes that a session was used. False if it has ended: a late note never brings it back.
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

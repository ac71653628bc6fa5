//! Browser sessions. The engine does not use them, so their calls never fail here.

use askback_store::{SessionRow, SessionStore, StoreError, StoreFuture};
use jiff::Timestamp;

use super::MemoryStore;

impl SessionStore for MemoryStore {
    fn add_session(&self, session: SessionRow) -> StoreFuture<'_, ()> {
        let sessions = &mut self.database.tables().sessions;
        let is_known =
            |it: &SessionRow| it.id == session.id || it.secret_hash == session.secret_hash;
        let result = if sessions.iter().any(is_known) {
            Err(StoreError::Conflict)
        } else {
            sessions.push(session);
            Ok(())
        };
        Box::pin(std::future::ready(result))
    }

    fn sessions(&self) -> StoreFuture<'_, Vec<SessionRow>> {
        let mut sessions = self.database.tables().sessions.clone();
        sessions.sort_by_key(|session| std::cmp::Reverse(session.last_used_at));
        Box::pin(std::future::ready(Ok(sessions)))
    }

    fn touch_session(
        &self,
        id: &str,
        last_used_at: Timestamp,
        expires_at: Timestamp,
    ) -> StoreFuture<'_, bool> {
        let sessions = &mut self.database.tables().sessions;
        let session = sessions.iter_mut().find(|session| session.id == id);
        let is_known = session.is_some();
        if let Some(session) = session {
            session.last_used_at = last_used_at;
            session.expires_at = expires_at;
        }
        Box::pin(std::future::ready(Ok(is_known)))
    }

    fn end_session(&self, id: &str) -> StoreFuture<'_, bool> {
        let ended = self.retain_sessions(|session| session.id != id);
        Box::pin(std::future::ready(Ok(ended > 0)))
    }

    fn end_all_sessions(&self) -> StoreFuture<'_, usize> {
        let ended = self.retain_sessions(|_| false);
        Box::pin(std::future::ready(Ok(ended)))
    }

    fn remove_expired_sessions(&self, now: Timestamp) -> StoreFuture<'_, usize> {
        let ended = self.retain_sessions(|session| session.expires_at > now);
        Box::pin(std::future::ready(Ok(ended)))
    }
}

impl MemoryStore {
    fn retain_sessions(&self, is_kept: impl Fn(&SessionRow) -> bool) -> usize {
        let sessions = &mut self.database.tables().sessions;
        let before = sessions.len();
        sessions.retain(is_kept);
        before - sessions.len()
    }
}

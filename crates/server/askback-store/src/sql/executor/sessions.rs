//! Browser sessions.

use jiff::Timestamp;

use super::{SqlExecutor, SqlRow, read_all, values};
use crate::session_store::{SessionRow, SessionStore};
use crate::store::{StoreError, StoreFuture};

const ADD: &str = "INSERT INTO askback.sessions
         (id, secret_hash, token_id, user_agent, credential, person, created_at, last_used_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";

const LIST: &str = "SELECT id, secret_hash, token_id, user_agent, credential, person, created_at,
            last_used_at, expires_at
     FROM askback.sessions ORDER BY last_used_at DESC, id";

const TOUCH: &str = "UPDATE askback.sessions SET last_used_at = $2, expires_at = $3 WHERE id = $1";

impl<S: SqlExecutor> SessionStore for S {
    fn add_session(&self, session: SessionRow) -> StoreFuture<'_, ()> {
        let values = values![
            session.id,
            session.secret_hash,
            session.token_id,
            session.user_agent,
            session.credential,
            session.person,
            session.created_at,
            session.last_used_at,
            session.expires_at,
        ];
        Box::pin(async move { self.change(ADD, values).await.map(drop) })
    }

    fn sessions(&self) -> StoreFuture<'_, Vec<SessionRow>> {
        Box::pin(async { read_all(self.select(LIST, Vec::new()).await?, read) })
    }

    fn touch_session(
        &self,
        id: &str,
        last_used_at: Timestamp,
        expires_at: Timestamp,
    ) -> StoreFuture<'_, bool> {
        let values = values![id, last_used_at, expires_at];
        Box::pin(async move { Ok(self.change(TOUCH, values).await? > 0) })
    }

    fn end_session(&self, id: &str) -> StoreFuture<'_, bool> {
        let sql = "DELETE FROM askback.sessions WHERE id = $1";
        let values = values![id];
        Box::pin(async move { Ok(self.change(sql, values).await? > 0) })
    }

    fn end_all_sessions(&self) -> StoreFuture<'_, usize> {
        self.change("DELETE FROM askback.sessions", Vec::new())
    }

    fn remove_expired_sessions(&self, now: Timestamp) -> StoreFuture<'_, usize> {
        let sql = "DELETE FROM askback.sessions WHERE expires_at <= $1";
        self.change(sql, values![now])
    }
}

fn read(row: &mut SqlRow) -> Result<SessionRow, StoreError> {
    Ok(SessionRow {
        id: row.get()?,
        secret_hash: row.get()?,
        token_id: row.get()?,
        user_agent: row.get()?,
        credential: row.get()?,
        person: row.get()?,
        created_at: row.get()?,
        last_used_at: row.get()?,
        expires_at: row.get()?,
    })
}

//! Browser sessions.

use jiff::Timestamp;
use rusqlite::Connection;

use crate::session_store::{SessionRow, SessionStore};
use crate::sqlite::SqliteStore;
use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::SqlTimestamp;
use crate::store::{StoreError, StoreFuture};

impl SessionStore for SqliteStore {
    fn add_session(&self, session: SessionRow) -> StoreFuture<'_, ()> {
        self.write(move |transaction| add(transaction, &session))
    }

    fn sessions(&self) -> StoreFuture<'_, Vec<SessionRow>> {
        self.read(list)
    }

    fn touch_session(
        &self,
        id: &str,
        last_used_at: Timestamp,
        expires_at: Timestamp,
    ) -> StoreFuture<'_, bool> {
        let id = id.to_owned();
        self.write(move |transaction| {
            let mut statement = transaction.prepare_cached(
                "UPDATE sessions SET last_used_at = ?2, expires_at = ?3 WHERE id = ?1",
            )?;
            let touched =
                statement.execute((&id, SqlTimestamp(last_used_at), SqlTimestamp(expires_at)))?;
            Ok(Written::from(touched > 0))
        })
    }

    fn end_session(&self, id: &str) -> StoreFuture<'_, bool> {
        let id = id.to_owned();
        self.write(move |transaction| {
            let mut statement = transaction.prepare_cached("DELETE FROM sessions WHERE id = ?1")?;
            Ok(Written::from(statement.execute([&id])? > 0))
        })
    }

    fn end_all_sessions(&self) -> StoreFuture<'_, usize> {
        self.write(|transaction| {
            let mut statement = transaction.prepare_cached("DELETE FROM sessions")?;
            Ok(Written::from(statement.execute([])?))
        })
    }

    fn remove_expired_sessions(&self, now: Timestamp) -> StoreFuture<'_, usize> {
        self.write(move |transaction| {
            let mut statement =
                transaction.prepare_cached("DELETE FROM sessions WHERE expires_at <= ?1")?;
            Ok(Written::from(statement.execute([SqlTimestamp(now)])?))
        })
    }
}

fn add(transaction: &Connection, session: &SessionRow) -> Result<Written<()>, StoreError> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO sessions
            (id, secret_hash, token_id, user_agent, credential, person, created_at, last_used_at,
             expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    statement.execute((
        &session.id,
        session.secret_hash,
        session.token_id,
        &session.user_agent,
        &session.credential,
        &session.person,
        SqlTimestamp(session.created_at),
        SqlTimestamp(session.last_used_at),
        SqlTimestamp(session.expires_at),
    ))?;
    Ok(Written::from(()))
}

fn list(connection: &Connection) -> Result<Vec<SessionRow>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT id, secret_hash, token_id, user_agent, credential, person, created_at, last_used_at,
                expires_at
         FROM sessions ORDER BY last_used_at DESC, id",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(SessionRow {
            id: row.get(0)?,
            secret_hash: row.get(1)?,
            token_id: row.get(2)?,
            user_agent: row.get(3)?,
            credential: row.get(4)?,
            person: row.get(5)?,
            created_at: row.get::<_, SqlTimestamp>(6)?.0,
            last_used_at: row.get::<_, SqlTimestamp>(7)?.0,
            expires_at: row.get::<_, SqlTimestamp>(8)?.0,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

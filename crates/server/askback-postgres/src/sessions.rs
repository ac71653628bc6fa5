//! Browser sessions.

use jiff::Timestamp;
use tokio_postgres::Row;

use crate::PostgresStore;
use crate::connection::Sql;
use crate::sql_values::{BYTEA, Columns, INT8, TEXT, Text};
use askback_store::backend::stored_numbers::stored_micros;
use askback_store::session_store::{SessionRow, SessionStore};
use askback_store::store::{StoreError, StoreFuture};

const ADD: Sql = Sql {
    text: "INSERT INTO askback.sessions
               (id, secret_hash, token_id, user_agent, credential, person, created_at,
                last_used_at, expires_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    types: &[TEXT, BYTEA, BYTEA, TEXT, TEXT, TEXT, INT8, INT8, INT8],
};

const LIST: Sql = Sql {
    text: "SELECT id, secret_hash, token_id, user_agent, credential, person, created_at,
                  last_used_at, expires_at
           FROM askback.sessions ORDER BY last_used_at DESC, id",
    types: &[],
};

const TOUCH: Sql = Sql {
    text: "UPDATE askback.sessions SET last_used_at = $2, expires_at = $3 WHERE id = $1",
    types: &[TEXT, INT8, INT8],
};

const END: Sql = Sql {
    text: "DELETE FROM askback.sessions WHERE id = $1",
    types: &[TEXT],
};

const END_ALL: Sql = Sql {
    text: "DELETE FROM askback.sessions",
    types: &[],
};

const REMOVE_EXPIRED: Sql = Sql {
    text: "DELETE FROM askback.sessions WHERE expires_at <= $1",
    types: &[INT8],
};

impl SessionStore for PostgresStore {
    fn add_session(&self, session: SessionRow) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let times = [session.created_at, session.last_used_at, session.expires_at];
            let [created_at, last_used_at, expires_at] = times.map(stored_micros);
            let user_agent = session.user_agent.as_deref().map(Text);
            let credential = session.credential.as_deref().map(Text);
            let person = session.person.as_deref().map(Text);
            let (secret_hash, token_id) = (&session.secret_hash[..], &session.token_id[..]);
            self.pool
                .change(
                    &ADD,
                    &[
                        &Text(&session.id),
                        &secret_hash,
                        &token_id,
                        &user_agent,
                        &credential,
                        &person,
                        &created_at,
                        &last_used_at,
                        &expires_at,
                    ],
                )
                .await?;
            Ok(())
        })
    }

    fn sessions(&self) -> StoreFuture<'_, Vec<SessionRow>> {
        Box::pin(async move {
            let rows = self.pool.query(&LIST, &[]).await?;
            rows.iter().map(read_row).collect()
        })
    }

    fn touch_session(
        &self,
        id: &str,
        last_used_at: Timestamp,
        expires_at: Timestamp,
    ) -> StoreFuture<'_, bool> {
        let id = id.to_owned();
        let (used, expires) = (stored_micros(last_used_at), stored_micros(expires_at));
        Box::pin(async move {
            let id = Text(&id);
            Ok(self.pool.change(&TOUCH, &[&id, &used, &expires]).await? > 0)
        })
    }

    fn end_session(&self, id: &str) -> StoreFuture<'_, bool> {
        let id = id.to_owned();
        Box::pin(async move { Ok(self.pool.change(&END, &[&Text(&id)]).await? > 0) })
    }

    fn end_all_sessions(&self) -> StoreFuture<'_, usize> {
        Box::pin(async move { self.pool.change(&END_ALL, &[]).await })
    }

    fn remove_expired_sessions(&self, now: Timestamp) -> StoreFuture<'_, usize> {
        let now = stored_micros(now);
        Box::pin(async move { self.pool.change(&REMOVE_EXPIRED, &[&now]).await })
    }
}

fn read_row(row: &Row) -> Result<SessionRow, StoreError> {
    let mut columns = Columns::of(row);
    let damaged = |_| StoreError::Corrupt("a session cannot be read".to_owned());
    Ok(SessionRow {
        id: columns.get()?,
        secret_hash: columns.get::<&[u8]>()?.try_into().map_err(damaged)?,
        token_id: columns.get::<&[u8]>()?.try_into().map_err(damaged)?,
        user_agent: columns.get()?,
        credential: columns.get()?,
        person: columns.get()?,
        created_at: columns.time()?,
        last_used_at: columns.time()?,
        expires_at: columns.time()?,
    })
}

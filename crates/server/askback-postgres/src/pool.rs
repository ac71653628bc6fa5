//! A pool of connections for reads and for writes that need no group commit.

use parking_lot::Mutex;
use std::num::NonZero;
use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_postgres::Row;

use crate::connection::{Connection, Connector, Parameters};
use crate::error::{DatabaseError, ends_connection, is_transient};
use crate::shared::Shared;
use askback_store::store::StoreError;

/// How often a transaction is tried that lost against another one.
const ATTEMPTS: usize = 5;

/// The server ends a transaction whose client is gone, because all writers wait for it.
///
/// Statements are planned once: planning takes longer than executing them, and PostgreSQL would do it each time, because
/// it expects more rows of parameters that it does not see. A plan that was made while a table was small should not read
/// all of it later, so an index counts as cheap.
pub(super) const BEGIN: &str = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '10s'; \
     SET LOCAL lock_timeout = '30s'; SET LOCAL plan_cache_mode = force_generic_plan; \
     SET LOCAL random_page_cost = 0";

/// Every transaction that writes records, or that must not run beside one, starts with this.
pub(super) const LOCK_COUNTERS: &str = "SELECT sequence, job, conversation, inquiry
     FROM askback.counters FOR UPDATE";

/// Why work on a connection failed.
pub(super) enum WorkError {
    Database(DatabaseError),
    /// Not the fault of the connection.
    Store(StoreError),
}

impl From<DatabaseError> for WorkError {
    fn from(error: DatabaseError) -> WorkError {
        WorkError::Database(error)
    }
}

impl From<StoreError> for WorkError {
    fn from(error: StoreError) -> WorkError {
        WorkError::Store(error)
    }
}

pub(super) struct Pool {
    connector: Connector,
    shared: Arc<Shared>,
    idle: Mutex<Vec<Connection>>,
    /// One for each connection that may be open.
    permits: Semaphore,
}

impl Pool {
    pub(super) fn new(connector: Connector, shared: Arc<Shared>, size: NonZero<usize>) -> Pool {
        Pool {
            permits: Semaphore::new(size.get()),
            connector,
            shared,
            idle: Mutex::default(),
        }
    }

    /// Reads with one statement. A connection that has ended since its last use is replaced.
    pub(super) async fn query(
        &self,
        sql: &'static str,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        loop {
            let connection = self.read_connection().await?;
            match connection.query(sql, parameters).await {
                Ok(rows) => {
                    connection.give_back();
                    return Ok(rows);
                }
                Err(error) if connection.has_ended(&error) => self.close(),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// A connection for several reads.
    pub(super) async fn read_connection(&self) -> Result<Checkout<'_>, StoreError> {
        if self.shared.unresolved().is_some() {
            let why = "the result of an earlier commit is not known yet".to_owned();
            return Err(StoreError::Unavailable(why));
        }
        self.checkout().await
    }

    /// Writes with one statement, and returns the number of rows that it changed.
    pub(super) async fn change(
        &self,
        sql: &'static str,
        parameters: Parameters<'_>,
    ) -> Result<usize, StoreError> {
        let mut attempt = 1;
        loop {
            let connection = self.checkout().await?;
            match connection.execute(sql, parameters).await {
                Ok(changed) => {
                    connection.give_back();
                    return Ok(usize::try_from(changed).unwrap_or(usize::MAX));
                }
                Err(error) => give_up_or_retry(error, &mut attempt)?,
            }
        }
    }

    /// Writes with one statement, and returns its rows.
    pub(super) async fn change_returning(
        &self,
        sql: &'static str,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let mut attempt = 1;
        loop {
            let connection = self.checkout().await?;
            match connection.query(sql, parameters).await {
                Ok(rows) => {
                    connection.give_back();
                    return Ok(rows);
                }
                Err(error) => give_up_or_retry(error, &mut attempt)?,
            }
        }
    }

    /// Begins a transaction that no commit of any node runs beside. Unless it is committed, it is
    /// rolled back.
    pub(super) async fn begin_alone(&self) -> Result<Checkout<'_>, StoreError> {
        let connection = self.checkout().await?;
        connection.batch(BEGIN).await?;
        connection.query(LOCK_COUNTERS, &[]).await?;
        Ok(connection)
    }

    async fn checkout(&self) -> Result<Checkout<'_>, StoreError> {
        let closing = |_| StoreError::Unavailable("the server is shutting down".to_owned());
        let permit = self.permits.acquire().await.map_err(closing)?;
        let (connection, is_reused) = match self.take() {
            Some(connection) => (connection, true),
            None => (self.connector.connect().await?, false),
        };
        Ok(Checkout {
            pool: self,
            connection,
            is_reused,
            _permit: permit,
        })
    }

    pub(super) fn close(&self) {
        self.idle.lock().clear();
    }

    fn take(&self) -> Option<Connection> {
        let mut idle = self.idle.lock();
        while let Some(connection) = idle.pop() {
            if !connection.is_closed() {
                return Some(connection);
            }
        }
        None
    }
}

/// A connection of the pool. Unless it is given back, it is closed: its transaction may be open.
pub(super) struct Checkout<'a> {
    pool: &'a Pool,
    connection: Connection,
    is_reused: bool,
    _permit: SemaphorePermit<'a>,
}

impl Checkout<'_> {
    /// Whether the connection had ended before it was used: another one may work.
    pub(super) fn has_ended(&self, error: &DatabaseError) -> bool {
        self.is_reused && ends_connection(error)
    }

    pub(super) fn give_back(self) {
        self.pool.idle.lock().push(self.connection);
    }

    /// Ends the transaction of [`Pool::begin_alone`].
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        match self.connection.batch("COMMIT").await {
            Ok(()) => {
                self.give_back();
                Ok(())
            }
            Err(error) => Err(unknown(error)),
        }
    }
}

impl Deref for Checkout<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

/// Fails unless a statement that wrote nothing may be tried again.
fn give_up_or_retry(error: DatabaseError, attempt: &mut usize) -> Result<(), StoreError> {
    if is_transient(&error) && *attempt < ATTEMPTS {
        *attempt += 1;
        return Ok(());
    }
    Err(unknown(error))
}

fn unknown(error: DatabaseError) -> StoreError {
    if ends_connection(&error) {
        return StoreError::CommitUnknown(StoreError::from(error).reason());
    }
    error.into()
}

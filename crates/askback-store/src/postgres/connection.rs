//! One connection with its prepared statements. Nothing here depends on the state of a session, so that
//! a pooler in transaction mode may give every transaction another one.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error, Row, Statement};

use crate::postgres::options::{PostgresOptions, Prepare};
use crate::postgres::tls::Tls;
use crate::store::StoreError;

/// A statement with the types of its parameters.
pub(super) struct Sql {
    pub(super) text: &'static str,
    pub(super) types: &'static [Type],
}

pub(super) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Opens connections.
#[derive(Clone)]
pub(super) struct Connector {
    pub(super) options: PostgresOptions,
    pub(super) tls: Tls,
}

impl Connector {
    pub(super) fn new(options: PostgresOptions) -> Result<Connector, StoreError> {
        let tls = Tls::new(options.root_certificate.as_deref())?;
        Ok(Connector { options, tls })
    }

    /// Opens a connection. Its task runs in the current runtime and ends with it.
    pub(super) async fn connect(&self) -> Result<Connection, StoreError> {
        let (client, connection) = self.options.config.connect(self.tls.clone()).await?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(error = %StoreError::from(error), "a connection has ended");
            }
        });
        Ok(Connection {
            client,
            prepare: self.options.prepare,
            statements: Mutex::default(),
        })
    }
}

pub(super) struct Connection {
    client: Client,
    prepare: Prepare,
    statements: Mutex<HashMap<&'static str, Statement>>,
}

impl Connection {
    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Prepares statements that have to be sent without waiting for each other.
    pub(super) async fn prepare(&self, statements: &[&Sql]) -> Result<(), Error> {
        for sql in statements {
            self.prepared(sql).await?;
        }
        Ok(())
    }

    /// Runs a statement. If it is prepared, it is sent when the future is first polled, so that
    /// statements polled in order are executed in order.
    pub(super) async fn query(
        &self,
        sql: &Sql,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, Error> {
        if let Some(statement) = self.prepared(sql).await? {
            return self.client.query(&statement, parameters).await;
        }
        let parameters = typed(sql, parameters);
        self.client.query_typed(sql.text, &parameters).await
    }

    /// Like [`Connection::query`], for the number of changed rows.
    pub(super) async fn execute(
        &self,
        sql: &Sql,
        parameters: Parameters<'_>,
    ) -> Result<u64, Error> {
        if let Some(statement) = self.prepared(sql).await? {
            return self.client.execute(&statement, parameters).await;
        }
        let parameters = typed(sql, parameters);
        self.client.execute_typed(sql.text, &parameters).await
    }

    /// Runs a statement that is not kept.
    pub(super) async fn query_once(
        &self,
        text: &str,
        parameters: &[(&(dyn ToSql + Sync), Type)],
    ) -> Result<Vec<Row>, Error> {
        self.client.query_typed(text, parameters).await
    }

    /// Runs statements without parameters, such as `BEGIN`.
    pub(super) async fn batch(&self, text: &str) -> Result<(), Error> {
        self.client.batch_execute(text).await
    }

    async fn prepared(&self, sql: &Sql) -> Result<Option<Statement>, Error> {
        if self.prepare == Prepare::Never {
            return Ok(None);
        }
        let known = self.lock().get(sql.text).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let statement = self.client.prepare_typed(sql.text, sql.types).await?;
        self.lock().insert(sql.text, statement.clone());
        Ok(Some(statement))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<&'static str, Statement>> {
        self.statements
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn typed<'a>(sql: &Sql, parameters: Parameters<'a>) -> Vec<(&'a (dyn ToSql + Sync), Type)> {
    let types = sql.types.iter().cloned();
    parameters.iter().copied().zip(types).collect()
}

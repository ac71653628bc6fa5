//! One connection with its prepared statements. Nothing here depends on the state of a session, so that
//! a pooler in transaction mode may give every transaction another one.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Row, Socket, Statement};

use crate::error::DatabaseError;
use crate::options::{PostgresOptions, Prepare};
use crate::shared::Shared;
use crate::sql_values::Parameter;
use crate::tls::Tls;
use askback_store::store::StoreError;

/// How long a server may take to accept a user.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) type Parameters<'a> = &'a [&'a dyn Parameter];

/// Opens connections.
#[derive(Clone)]
pub(super) struct Connector {
    pub(super) options: PostgresOptions,
    tls: Tls,
    pub(super) shared: Arc<Shared>,
}

/// The end of a connection that receives messages.
pub(super) type Driver =
    tokio_postgres::Connection<Socket, <Tls as MakeTlsConnect<Socket>>::Stream>;

impl Connector {
    pub(super) fn new(
        options: PostgresOptions,
        shared: Arc<Shared>,
    ) -> Result<Connector, StoreError> {
        let tls = Tls::new(options.root_certificate.as_deref())?;
        Ok(Connector {
            options,
            tls,
            shared,
        })
    }

    /// Opens a connection. Its task runs in the current runtime and ends with it.
    pub(super) async fn connect(&self) -> Result<Connection, StoreError> {
        let (client, driver) = self.connect_to(&self.options.config).await?;
        let task = tokio::spawn(async move {
            if let Err(error) = driver.await {
                tracing::debug!(error = %StoreError::from(DatabaseError::from(error)), "a connection has ended");
            }
        });
        self.shared.connections.add(&task);
        Ok(Connection {
            client,
            prepare: self.options.prepare,
            statements: Mutex::default(),
        })
    }

    /// Fails also if the server takes the connection and says nothing.
    pub(super) async fn connect_to(&self, config: &Config) -> Result<(Client, Driver), StoreError> {
        let connecting = config.connect(self.tls.clone());
        match tokio::time::timeout(RESPONSE_TIMEOUT, connecting).await {
            Ok(connected) => Ok(connected.map_err(DatabaseError::from)?),
            Err(_) => Err(StoreError::Unavailable(
                "PostgreSQL does not respond to a new connection".to_owned(),
            )),
        }
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

    /// Prepares statements that have to be sent without waiting for each other. PostgreSQL finds the types of their
    /// parameters.
    pub(super) async fn prepare(&self, statements: &[&'static str]) -> Result<(), DatabaseError> {
        for sql in statements {
            self.prepared(sql, &[]).await?;
        }
        Ok(())
    }

    /// Runs a statement. If it is prepared, it is sent when the future is first polled, so that
    /// statements polled in order are executed in order.
    pub(super) async fn query(
        &self,
        sql: &'static str,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, DatabaseError> {
        if let Some(statement) = self.prepared(sql, parameters).await? {
            let rows = self
                .client
                .query_raw(&statement, values(parameters))
                .await?;
            return Ok(rows.try_collect().await?);
        }
        self.query_once(sql, parameters).await
    }

    /// Like [`Connection::query`], for the number of changed rows.
    pub(super) async fn execute(
        &self,
        sql: &'static str,
        parameters: Parameters<'_>,
    ) -> Result<u64, DatabaseError> {
        if let Some(statement) = self.prepared(sql, parameters).await? {
            let values = values(parameters);
            return Ok(self.client.execute_raw(&statement, values).await?);
        }
        let parameters: Vec<_> = typed(parameters).collect();
        Ok(self.client.execute_typed(sql, &parameters).await?)
    }

    /// Runs a statement that is not kept.
    pub(super) async fn query_once(
        &self,
        text: &str,
        parameters: Parameters<'_>,
    ) -> Result<Vec<Row>, DatabaseError> {
        let rows = self.client.query_typed_raw(text, typed(parameters)).await?;
        Ok(rows.try_collect().await?)
    }

    /// Runs statements without parameters, such as `BEGIN`.
    pub(super) async fn batch(&self, text: &str) -> Result<(), DatabaseError> {
        Ok(self.client.batch_execute(text).await?)
    }

    async fn prepared(
        &self,
        sql: &'static str,
        parameters: Parameters<'_>,
    ) -> Result<Option<Statement>, DatabaseError> {
        if self.prepare == Prepare::Never {
            return Ok(None);
        }
        let known = self.statements.lock().get(sql).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let types: Vec<_> = typed(parameters).map(|(_, ty)| ty).collect();
        let statement = self.client.prepare_typed(sql, &types).await?;
        self.statements.lock().insert(sql, statement.clone());
        Ok(Some(statement))
    }
}

fn values(parameters: Parameters<'_>) -> impl ExactSizeIterator<Item = &(dyn ToSql + Sync)> {
    parameters
        .iter()
        .map(|parameter| *parameter as &(dyn ToSql + Sync))
}

fn typed(parameters: Parameters<'_>) -> impl ExactSizeIterator<Item = (&(dyn ToSql + Sync), Type)> {
    let types = parameters.iter().map(|parameter| parameter.sql_type());
    values(parameters).zip(types)
}

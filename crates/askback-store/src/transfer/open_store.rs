//! A store that is open for a transfer: locked, with the schema of this version, and in a transaction.

use super::{Counters, Table, TransferAddress, Value};
use crate::postgres::PostgresTransfer;
use crate::sqlite::SqliteTransfer;
use crate::store::StoreError;

pub(super) enum OpenStore {
    Sqlite(Box<SqliteTransfer>),
    Postgres(Box<PostgresTransfer>),
}

impl OpenStore {
    pub(super) async fn open(address: TransferAddress) -> Result<OpenStore, StoreError> {
        Ok(match address {
            TransferAddress::Sqlite(path) => {
                OpenStore::Sqlite(Box::new(SqliteTransfer::open(&path)?))
            }
            TransferAddress::Postgres(options) => {
                OpenStore::Postgres(Box::new(PostgresTransfer::open(*options).await?))
            }
        })
    }

    /// The next rows are the first ones of a table.
    pub(super) fn rewind(&mut self) {
        match self {
            OpenStore::Sqlite(store) => store.rewind(),
            OpenStore::Postgres(store) => store.rewind(),
        }
    }

    /// Some rows in the order of their key; none after the last.
    pub(super) async fn next_rows(
        &mut self,
        table: &'static Table,
    ) -> Result<Vec<Vec<Value>>, StoreError> {
        match self {
            OpenStore::Sqlite(store) => store.next_rows(table),
            OpenStore::Postgres(store) => store.next_rows(table).await,
        }
    }

    pub(super) async fn insert(
        &mut self,
        table: &'static Table,
        rows: Vec<Vec<Value>>,
    ) -> Result<(), StoreError> {
        match self {
            OpenStore::Sqlite(store) => store.insert(table, &rows),
            OpenStore::Postgres(store) => store.insert(table, rows).await,
        }
    }

    pub(super) async fn counters(&self) -> Result<Counters, StoreError> {
        match self {
            OpenStore::Sqlite(store) => store.counters(),
            OpenStore::Postgres(store) => store.counters().await,
        }
    }

    pub(super) async fn set_counters(&self, counters: Counters) -> Result<(), StoreError> {
        match self {
            OpenStore::Sqlite(store) => store.set_counters(counters),
            OpenStore::Postgres(store) => store.set_counters(counters).await,
        }
    }

    /// Without it, nothing was written.
    pub(super) async fn commit(self) -> Result<(), StoreError> {
        match self {
            OpenStore::Sqlite(store) => store.commit(),
            OpenStore::Postgres(store) => store.commit().await,
        }
    }
}

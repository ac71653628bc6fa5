//! Moves everything from one store to another: from SQLite to PostgreSQL, and back.
//!
//! [`tables`] lists every table and column once. Each store reads and writes rows of plain values by that list,
//! so that nothing but the list has to change with a schema; a test compares it with both schemas.

mod digest;
mod open_store;
mod tables;

use std::path::PathBuf;

use crate::postgres::PostgresOptions;
use crate::store::StoreError;

use digest::TableDigest;
use open_store::OpenStore;

pub(crate) use tables::{ColumnKind, TABLES, Table};
#[cfg(test)]
pub(crate) use tables::{NOT_MOVED, ONLY_POSTGRES};

/// A store that is moved, or moved to.
pub enum TransferAddress {
    /// A database file.
    Sqlite(PathBuf),
    /// A database of PostgreSQL.
    Postgres(Box<PostgresOptions>),
}

/// What was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransferReport {
    /// The tables with their numbers of rows.
    pub rows: Vec<(&'static str, u64)>,
    /// The highest sequence number ever used. The next one is higher, on the new store too.
    pub newest_sequence: u64,
}

/// A column of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Number(i64),
    /// Names and ids are written out.
    Text(String),
    Bytes(Vec<u8>),
}

/// The numbers that were given out last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counters {
    pub(crate) sequence: i64,
    pub(crate) job: i64,
    pub(crate) conversation: i64,
    pub(crate) inquiry: i64,
    pub(crate) delivery: i64,
}

/// Copies everything to an empty store in one transaction, reads it back, and compares it. Fails if a process
/// uses either store, or if the target is not empty. Needs memory for some rows only.
pub async fn transfer(
    from: TransferAddress,
    to: TransferAddress,
) -> Result<TransferReport, StoreError> {
    let mut source = OpenStore::open(from).await?;
    let mut target = OpenStore::open(to).await?;
    refuse_used(&mut target).await?;
    let mut rows = Vec::new();
    for table in TABLES {
        let moved = copy(table, &mut source, &mut target).await?;
        let read = TableDigest::of(table, &mut target).await?;
        if read != moved {
            return Err(StoreError::Corrupt(format!(
                "the table {} was not read back as it was written ({} rows, {} read back); nothing was moved",
                table.name,
                moved.rows(),
                read.rows()
            )));
        }
        rows.push((table.name, moved.rows()));
    }
    let counters = source.counters().await?;
    target.set_counters(counters).await?;
    target.commit().await?;
    Ok(TransferReport {
        rows,
        newest_sequence: counters.sequence.unsigned_abs(),
    })
}

async fn copy(
    table: &'static Table,
    source: &mut OpenStore,
    target: &mut OpenStore,
) -> Result<TableDigest, StoreError> {
    let mut moved = TableDigest::default();
    source.rewind();
    loop {
        let rows = source.next_rows(table).await?;
        if rows.is_empty() {
            return Ok(moved);
        }
        for row in &rows {
            moved.add(row);
        }
        target.insert(table, rows).await?;
    }
}

/// Sequence numbers are never used again, so a store that has given some out cannot take those of another.
async fn refuse_used(target: &mut OpenStore) -> Result<(), StoreError> {
    let is_used = target.counters().await?.sequence > 0;
    let mut filled = None;
    for table in TABLES {
        target.rewind();
        if !target.next_rows(table).await?.is_empty() {
            filled = Some(table.name);
            break;
        }
    }
    if filled.is_none() && !is_used {
        return Ok(());
    }
    let what = filled.map_or_else(
        || "it was used before".to_owned(),
        |table| format!("there are {table}"),
    );
    Err(StoreError::Unavailable(format!(
        "the target is not empty: {what}. Move to a new database or a new data directory"
    )))
}

#[cfg(test)]
#[path = "transfer_tests.rs"]
mod tests;

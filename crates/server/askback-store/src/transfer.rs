//! Moves everything from one store to another: from SQLite to PostgreSQL, and back.
//!
//! [`tables`] lists every table and column once. Each store reads and writes rows of plain values by that list,
//! so that nothing but the list has to change with a schema; a test compares it with both schemas.

mod digest;
mod tables;

use crate::store::{StoreError, StoreFuture};

use digest::TableDigest;

pub use tables::{Column, ColumnKind, TABLES, Table};

/// A store that is open for a transfer: locked, with the schema of this version, and in a transaction.
pub trait TransferStore: Send {
    /// The next rows are the first ones of a table.
    fn rewind(&mut self);

    /// Some rows in the order of their key; none after the last.
    fn next_rows(&mut self, table: &'static Table) -> StoreFuture<'_, Vec<Vec<Value>>>;

    /// Adds rows.
    fn insert(&mut self, table: &'static Table, rows: Vec<Vec<Value>>) -> StoreFuture<'_, ()>;

    /// The numbers that were given out last.
    fn counters(&mut self) -> StoreFuture<'_, Counters>;

    /// Continues after these numbers.
    fn set_counters(&mut self, counters: Counters) -> StoreFuture<'_, ()>;

    /// Without it, nothing was written.
    fn commit(&mut self) -> StoreFuture<'_, ()>;
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
pub enum Value {
    /// No value.
    Null,
    /// Also times.
    Number(i64),
    /// Names and ids are written out.
    Text(String),
    /// Hashes.
    Bytes(Vec<u8>),
}

/// The numbers that were given out last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    /// Of the feed.
    pub sequence: i64,
    /// Of jobs.
    pub job: i64,
    /// Of conversations, as rows.
    pub conversation: i64,
    /// Of inquiries, as rows.
    pub inquiry: i64,
    /// Of deliveries.
    pub delivery: i64,
}

/// Copies everything to an empty store in one transaction, reads it back, and compares it. Fails if the target is not
/// empty. Needs memory for some rows only.
pub async fn transfer(
    source: &mut dyn TransferStore,
    target: &mut dyn TransferStore,
) -> Result<TransferReport, StoreError> {
    refuse_used(target).await?;
    let mut rows = Vec::new();
    for table in TABLES {
        let moved = copy(table, source, target).await?;
        let read = TableDigest::of(table, target).await?;
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
    source: &mut dyn TransferStore,
    target: &mut dyn TransferStore,
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
async fn refuse_used(target: &mut dyn TransferStore) -> Result<(), StoreError> {
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

//! A digest of the rows of a table, whatever their order: stores sort some keys differently.

use sha2::{Digest as _, Sha256};

use super::{Table, TransferStore, Value};
use crate::store::StoreError;

/// The sum of the SHA-256 of all rows, and how many there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TableDigest {
    rows: u64,
    sum: [u64; 4],
}

impl TableDigest {
    /// Reads a whole table.
    pub(super) async fn of(
        table: &'static Table,
        store: &mut dyn TransferStore,
    ) -> Result<TableDigest, StoreError> {
        let mut digest = TableDigest::default();
        store.rewind();
        loop {
            let rows = store.next_rows(table).await?;
            if rows.is_empty() {
                return Ok(digest);
            }
            for row in &rows {
                digest.add(row);
            }
        }
    }

    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn add(&mut self, row: &[Value]) {
        let mut hash = Sha256::new();
        for value in row {
            let (kind, bytes): (u8, &[u8]) = match value {
                Value::Null => (0, &[]),
                Value::Number(number) => (1, &number.to_be_bytes()),
                Value::Text(text) => (2, text.as_bytes()),
                Value::Bytes(bytes) => (3, bytes),
            };
            hash.update([kind]);
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        }
        let hash = hash.finalize();
        for (sum, part) in self.sum.iter_mut().zip(hash.chunks_exact(8)) {
            let part = part.try_into().map(u64::from_be_bytes).unwrap_or_default();
            *sum = sum.wrapping_add(part);
        }
        self.rows += 1;
    }
}

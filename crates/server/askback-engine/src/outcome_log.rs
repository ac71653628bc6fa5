//! The records in which inquiries ended or were handed on, and conversations were deleted, for exports.

use askback_store::{PAGE_BYTES_MAX, RecordRow, Sequence, StoreError};

use crate::listener::PAGE_RECORDS_MAX;
use crate::record::Record;
use crate::record_log::RecordLog;

/// Events that an export has, as a record spells them. A text of a user may contain them, too: then its
/// record is read in vain.
const EXPORTED: [&str; 3] = [
    "\"inquiry_resolved\"",
    "\"inquiry_handed_on\"",
    "\"closed\"",
];

/// A part of the log without the records that an export does not need.
#[derive(Debug)]
pub struct OutcomePage {
    /// Oldest first, without states. Damaged records are among them.
    pub records: Vec<Record>,
    /// Where the next page begins; absent after the last record.
    pub next: Option<Sequence>,
}

impl RecordLog {
    /// The records after a position in which an inquiry ended or was handed on, or a conversation was deleted. A page
    /// may be empty although there are more.
    pub async fn outcomes_after(&self, after: Sequence) -> Result<OutcomePage, StoreError> {
        let rows = self.store().records(None, after, PAGE_RECORDS_MAX).await?;
        let mut page = OutcomePage {
            records: Vec::new(),
            next: None,
        };
        let mut bytes = 0;
        for row in &rows {
            if is_exported(row) {
                let mut record = self.restore(row).await?;
                record.count_bytes(row.body.len());
                bytes += record.bytes;
                if bytes > PAGE_BYTES_MAX && !page.records.is_empty() {
                    break;
                }
                if !record.is_damaged || self.still_has(row).await? {
                    page.records.push(record);
                }
            }
            page.next = Some(row.last);
        }
        Ok(page)
    }

    /// Whether a record is still there as it was read. Its conversation may have been deleted meanwhile.
    async fn still_has(&self, row: &RecordRow) -> Result<bool, StoreError> {
        let before = row.last.saturating_sub(1);
        let now = self.store().records(None, before, 1).await?;
        Ok(now.first() == Some(row))
    }
}

/// The text of a damaged row is empty, and what it was is not known.
fn is_exported(row: &RecordRow) -> bool {
    row.body.is_empty() || EXPORTED.iter().any(|name| row.body.contains(name))
}

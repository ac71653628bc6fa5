//! Inquiries that are hidden from the inbox until a time.

use jiff::Timestamp;
use rusqlite::Connection;

use askback_core::id::InquiryId;

use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::{SqlId, SqlTimestamp};
use crate::sqlite::statements::execute;
use crate::store::StoreError;

/// Hides a pending inquiry, or shows it again.
pub(super) fn put(
    transaction: &Connection,
    inquiry: &InquiryId,
    until: Option<Timestamp>,
) -> Result<Written<()>, StoreError> {
    match until {
        Some(until) => {
            let sql = "INSERT OR REPLACE INTO snoozes (inquiry, until)
                 SELECT number, ?2 FROM inquiries WHERE id = ?1 AND status = 0";
            execute(transaction, sql, (SqlId(inquiry), SqlTimestamp(until)))?;
        }
        None => delete(transaction, inquiry)?,
    }
    Ok(Written::from(()))
}

/// Also called when an inquiry gets its outcome.
pub(super) fn delete(transaction: &Connection, inquiry: &InquiryId) -> Result<(), StoreError> {
    let sql = "DELETE FROM snoozes WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1)";
    execute(transaction, sql, [SqlId(inquiry)]).map(drop)
}

//! Inquiries that are hidden from the inbox until a time.

use jiff::Timestamp;
use rusqlite::Connection;

use askback_core::id::InquiryId;

use crate::rows::SnoozeRow;
use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::{SqlDeadline, SqlId, SqlTimestamp};
use crate::store::StoreError;

/// Hides a pending inquiry, or shows it again.
pub(super) fn put(
    transaction: &Connection,
    inquiry: &InquiryId,
    until: Option<Timestamp>,
) -> Result<Written<()>, StoreError> {
    match until {
        Some(until) => {
            let mut statement = transaction.prepare_cached(
                "INSERT OR REPLACE INTO snoozes (inquiry, until)
                 SELECT number, ?2 FROM inquiries WHERE id = ?1 AND status = 0",
            )?;
            statement.execute((SqlId(inquiry), SqlTimestamp(until)))?;
        }
        None => delete(transaction, inquiry)?,
    }
    Ok(Written::from(()))
}

/// Also called when an inquiry gets its outcome.
pub(super) fn delete(transaction: &Connection, inquiry: &InquiryId) -> Result<(), StoreError> {
    let mut statement = transaction.prepare_cached(
        "DELETE FROM snoozes WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1)",
    )?;
    statement.execute([SqlId(inquiry)])?;
    Ok(())
}

pub(super) fn list(connection: &Connection, now: Timestamp) -> Result<Vec<SnoozeRow>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT i.id, s.until, i.asked_at, i.expires_at
         FROM snoozes s JOIN inquiries i ON i.number = s.inquiry
         WHERE s.until > ?1 ORDER BY s.until, s.inquiry",
    )?;
    let rows = statement.query_map([SqlTimestamp(now)], |row| {
        Ok(SnoozeRow {
            inquiry: row.get::<_, SqlId<_>>(0)?.0,
            until: row.get::<_, SqlTimestamp>(1)?.0,
            asked_at: row.get::<_, SqlTimestamp>(2)?.0,
            expires_at: row.get::<_, SqlDeadline>(3)?.0,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

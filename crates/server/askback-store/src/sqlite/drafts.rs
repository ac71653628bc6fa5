//! Drafts of answers.

use rusqlite::Connection;

use askback_core::id::InquiryId;

use crate::rows::DraftRow;
use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::{SqlId, SqlTimestamp};
use crate::sqlite::statements::{execute, query_one};
use crate::store::StoreError;

/// Saves a draft if its inquiry is pending.
pub(super) fn put(transaction: &Connection, draft: &DraftRow) -> Result<Written<()>, StoreError> {
    write(transaction, draft)?;
    Ok(Written::from(()))
}

/// Saves a draft if its inquiry is pending and this one is stored.
pub(super) fn replace(
    transaction: &Connection,
    draft: &DraftRow,
    stored: Option<&DraftRow>,
) -> Result<Written<bool>, StoreError> {
    let found = read(transaction, &draft.inquiry)?;
    let is_same = found.as_ref().map(|it| &it.json) == stored.map(|it| &it.json);
    Ok(Written::from(is_same && write(transaction, draft)?))
}

fn write(transaction: &Connection, draft: &DraftRow) -> Result<bool, StoreError> {
    let sql = "INSERT OR REPLACE INTO drafts (inquiry, at, json)
         SELECT number, ?2, ?3 FROM inquiries WHERE id = ?1 AND status = 0";
    let draft = (SqlId(&draft.inquiry), SqlTimestamp(draft.at), &draft.json);
    Ok(execute(transaction, sql, draft)? > 0)
}

pub(super) fn read(
    connection: &Connection,
    inquiry: &InquiryId,
) -> Result<Option<DraftRow>, StoreError> {
    let sql = "SELECT i.id, d.json, d.at FROM inquiries i JOIN drafts d ON d.inquiry = i.number
         WHERE i.id = ?1";
    query_one(connection, sql, [SqlId(inquiry)], |row| {
        Ok(DraftRow {
            inquiry: row.get::<_, SqlId<_>>(0)?.0,
            json: row.get(1)?,
            at: row.get::<_, SqlTimestamp>(2)?.0,
        })
    })
}

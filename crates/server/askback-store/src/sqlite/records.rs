//! Reads records.

use rusqlite::{Connection, Params, Row};

use askback_core::id::ConversationId;

use crate::rows::{RecordRow, Sequence};
use crate::sql::page::bounded;
use crate::sqlite::sql_types::{SqlId, SqlTimestamp, SqlU64};
use crate::sqlite::statements::query_one;
use crate::store::StoreError;

const AFTER: &str = "SELECT r.last, c.id, r.body, r.at
     FROM records r CROSS JOIN conversations c ON c.number = r.conversation
     WHERE r.last > ?1 ORDER BY r.last LIMIT ?2";

const AFTER_IN: &str = "SELECT r.last, c.id, r.body, r.at
     FROM conversations c CROSS JOIN records r ON r.conversation = c.number
     WHERE c.id = ?1 AND r.last > ?2 ORDER BY r.last LIMIT ?3";

/// A position may lie inside a record, so the record that contains it is read as well.
const UP_TO_IN: &str = "SELECT r.last, c.id, r.body, r.at
     FROM conversations c CROSS JOIN records r ON r.conversation = c.number
     WHERE c.id = ?1
       AND r.last <= coalesce((SELECT min(last) FROM records
                               WHERE conversation = c.number AND last >= ?2), ?2)
     ORDER BY r.last DESC LIMIT ?3";

pub(super) const NEWEST_IN: &str = "SELECT max(last) FROM records WHERE conversation = ?1";

/// Records that end after a position, of all conversations, oldest first.
pub(super) fn after(
    connection: &Connection,
    after: Sequence,
    limit: usize,
) -> Result<Vec<RecordRow>, StoreError> {
    rows(connection, AFTER, (SqlU64(after), SqlU64::from_len(limit)))
}

/// Records that end after a position, of one conversation, oldest first.
pub(super) fn after_in(
    connection: &Connection,
    conversation: &ConversationId,
    after: Sequence,
    limit: usize,
) -> Result<Vec<RecordRow>, StoreError> {
    let parameters = (SqlId(conversation), SqlU64(after), SqlU64::from_len(limit));
    rows(connection, AFTER_IN, parameters)
}

/// The newest records up to the one that contains a position, of one conversation, oldest first.
pub(super) fn up_to_in(
    connection: &Connection,
    conversation: &ConversationId,
    up_to: Option<Sequence>,
    limit: usize,
) -> Result<Vec<RecordRow>, StoreError> {
    let up_to = SqlU64(up_to.unwrap_or(Sequence::MAX));
    let parameters = (SqlId(conversation), up_to, SqlU64::from_len(limit));
    let mut records = rows(connection, UP_TO_IN, parameters)?;
    records.reverse();
    Ok(records)
}

/// The last position of a conversation; 0 if its records were removed.
pub(super) fn newest_in(
    connection: &Connection,
    conversation: i64,
) -> Result<Sequence, StoreError> {
    let newest = query_one(connection, NEWEST_IN, [conversation], |row| {
        row.get::<_, Option<SqlU64>>(0)
    });
    Ok(newest?.flatten().map_or(0, |newest| newest.0))
}

fn rows(
    connection: &Connection,
    sql: &str,
    parameters: impl Params,
) -> Result<Vec<RecordRow>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let records = statement.query_map(parameters, read_record)?;
    let (records, _) = bounded(records, usize::MAX, |record| record.body.len())?;
    Ok(records)
}

fn read_record(row: &Row<'_>) -> rusqlite::Result<RecordRow> {
    Ok(RecordRow {
        last: row.get::<_, SqlU64>(0)?.0,
        conversation: row.get::<_, SqlId<_>>(1)?.0,
        // Damaged text becomes empty, which no caller can parse: one row must not stop the feed.
        body: row.get(2).unwrap_or_default(),
        at: row.get::<_, SqlTimestamp>(3)?.0,
    })
}

#[cfg(test)]
#[path = "records_tests.rs"]
mod tests;

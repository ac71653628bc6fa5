//! Reads events.

use rusqlite::{Connection, Row, Statement};

use askback_core::id::ConversationId;

use crate::rows::{EventRow, Sequence};
use crate::sqlite::interned_name::InternedName;
use crate::sqlite::page::bounded;
use crate::sqlite::sql_types::{SqlId, SqlTimestamp, SqlU64};
use crate::store::StoreError;

const AFTER: &str = "SELECT e.sequence, c.id, e.kind, e.json, e.at
     FROM events e CROSS JOIN conversations c ON c.number = e.conversation
     WHERE e.sequence > ?1 ORDER BY e.sequence LIMIT ?2";

const AFTER_IN: &str = "SELECT e.sequence, c.id, e.kind, e.json, e.at
     FROM conversations c CROSS JOIN events e ON e.conversation = c.number
     WHERE c.id = ?1 AND e.sequence > ?2 ORDER BY e.sequence LIMIT ?3";

const BEFORE_IN: &str = "SELECT e.sequence, c.id, e.kind, e.json, e.at
     FROM conversations c CROSS JOIN events e ON e.conversation = c.number
     WHERE c.id = ?1 AND e.sequence < ?2 ORDER BY e.sequence DESC LIMIT ?3";

/// Events after a sequence number, of all conversations, oldest first.
pub(super) fn after(
    connection: &Connection,
    after: Sequence,
    limit: usize,
) -> Result<Vec<EventRow>, StoreError> {
    let mut statement = connection.prepare_cached(AFTER)?;
    rows(&mut statement, (SqlU64(after), SqlU64::from_len(limit)))
}

/// Events after a sequence number, of one conversation, oldest first.
pub(super) fn after_in(
    connection: &Connection,
    conversation: &ConversationId,
    after: Sequence,
    limit: usize,
) -> Result<Vec<EventRow>, StoreError> {
    let mut statement = connection.prepare_cached(AFTER_IN)?;
    let parameters = (SqlId(conversation), SqlU64(after), SqlU64::from_len(limit));
    rows(&mut statement, parameters)
}

/// The newest events below a sequence number, of one conversation, oldest first.
pub(super) fn before_in(
    connection: &Connection,
    conversation: &ConversationId,
    before: Option<Sequence>,
    limit: usize,
) -> Result<Vec<EventRow>, StoreError> {
    let mut statement = connection.prepare_cached(BEFORE_IN)?;
    let before = SqlU64(before.unwrap_or(Sequence::MAX));
    let parameters = (SqlId(conversation), before, SqlU64::from_len(limit));
    let mut events = rows(&mut statement, parameters)?;
    events.reverse();
    Ok(events)
}

fn rows(
    statement: &mut Statement<'_>,
    parameters: impl rusqlite::Params,
) -> Result<Vec<EventRow>, StoreError> {
    let events = statement.query_map(parameters, read_event)?;
    let (events, _) = bounded(events, usize::MAX, |event| event.json.len())?;
    Ok(events)
}

fn read_event(row: &Row<'_>) -> rusqlite::Result<EventRow> {
    Ok(EventRow {
        sequence: row.get::<_, SqlU64>(0)?.0,
        conversation: row.get::<_, SqlId<_>>(1)?.0,
        kind: row.get::<_, InternedName<_>>(2)?.0,
        // Damaged text becomes empty, which no caller can parse: one row must not stop the feed.
        json: row.get(3).unwrap_or_default(),
        at: row.get::<_, SqlTimestamp>(4)?.0,
    })
}

#[cfg(test)]
#[path = "events_tests.rs"]
mod tests;

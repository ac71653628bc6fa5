//! Reads conversations.

use std::cmp::Reverse;

use rusqlite::{Connection, Row};

use askback_core::id::ConversationId;

use crate::filters::{ConversationFilter, QuestionScope};
use crate::rows::{ConversationRow, ConversationWithPending, Page, Snapshot};
use crate::sql::cursor::{Order, PageCursor};
use crate::sql::page::page;
use crate::sqlite::inquiries;
use crate::sqlite::interned_name::InternedName;
use crate::sqlite::records;
use crate::sqlite::sql_types::{SqlId, SqlTimestamp, SqlU64};
use crate::sqlite::statements::{query_all, query_one};
use crate::store::StoreError;

/// A query with the columns that [`read_row`] expects.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT c.number, c.id, c.driver, c.app, p.id, c.created_at, c.updated_at, c.version,
                    c.state, c.title, c.json
             FROM conversations c LEFT JOIN conversations p ON p.number = c.parent ",
            $rest
        )
    };
}

const ONE: &str = select!("WHERE c.id = ?1");

/// Who drives a conversation. The indexes of the lists are by driver, so that a list of all is merged from those of each.
pub(super) const DRIVERS: [&str; 2] = ["built_in", "external"];

/// The lists leave out closed conversations. Each filter has its own statement, so that each can use
/// its index. The parameters are the parent, the key and number of the cursor, the limit, the driver, the
/// state.
pub(super) const LIST: &str = select!(
    "WHERE c.parent IS ?1 AND c.closed_from IS NULL
       AND (c.updated_at, c.number) < (?2, ?3) AND c.driver = ?5 AND ?6 IS NULL
     ORDER BY c.updated_at DESC, c.number DESC LIMIT ?4"
);
pub(super) const LIST_IN_STATE: &str = select!(
    "WHERE c.parent IS ?1 AND c.closed_from IS NULL AND c.driver = ?5 AND c.state = ?6
       AND (c.updated_at, c.number) < (?2, ?3)
     ORDER BY c.updated_at DESC, c.number DESC LIMIT ?4"
);

/// A conversation with its pending inquiries, in one read transaction.
pub(super) fn load(
    connection: &Connection,
    id: &ConversationId,
    questions: QuestionScope,
) -> Result<Option<ConversationWithPending>, StoreError> {
    let transaction = connection.unchecked_transaction()?;
    let found = query_one(&transaction, ONE, [SqlId(id)], |row| {
        Ok((row.get(0)?, read_row(row)?))
    });
    let Some((number, row)) = found? else {
        return Ok(None);
    };
    let pending = inquiries::pending_in(&transaction, number, questions)?;
    Ok(Some(ConversationWithPending {
        row,
        pending,
        newest: records::newest_in(&transaction, number)?,
    }))
}

/// A page of conversations, latest activity first.
pub(super) fn list(
    connection: &Connection,
    filter: &ConversationFilter,
) -> Result<Page<ConversationRow>, StoreError> {
    let from = Order::Activity.start(filter.cursor.as_deref())?;
    let parent = match &filter.parent {
        Some(parent) => match number_of(connection, parent)? {
            Some(number) => Some(number),
            None => return Ok(Page::EMPTY),
        },
        None => None,
    };
    let sql = match filter.state {
        Some(_) => LIST_IN_STATE,
        None => LIST,
    };
    let state = filter.state.as_deref().map(InternedName);
    let mut rows = Vec::new();
    for driver in DRIVERS {
        if filter.driver.as_deref().is_some_and(|it| it != driver) {
            continue;
        }
        let more = SqlU64::from_len(filter.limit.saturating_add(1));
        let driver = InternedName(driver);
        let parameters = (parent, from.key, from.number, more, driver, &state);
        rows.extend(query_all(connection, sql, parameters, |row| {
            let cursor = PageCursor {
                key: row.get(6)?,
                number: row.get(0)?,
            };
            Ok((cursor, read_row(row)?))
        })?);
    }
    rows.sort_by_key(|(cursor, _)| Reverse((cursor.key, cursor.number)));
    let rows = rows.into_iter().map(Ok::<_, StoreError>);
    page(rows, (filter.limit, Order::Activity), |row| {
        row.snapshot.json.len()
    })
}

/// The primary key of a conversation.
pub(super) fn number_of(
    connection: &Connection,
    id: &ConversationId,
) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT number FROM conversations WHERE id = ?1";
    query_one(connection, sql, [SqlId(id)], |row| row.get(0))
}

fn read_row(row: &Row<'_>) -> rusqlite::Result<ConversationRow> {
    Ok(ConversationRow {
        id: row.get::<_, SqlId<_>>(1)?.0,
        driver: row.get::<_, InternedName<_>>(2)?.0,
        app: row.get(3)?,
        parent: row.get::<_, Option<SqlId<_>>>(4)?.map(|parent| parent.0),
        created_at: row.get::<_, SqlTimestamp>(5)?.0,
        updated_at: row.get::<_, SqlTimestamp>(6)?.0,
        snapshot: Snapshot {
            version: row.get::<_, SqlU64>(7)?.0,
            state: row.get::<_, InternedName<_>>(8)?.0,
            title: row.get(9)?,
            json: row.get(10)?,
        },
    })
}

#[cfg(test)]
#[path = "conversations_tests.rs"]
mod tests;

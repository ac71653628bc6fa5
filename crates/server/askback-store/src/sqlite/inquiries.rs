//! Reads inquiries.

use std::cmp::Reverse;

use rusqlite::{Connection, Row};

use askback_core::id::InquiryId;
use askback_core::text::Text;

use crate::filters::{InquiryFilter, QuestionScope};
use crate::rows::{InquiryRow, Page};
use crate::sql::cursor::{Order, PageCursor};
use crate::sql::page::page;
use crate::sqlite::askers;
use crate::sqlite::conversations;
use crate::sqlite::distinct_values::distinct_values;
use crate::sqlite::interned_name::InternedName;
use crate::sqlite::sql_types::{SqlDeadline, SqlId, SqlTimestamp, SqlU64};
use crate::sqlite::statements::{query_all, query_one};
use crate::store::StoreError;

/// A query with the columns that [`read_row`] expects.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT i.number, i.expires_at, i.id, c.id, i.status, i.dialect, i.json, i.revision,
                    i.source, i.webhook, i.asked_at, i.resolved_at, i.resolution, i.held, i.version,
                    (SELECT until FROM snoozes WHERE inquiry = i.number), i.credential
             FROM inquiries i CROSS JOIN conversations c ON c.number = i.conversation ",
            $rest
        )
    };
}

const ONE: &str = select!("WHERE i.id = ?1");

/// The same columns. A tombstone has no value for some of them.
const TOMBSTONE: &str = "SELECT 0, 0, t.inquiry, c.id, t.status, t.dialect, '', t.revision,
        NULL, NULL, t.asked_at, t.resolved_at, t.resolution, NULL, t.version, NULL, t.credential
     FROM tombstones t CROSS JOIN conversations c ON c.number = t.conversation
     WHERE t.inquiry = ?1";

pub(super) const PENDING_IN: &str =
    select!("WHERE i.conversation = ?1 AND i.status = 0 ORDER BY i.number");

/// Each filter has its own statement, so that each can use its index. The parameters are the key and
/// number of the cursor, the limit, the status and the conversation.
pub(super) const LIST_PENDING: &str = select!(
    "WHERE i.status = 0 AND (i.expires_at, i.number) > (?1, ?2)
       AND ?4 IS NOT NULL AND ?5 IS NULL
     ORDER BY i.expires_at, i.number LIMIT ?3"
);
const LIST_PENDING_IN: &str = select!(
    "WHERE i.conversation = ?5 AND i.status = 0 AND (i.expires_at, i.number) > (?1, ?2)
       AND ?4 IS NOT NULL
     ORDER BY i.expires_at, i.number LIMIT ?3"
);
pub(super) const LIST_RESOLVED: &str = select!(
    "WHERE i.status = ?4 AND i.status <> 0 AND i.number < ?2
       AND ?1 IS NOT NULL AND ?5 IS NULL
     ORDER BY i.number DESC LIMIT ?3"
);
const LIST_ALL: &str = select!(
    "WHERE i.number < ?2 AND ?1 IS NOT NULL AND ?4 IS NULL AND ?5 IS NULL
     ORDER BY i.number DESC LIMIT ?3"
);
/// The index of a conversation's inquiries is by status, so that a list of all is merged from those of each.
pub(super) const NEXT_STATUS: &str =
    "SELECT min(status) FROM inquiries WHERE conversation = ?1 AND status > ?2";

/// The parameters are the conversation, the status, the number of the cursor, the limit.
pub(super) const LIST_IN: &str = "SELECT number FROM inquiries
     WHERE conversation = ?1 AND status = ?2 AND number < ?3 ORDER BY number DESC LIMIT ?4";
const NUMBERED: &str = select!("WHERE i.number = ?1");

/// The inquiries of one agent. The client and the project take the place of status and conversation. The
/// session is between two names, which are the same for one session.
const LIST_ASKED_PENDING: &str = select!(
    "WHERE i.number IN (SELECT inquiry FROM askers
                        WHERE client = ?4 AND project = ?5 AND delivered_at IS NULL
                          AND session BETWEEN ?6 AND ?7)
       AND i.status = 0 AND (i.expires_at, i.number) > (?1, ?2)
     ORDER BY i.expires_at, i.number LIMIT ?3"
);
const LIST_UNDELIVERED: &str = select!(
    "WHERE i.number IN (SELECT inquiry FROM askers
                        WHERE client = ?4 AND project = ?5 AND delivered_at IS NULL
                          AND session BETWEEN ?6 AND ?7)
       AND i.status <> 0 AND i.number < ?2 AND ?1 IS NOT NULL
     ORDER BY i.number DESC LIMIT ?3"
);

/// An inquiry, or its tombstone.
pub(super) fn read(
    connection: &Connection,
    id: &InquiryId,
) -> Result<Option<InquiryRow>, StoreError> {
    let read = |sql| {
        query_one(connection, sql, [SqlId(id)], |row| {
            read_row(connection, row)
        })
    };
    match read(ONE)? {
        Some(row) => Ok(Some(row)),
        None => read(TOMBSTONE),
    }
}

/// The pending inquiries of a conversation, oldest first.
pub(super) fn pending_in(
    connection: &Connection,
    conversation: i64,
    questions: QuestionScope,
) -> Result<Vec<InquiryRow>, StoreError> {
    let mut statement = connection.prepare_cached(PENDING_IN)?;
    let mut rows = statement.query([conversation])?;
    let mut pending = Vec::new();
    while let Some(row) = rows.next()? {
        let json = match questions {
            QuestionScope::OldestPending if !pending.is_empty() => String::new(),
            QuestionScope::OldestPending | QuestionScope::AllPending => row.get(JSON)?,
        };
        pending.push(read_around(connection, row, json)?);
    }
    Ok(pending)
}

/// A page of inquiries: pending ones by deadline, then age; others newest first.
pub(super) fn list(
    connection: &Connection,
    filter: &InquiryFilter,
) -> Result<Page<InquiryRow>, StoreError> {
    let (is_pending, order) = (filter.is_pending(), filter.order());
    let from = order.start(filter.cursor.as_deref())?;
    let more = SqlU64::from_len(filter.limit.saturating_add(1));
    let bounds = (filter.limit, order);
    if let Some(asker) = &filter.asker {
        let sql = if is_pending {
            LIST_ASKED_PENDING
        } else {
            LIST_UNDELIVERED
        };
        let project = asker.project.as_deref().unwrap_or_default();
        let [first, last] = asker.sessions();
        let client = &asker.client;
        let parameters = (from.key, from.number, more, client, project, first, last);
        return read_page(connection, sql, parameters, bounds);
    }
    let conversation = match &filter.conversation {
        Some(id) => match conversations::number_of(connection, id)? {
            Some(number) => Some(number),
            None => return Ok(Page::EMPTY),
        },
        None => None,
    };
    let sql = match (is_pending, conversation, &filter.status) {
        (true, None, _) => LIST_PENDING,
        (true, Some(_), _) => LIST_PENDING_IN,
        (false, Some(number), _) => return list_in(connection, filter, number, from),
        (false, None, Some(_)) => LIST_RESOLVED,
        (false, None, None) => LIST_ALL,
    };
    let status = filter.status.as_deref().map(InternedName);
    let parameters = (from.key, from.number, more, status, conversation);
    read_page(connection, sql, parameters, bounds)
}

/// Inquiries of a conversation with one status or with any, newest first.
fn list_in(
    connection: &Connection,
    filter: &InquiryFilter,
    conversation: i64,
    from: PageCursor,
) -> Result<Page<InquiryRow>, StoreError> {
    // The numbers and the rows are read from the same state of the database.
    let transaction = connection.unchecked_transaction()?;
    let statuses = match &filter.status {
        Some(status) => vec![InternedName(status).to_value()],
        None => distinct_values(&transaction, NEXT_STATUS, conversation)?,
    };
    let more = filter.limit.saturating_add(1);
    let mut found = Vec::new();
    for status in statuses {
        let parameters = (conversation, status, from.number, SqlU64::from_len(more));
        let numbers = query_all(&transaction, LIST_IN, parameters, |row| {
            row.get::<_, i64>(0)
        });
        found.extend(numbers?);
    }
    found.sort_unstable_by_key(|number| Reverse(*number));
    found.truncate(more);
    let mut statement = transaction.prepare_cached(NUMBERED)?;
    let rows = found.into_iter().map(|number| {
        let row = statement.query_row([number], |row| read_row(&transaction, row));
        row.map(|row| (PageCursor { key: 0, number }, row))
    });
    page(rows, (filter.limit, Order::Newest), InquiryRow::bytes)
}

fn read_page(
    connection: &Connection,
    sql: &str,
    parameters: impl rusqlite::Params,
    bounds: (usize, Order),
) -> Result<Page<InquiryRow>, StoreError> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(parameters, |row| {
        let cursor = PageCursor {
            key: row.get(1)?,
            number: row.get(0)?,
        };
        Ok((cursor, read_row(connection, row)?))
    })?;
    page(rows, bounds, InquiryRow::bytes)
}

/// The column index of the questions.
const JSON: usize = 6;

fn read_row(connection: &Connection, row: &Row<'_>) -> rusqlite::Result<InquiryRow> {
    read_around(connection, row, row.get(JSON)?)
}

fn read_around(
    connection: &Connection,
    row: &Row<'_>,
    json: String,
) -> rusqlite::Result<InquiryRow> {
    Ok(InquiryRow {
        asker: askers::read(connection, row.get(0)?)?,
        expires_at: row.get::<_, SqlDeadline>(1)?.0,
        id: row.get::<_, SqlId<_>>(2)?.0,
        conversation: row.get::<_, SqlId<_>>(3)?.0,
        status: row.get::<_, InternedName<_>>(4)?.0,
        dialect: row.get::<_, InternedName<_>>(5)?.0,
        json,
        revision: row.get(7)?,
        source: row.get_ref(8)?.as_str_or_null()?.and_then(Text::name),
        webhook: row.get(9)?,
        asked_at: row.get::<_, SqlTimestamp>(10)?.0,
        resolved_at: row
            .get::<_, Option<SqlTimestamp>>(11)?
            .map(|moment| moment.0),
        resolution: row.get(12)?,
        held: row.get(13)?,
        version: row.get::<_, SqlU64>(14)?.0,
        snoozed_until: row.get::<_, Option<SqlTimestamp>>(15)?.map(|until| until.0),
        credential: row.get(16)?,
    })
}

#[cfg(test)]
#[path = "inquiries_tests.rs"]
mod tests;

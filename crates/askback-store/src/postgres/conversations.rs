//! Reads conversations.

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Error, Row};

use askback_core::id::ConversationId;

use crate::cursor::{Cursor, Order};
use crate::filters::{ConversationFilter, QuestionScope};
use crate::page::page;
use crate::postgres::connection::{Connection, Parameters, Sql};
use crate::postgres::inquiries::{self, PENDING_IN, PENDING_IN_ABRIDGED};
use crate::postgres::pool::Pool;
use crate::postgres::sql_values::{Columns, Text, length};
use crate::rows::{ConversationRow, ConversationWithPending, PAGE_BYTES_MAX, Page, Snapshot};
use crate::store::StoreError;

/// The columns that [`read_row`] expects, after the sort key and the number.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT c.updated_at AS key, c.number, c.id, c.driver, c.app, p.id AS parent_id,
                    c.created_at, c.updated_at, c.version, c.state, c.title, c.json
             FROM askback.conversations c LEFT JOIN askback.conversations p ON p.number = c.parent ",
            $rest
        )
    };
}

/// A page that ends at the bytes of a page. The parameters are the key and number of the cursor, the
/// limit, the bytes, and the driver.
macro_rules! list {
    ($where:literal) => {
        concat!(
            "SELECT key, number, id, driver, app, parent_id, created_at, updated_at, version, state,
                    title, json
             FROM (SELECT page.*, sum(octet_length(json)) OVER (ORDER BY key DESC, number DESC)
                                  - octet_length(json) AS before
                   FROM (",
            select!(
                "WHERE c.closed_from IS NULL AND (c.updated_at, c.number) < ($1, $2)
                   AND ($5 IS NULL OR c.driver = $5) AND "
            ),
            $where,
            " ORDER BY c.updated_at DESC, c.number DESC LIMIT $3) page) pages
             WHERE before <= $4 ORDER BY key DESC, number DESC"
        )
    };
}

const ONE: Sql = Sql {
    text: select!("WHERE c.id = $1"),
    types: &[Type::TEXT],
};

const NEWEST_IN: Sql = Sql {
    text: "SELECT coalesce(max(r.last), 0)
           FROM askback.conversations c JOIN askback.records r ON r.conversation = c.number
           WHERE c.id = $1",
    types: &[Type::TEXT],
};

/// Each filter has its own statement, so that each can use its index.
const LIST: Sql = Sql {
    text: list!("c.parent IS NULL"),
    types: &[Type::INT8, Type::INT8, Type::INT8, Type::INT8, Type::TEXT],
};
const LIST_IN_STATE: Sql = Sql {
    text: list!("c.parent IS NULL AND c.state = $6"),
    types: &[
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::TEXT,
        Type::TEXT,
    ],
};
const LIST_CHILDREN: Sql = Sql {
    text: list!("c.parent = (SELECT number FROM askback.conversations WHERE id = $6)"),
    types: &[
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::TEXT,
        Type::TEXT,
    ],
};
const LIST_CHILDREN_IN_STATE: Sql = Sql {
    text: list!(
        "c.parent = (SELECT number FROM askback.conversations WHERE id = $6) AND c.state = $7"
    ),
    types: &[
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::TEXT,
        Type::TEXT,
        Type::TEXT,
    ],
};

/// A conversation with its pending inquiries, all of one moment.
pub(super) async fn load(
    pool: &Pool,
    id: &ConversationId,
    questions: QuestionScope,
) -> Result<Option<ConversationWithPending>, StoreError> {
    let pending_in = match questions {
        QuestionScope::AllPending => &PENDING_IN,
        QuestionScope::OldestPending => &PENDING_IN_ABRIDGED,
    };
    let (found, pending, newest) = loop {
        let connection = pool.read_connection().await?;
        match load_rows(&connection, pending_in, id).await {
            Ok(rows) => {
                connection.give_back();
                break rows;
            }
            Err(error) if connection.has_ended(&error) => pool.close(),
            Err(error) => return Err(error.into()),
        }
    };
    let Some(row) = found.first() else {
        return Ok(None);
    };
    let pending = pending.iter().map(|row| Ok(inquiries::read_row(row)?.1));
    Ok(Some(ConversationWithPending {
        row: read_row(row)?.1,
        pending: pending.collect::<Result<_, StoreError>>()?,
        newest: newest
            .first()
            .map_or(Ok(0), |row| Columns::of(row).unsigned())?,
    }))
}

/// Sends everything at once: one round trip.
async fn load_rows(
    connection: &Connection,
    pending_in: &Sql,
    id: &ConversationId,
) -> Result<(Vec<Row>, Vec<Row>, Vec<Row>), Error> {
    let id = Text(id.as_str());
    let parameters: Parameters<'_> = &[&id];
    connection.prepare(&[&ONE, pending_in, &NEWEST_IN]).await?;
    let (began, found, pending, newest, ended) = tokio::join!(
        biased;
        connection.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        connection.query(&ONE, parameters),
        connection.query(pending_in, parameters),
        connection.query(&NEWEST_IN, parameters),
        connection.batch("COMMIT"),
    );
    began?;
    ended?;
    Ok((found?, pending?, newest?))
}

/// A page of conversations, latest activity first.
pub(super) async fn list(
    pool: &Pool,
    filter: &ConversationFilter,
) -> Result<Page<ConversationRow>, StoreError> {
    let from = match &filter.cursor {
        Some(text) => Cursor::parse(text, Order::Activity)?,
        None => Cursor::HIGHEST,
    };
    let more = length(filter.limit.saturating_add(1));
    let bytes = length(PAGE_BYTES_MAX);
    let (key, number) = (from.key, from.number);
    let parent = filter.parent.as_ref().map(|parent| Text(parent.as_str()));
    let state = filter.state.as_deref().map(Text);
    let driver = filter.driver.as_deref().map(Text);
    let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![&key, &number, &more, &bytes, &driver];
    parameters.extend(parent.as_ref().map(|parent| parent as &(dyn ToSql + Sync)));
    parameters.extend(state.as_ref().map(|state| state as &(dyn ToSql + Sync)));
    let sql = match (&parent, &state) {
        (None, None) => &LIST,
        (None, Some(_)) => &LIST_IN_STATE,
        (Some(_), None) => &LIST_CHILDREN,
        (Some(_), Some(_)) => &LIST_CHILDREN_IN_STATE,
    };
    let rows = pool.query(sql, &parameters).await?;
    page(
        rows.iter().map(read_row),
        (filter.limit, Order::Activity),
        |row| row.snapshot.json.len(),
    )
}

fn read_row(row: &Row) -> Result<(Cursor, ConversationRow), StoreError> {
    let mut columns = Columns::of(row);
    let cursor = Cursor {
        key: columns.get()?,
        number: columns.get()?,
    };
    let id = columns.conversation()?;
    let driver = columns.get()?;
    let app = columns.get()?;
    let parent: Option<&str> = columns.get()?;
    let created_at = columns.time()?;
    let updated_at = columns.time()?;
    let version = columns.unsigned()?;
    let state = columns.get()?;
    let row = ConversationRow {
        id,
        driver,
        app,
        parent: parent.map(ConversationId::new),
        created_at,
        updated_at,
        snapshot: Snapshot {
            version,
            state,
            title: columns.get()?,
            json: columns.get()?,
        },
    };
    Ok((cursor, row))
}

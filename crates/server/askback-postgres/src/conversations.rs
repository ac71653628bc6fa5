//! Reads conversations.

use tokio_postgres::Row;

use askback_core::id::ConversationId;

use crate::pool::Pool;
use crate::sql_values::{Columns, Parameter, Text, length};
use askback_store::filters::ConversationFilter;
use askback_store::rows::{ConversationRow, PAGE_BYTES_MAX, Page, Snapshot};
use askback_store::sql::cursor::{Order, PageCursor};
use askback_store::sql::page::page;
use askback_store::store::StoreError;

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

/// Each filter has its own statement, so that each can use its index.
const LIST: &str = list!("c.parent IS NULL");
const LIST_IN_STATE: &str = list!("c.parent IS NULL AND c.state = $6");
const LIST_CHILDREN: &str =
    list!("c.parent = (SELECT number FROM askback.conversations WHERE id = $6)");
const LIST_CHILDREN_IN_STATE: &str =
    list!("c.parent = (SELECT number FROM askback.conversations WHERE id = $6) AND c.state = $7");

/// A page of conversations, latest activity first.
pub(super) async fn list(
    pool: &Pool,
    filter: &ConversationFilter,
) -> Result<Page<ConversationRow>, StoreError> {
    let from = Order::Activity.start(filter.cursor.as_deref())?;
    let more = length(filter.limit.saturating_add(1));
    let bytes = length(PAGE_BYTES_MAX);
    let (key, number) = (from.key, from.number);
    let parent = filter.parent.as_ref().map(|parent| Text(parent.as_str()));
    let state = filter.state.as_deref().map(Text);
    let driver = filter.driver.as_deref().map(Text);
    let mut parameters: Vec<&dyn Parameter> = vec![&key, &number, &more, &bytes, &driver];
    parameters.extend(parent.as_ref().map(|parent| parent as &dyn Parameter));
    parameters.extend(state.as_ref().map(|state| state as &dyn Parameter));
    let sql = match (&parent, &state) {
        (None, None) => LIST,
        (None, Some(_)) => LIST_IN_STATE,
        (Some(_), None) => LIST_CHILDREN,
        (Some(_), Some(_)) => LIST_CHILDREN_IN_STATE,
    };
    let rows = pool.query(sql, &parameters).await?;
    page(
        rows.iter().map(read_row),
        (filter.limit, Order::Activity),
        |row| row.snapshot.json.len(),
    )
}

pub(super) fn read_row(row: &Row) -> Result<(PageCursor, ConversationRow), StoreError> {
    let mut columns = Columns::of(row);
    let cursor = PageCursor {
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

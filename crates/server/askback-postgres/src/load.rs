//! Reads conversations with their pending inquiries, all of one moment.

use tokio_postgres::Row;

use askback_core::id::{ConversationId, InquiryId};

use crate::conversations;
use crate::grouped_reads::Found;
use crate::inquiries::{inquiry_columns, read_columns};
use crate::pool::Pool;
use crate::sql_values::{Columns, Text};
use askback_store::rows::ConversationWithPending;
use askback_store::store::StoreError;

/// The positions of the id of a conversation, of its newest record, and of the first column of an inquiry.
const ID: usize = 2;
const NEWEST: usize = 12;
const INQUIRY: usize = 13;

/// Conversations by id.
///
/// Planning this takes longer than executing it. PostgreSQL uses one plan for all values only if it does not expect a
/// better one for those at hand, so `(SELECT $1)` hides them. That plan may be made while a table is small, and is used
/// until the table is analyzed: `OFFSET 0` keeps lookups by key from becoming a join that reads all of it.
macro_rules! from_ids {
    () => {
        "UNNEST ((SELECT $1)) AS k (id)
         CROSS JOIN LATERAL (SELECT * FROM askback.conversations c WHERE c.id = k.id OFFSET 0) c"
    };
}

/// Conversations by the ids of inquiries that are pending in them.
macro_rules! from_pending {
    () => {
        "(SELECT DISTINCT i.conversation
          FROM UNNEST ((SELECT $1)) AS k (id)
          CROSS JOIN LATERAL (SELECT * FROM askback.inquiries i
                              WHERE i.id = k.id AND i.status = 'pending' OFFSET 0) i) k
         CROSS JOIN LATERAL (SELECT * FROM askback.conversations c
                             WHERE c.number = k.conversation OFFSET 0) c"
    };
}

/// A row for each pending inquiry, or one without: first the columns that [`conversations::read_row`]
/// expects, then the newest record, then the inquiry. One statement sees one moment. The JSON of a conversation is
/// only in its first row.
macro_rules! load {
    ($from:expr, $json:literal) => {
        concat!(
            "WITH c AS MATERIALIZED (
                 SELECT c.*,
                        (SELECT p.id FROM askback.conversations p WHERE p.number = c.parent) AS parent_id,
                        (SELECT coalesce(max(r.last), 0) FROM askback.records r
                         WHERE r.conversation = c.number) AS newest
                 FROM ",
            $from,
            ")
             SELECT c.updated_at, c.number, c.id, c.driver, c.app, c.parent_id, c.created_at,
                    c.updated_at, c.version, c.state, c.title,
                    CASE WHEN row_number() OVER oldest_first = 1 THEN c.json ELSE '' END, c.newest, ",
            inquiry_columns!($json),
            "FROM c
             LEFT JOIN LATERAL (SELECT * FROM askback.inquiries i
                                WHERE i.conversation = c.number AND i.status = 'pending' OFFSET 0) i ON true
             LEFT JOIN LATERAL (SELECT * FROM askback.askers a WHERE a.inquiry = i.number OFFSET 0) a ON true
             WINDOW oldest_first AS (PARTITION BY c.number ORDER BY i.number)
             ORDER BY c.number, i.number"
        )
    };
}

const BY_ID: &str = load!(from_ids!(), "i.json");

/// Only the oldest inquiry has its questions.
const BY_ID_ABRIDGED: &str = load!(
    from_ids!(),
    "CASE WHEN row_number() OVER oldest_first = 1 THEN i.json ELSE '' END"
);

const BY_PENDING: &str = load!(from_pending!(), "i.json");

/// Conversations with all pending inquiries.
pub(super) async fn by_id(
    pool: &Pool,
    ids: &[ConversationId],
) -> Result<Found<ConversationId, ConversationWithPending>, StoreError> {
    load(pool, BY_ID, ids.iter().map(ConversationId::as_str)).await
}

/// Conversations with the questions of the oldest pending inquiry only.
pub(super) async fn by_id_abridged(
    pool: &Pool,
    ids: &[ConversationId],
) -> Result<Found<ConversationId, ConversationWithPending>, StoreError> {
    load(pool, BY_ID_ABRIDGED, ids.iter().map(ConversationId::as_str)).await
}

/// The conversations in which inquiries are pending, with all pending inquiries.
pub(super) async fn by_pending(
    pool: &Pool,
    ids: &[InquiryId],
) -> Result<Found<InquiryId, ConversationWithPending>, StoreError> {
    let loaded = load(pool, BY_PENDING, ids.iter().map(InquiryId::as_str)).await?;
    // One that is damaged has no pending inquiries here: whoever loads it by its id is told.
    let loaded: Vec<_> = loaded.into_iter().filter_map(|(_, it)| it.ok()).collect();
    let in_which = |id: &InquiryId| {
        let is_in = |it: &&ConversationWithPending| it.pending.iter().any(|row| row.id == *id);
        let found = loaded.iter().find(is_in)?;
        Some((id.clone(), Ok(found.clone())))
    };
    Ok(ids.iter().filter_map(in_which).collect())
}

async fn load(
    pool: &Pool,
    sql: &'static str,
    keys: impl Iterator<Item = &str>,
) -> Result<Found<ConversationId, ConversationWithPending>, StoreError> {
    let keys: Vec<_> = keys.map(Text).collect();
    let rows = pool.query(sql, &[&keys]).await?;
    let mut found: Found<ConversationId, ConversationWithPending> = Vec::new();
    for row in &rows {
        let id = Columns::from(row, ID).conversation()?;
        if found.last().is_none_or(|(last, _)| *last != id) {
            found.push((id, read_conversation(row)));
        }
        let Some((_, loaded)) = found.last_mut() else {
            continue;
        };
        add_pending(loaded, row);
    }
    Ok(found)
}

fn read_conversation(row: &Row) -> Result<ConversationWithPending, StoreError> {
    Ok(ConversationWithPending {
        row: conversations::read_row(row)?.1,
        pending: Vec::new(),
        newest: Columns::from(row, NEWEST).unsigned()?,
    })
}

/// Adds the inquiry of a row, if it has one.
fn add_pending(loaded: &mut Result<ConversationWithPending, StoreError>, row: &Row) {
    let Ok(conversation) = loaded else { return };
    let mut columns = Columns::from(row, INQUIRY);
    match columns.get::<Option<i64>>() {
        Ok(None) => {}
        Ok(Some(_)) => match read_columns(Columns::from(row, INQUIRY)) {
            Ok((_, inquiry)) => conversation.pending.push(inquiry),
            Err(error) => *loaded = Err(error),
        },
        Err(error) => *loaded = Err(error),
    }
}

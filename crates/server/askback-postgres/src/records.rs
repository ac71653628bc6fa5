//! Reads records.

use tokio_postgres::Row;

use askback_core::id::ConversationId;

use crate::pool::Pool;
use crate::sql_values::{Columns, Text, int, length};
use askback_store::rows::{PAGE_BYTES_MAX, RecordRow, Sequence};
use askback_store::sql::page::bounded;
use askback_store::store::StoreError;

/// Rows of a page with the bytes of those before them, and with conversations by key: see `from_ids` in `load.rs`.
/// The database stops at the bytes of a page, so that a reader never receives more.
macro_rules! page_of_records {
    ($from:literal, $order:literal) => {
        concat!(
            "SELECT last, id, body, at FROM (
                 SELECT r.last, c.id, r.body, r.at,
                        sum(octet_length(r.body)) OVER (ORDER BY r.last ",
            $order,
            ") - octet_length(r.body) AS before
                 FROM ",
            $from,
            " r CROSS JOIN LATERAL (SELECT id FROM askback.conversations c
                                    WHERE c.number = r.conversation OFFSET 0) c
              ORDER BY r.last ",
            $order,
            " LIMIT (SELECT $2)
             ) page WHERE before <= $1 ORDER BY last ",
            $order
        )
    };
}

/// Planned once: see `from_ids` in `load.rs`.
const AFTER: &str = page_of_records!(
    "(SELECT * FROM askback.records WHERE last > (SELECT $3) ORDER BY last LIMIT (SELECT $2))",
    ""
);

const AFTER_IN: &str = page_of_records!(
    "(SELECT * FROM askback.records
      WHERE conversation = (SELECT number FROM askback.conversations WHERE id = $4)
        AND last > $3 ORDER BY last LIMIT $2)",
    ""
);

/// A position may lie inside a record, so the record that contains it is read as well.
const UP_TO_IN: &str = page_of_records!(
    "(SELECT i.* FROM askback.conversations o JOIN askback.records i ON i.conversation = o.number
      WHERE o.id = $4
        AND i.last <= coalesce((SELECT min(n.last) FROM askback.records n
                                WHERE n.conversation = o.number AND n.last >= $3), $3)
      ORDER BY i.last DESC LIMIT $2)",
    "DESC"
);

const NEWEST: &str = "SELECT sequence FROM askback.counters";

/// The bytes before the last row of a page.
const BYTES: i64 = 1 << 20;
const _: () = assert!(PAGE_BYTES_MAX == 1 << 20);

/// Records that end after a position, of one conversation or of all, oldest first.
pub(super) async fn after(
    pool: &Pool,
    conversation: Option<&ConversationId>,
    after: Sequence,
    limit: usize,
) -> Result<Vec<RecordRow>, StoreError> {
    let (after, limit) = (int(after), length(limit));
    let rows = match conversation {
        Some(id) => {
            let id = Text(id.as_str());
            pool.query(AFTER_IN, &[&BYTES, &limit, &after, &id]).await?
        }
        None => pool.query(AFTER, &[&BYTES, &limit, &after]).await?,
    };
    read_all(&rows)
}

/// The newest records up to the one that contains a position, of one conversation, oldest first.
pub(super) async fn up_to_in(
    pool: &Pool,
    conversation: &ConversationId,
    up_to: Option<Sequence>,
    limit: usize,
) -> Result<Vec<RecordRow>, StoreError> {
    let (up_to, limit) = (int(up_to.unwrap_or(Sequence::MAX)), length(limit));
    let id = Text(conversation.as_str());
    let rows = pool.query(UP_TO_IN, &[&BYTES, &limit, &up_to, &id]).await?;
    let mut records = read_all(&rows)?;
    records.reverse();
    Ok(records)
}

/// Writes a row without a change, to find out whether the disk takes it.
pub(super) async fn write_nothing_new(pool: &Pool) -> Result<(), StoreError> {
    pool.change(WRITE_NOTHING_NEW, &[]).await.map(drop)
}

const WRITE_NOTHING_NEW: &str = "UPDATE askback.counters SET sequence = sequence";

/// The highest sequence number ever used. Its record may be deleted; the number is not used again.
pub(super) async fn newest_sequence(pool: &Pool) -> Result<Sequence, StoreError> {
    let rows = pool.query(NEWEST, &[]).await?;
    rows.first()
        .map_or(Ok(0), |row| Columns::of(row).unsigned())
}

fn read_all(rows: &[Row]) -> Result<Vec<RecordRow>, StoreError> {
    let records = rows.iter().map(read_record);
    let (records, _) = bounded(records, usize::MAX, |record: &RecordRow| record.body.len())?;
    Ok(records)
}

fn read_record(row: &Row) -> Result<RecordRow, StoreError> {
    let mut columns = Columns::of(row);
    Ok(RecordRow {
        last: columns.unsigned()?,
        conversation: columns.conversation()?,
        body: columns.get()?,
        at: columns.time()?,
    })
}

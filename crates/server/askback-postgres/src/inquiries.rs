//! Reads inquiries.

use tokio_postgres::Row;

use askback_core::id::InquiryId;
use askback_core::text::Text as Name;

use crate::grouped_reads::Found;
use crate::pool::Pool;
use crate::sql_values::{Columns, Parameter, Text, agent_hash, length};
use askback_store::filters::InquiryFilter;
use askback_store::rows::{AskerRow, InquiryRow, PAGE_BYTES_MAX, Page};
use askback_store::sql::cursor::PageCursor;
use askback_store::sql::page::page;
use askback_store::store::StoreError;

/// The position of the id among the columns.
const ID: usize = 2;

/// The columns that [`read_columns`] expects, of an inquiry `i`, its conversation `c` and its asker `a`.
macro_rules! inquiry_columns {
    ($json:literal) => {
        concat!(
            "i.expires_at, i.number, i.id, c.id AS conversation_id, i.status, i.dialect, ",
            $json,
            " AS json, i.revision, i.source, i.webhook, i.asked_at, i.resolved_at, i.resolution,
             i.held, i.version,
             (SELECT s.until FROM askback.snoozes s WHERE s.inquiry = i.number) AS snoozed_until,
             i.credential, a.client, a.project, a.session, a.delivery_attempts, a.delivered_at,
             a.taken_over, a.detached "
        )
    };
}
pub(super) use inquiry_columns;

macro_rules! columns {
    () => {
        concat!(
            inquiry_columns!("i.json"),
            "FROM askback.inquiries i
             JOIN askback.conversations c ON c.number = i.conversation
             LEFT JOIN askback.askers a ON a.inquiry = i.number "
        )
    };
}

/// Each row by its key: see `from_ids` in `load.rs`.
const BY_ID: &str = concat!(
    "SELECT ",
    inquiry_columns!("i.json"),
    "FROM UNNEST ((SELECT $1)) AS k (id)
     CROSS JOIN LATERAL (SELECT * FROM askback.inquiries i WHERE i.id = k.id OFFSET 0) i
     CROSS JOIN LATERAL (SELECT * FROM askback.conversations c
                         WHERE c.number = i.conversation OFFSET 0) c
     LEFT JOIN LATERAL (SELECT * FROM askback.askers a WHERE a.inquiry = i.number OFFSET 0) a
               ON true"
);

/// The same columns. A tombstone has no value for some of them.
const TOMBSTONES: &str =
    "SELECT 0::bigint, 0::bigint, t.inquiry, c.id, t.status, t.dialect, ''::text, t.revision,
            NULL::text, NULL::text, t.asked_at, t.resolved_at, t.resolution, NULL::text,
            t.version, NULL::bigint, t.credential, NULL::text, NULL::text, NULL::text, NULL::bigint,
            NULL::bigint, NULL::bigint, NULL::bigint
     FROM askback.tombstones t JOIN askback.conversations c ON c.number = t.conversation
     WHERE t.inquiry = ANY ($1)";

/// A page that ends at the bytes of a page. The parameters are the key and number of the cursor, the
/// limit, and the bytes. Each filter has its own statement, so that each can use its index.
macro_rules! list {
    ($where:literal, $order:literal) => {
        concat!(
            "SELECT expires_at, number, id, conversation_id, status, dialect, json, revision, source,
                    webhook, asked_at, resolved_at, resolution, held, version,
                    snoozed_until, credential, client, project, session, delivery_attempts, delivered_at,
                    taken_over, detached
             FROM (SELECT page.*, sum(bytes) OVER (ORDER BY ",
            $order,
            ") - bytes AS before
                   FROM (SELECT octet_length(i.json) + coalesce(octet_length(i.resolution), 0)
                                + coalesce(octet_length(i.held), 0) AS bytes, ",
            columns!(),
            "WHERE ",
            $where,
            " ORDER BY ",
            $order,
            " LIMIT $3) page) pages
             WHERE before <= $4 ORDER BY ",
            $order
        )
    };
}

const LIST_PENDING: &str = list!(
    "i.status = 'pending' AND (i.expires_at, i.number) > ($1, $2)",
    "expires_at, number"
);
const LIST_PENDING_IN: &str = list!(
    "i.conversation = (SELECT number FROM askback.conversations WHERE id = $5)
     AND i.status = 'pending' AND (i.expires_at, i.number) > ($1, $2)",
    "expires_at, number"
);
const LIST_RESOLVED: &str = list!(
    "i.status = $5 AND i.status <> 'pending' AND i.number < $2 AND $1::bigint IS NOT NULL",
    "number DESC"
);
const LIST_ALL: &str = list!("i.number < $2 AND $1::bigint IS NOT NULL", "number DESC");
const LIST_IN: &str = list!(
    "i.conversation = (SELECT number FROM askback.conversations WHERE id = $5)
     AND i.number < $2 AND $1::bigint IS NOT NULL",
    "number DESC"
);
const LIST_RESOLVED_IN: &str = list!(
    "i.conversation = (SELECT number FROM askback.conversations WHERE id = $5)
     AND i.status = $6 AND i.number < $2 AND $1::bigint IS NOT NULL",
    "number DESC"
);

/// The inquiries of one agent. The session is between two names, which are the same for one session.
const LIST_ASKED_PENDING: &str = list!(
    "i.number IN (SELECT inquiry FROM askback.askers
                  WHERE agent = $5 AND delivered_at IS NULL AND session BETWEEN $6 AND $7)
     AND i.status = 'pending' AND (i.expires_at, i.number) > ($1, $2)",
    "expires_at, number"
);
const LIST_UNDELIVERED: &str = list!(
    "i.number IN (SELECT inquiry FROM askback.askers
                  WHERE agent = $5 AND delivered_at IS NULL AND session BETWEEN $6 AND $7)
     AND i.status <> 'pending' AND i.number < $2 AND $1::bigint IS NOT NULL",
    "number DESC"
);

/// Inquiries, or their tombstones.
pub(super) async fn read(
    pool: &Pool,
    ids: &[InquiryId],
) -> Result<Found<InquiryId, InquiryRow>, StoreError> {
    let keys: Vec<_> = ids.iter().map(|id| Text(id.as_str())).collect();
    let mut found = read_all(&pool.query(BY_ID, &[&keys]).await?)?;
    let has = |id: &InquiryId| found.iter().any(|(known, _)| known == id);
    if ids.iter().all(has) {
        return Ok(found);
    }
    let ended = read_all(&pool.query(TOMBSTONES, &[&keys]).await?)?;
    found.extend(ended);
    Ok(found)
}

fn read_all(rows: &[Row]) -> Result<Found<InquiryId, InquiryRow>, StoreError> {
    let read = |row| {
        let id = Columns::from(row, ID).inquiry()?;
        Ok((id, read_row(row).map(|(_, inquiry)| inquiry)))
    };
    rows.iter().map(read).collect()
}

/// A page of inquiries: pending ones by deadline, then age; others newest first.
pub(super) async fn list(
    pool: &Pool,
    filter: &InquiryFilter,
) -> Result<Page<InquiryRow>, StoreError> {
    let (is_pending, order) = (filter.is_pending(), filter.order());
    let from = order.start(filter.cursor.as_deref())?;
    let more = length(filter.limit.saturating_add(1));
    let bytes = length(PAGE_BYTES_MAX);
    let status = filter.status.as_deref().map(Text);
    let conversation = filter.conversation.as_ref().map(|id| Text(id.as_str()));
    let agent = filter.asker.as_ref().map(|asker| {
        let hash = agent_hash(&asker.client, asker.project.as_deref());
        (hash, asker.sessions().map(Text))
    });
    let mut parameters: Vec<&dyn Parameter> = vec![&from.key, &from.number, &more, &bytes];
    let sql = if let Some((hash, [first, last])) = &agent {
        parameters.extend([hash as &dyn Parameter, first, last]);
        if is_pending {
            LIST_ASKED_PENDING
        } else {
            LIST_UNDELIVERED
        }
    } else {
        let named = conversation.as_ref().map(|id| id as &dyn Parameter);
        parameters.extend(named);
        let status = status.as_ref().filter(|_| !is_pending);
        parameters.extend(status.map(|status| status as &dyn Parameter));
        match (is_pending, &conversation, status) {
            (true, None, _) => LIST_PENDING,
            (true, Some(_), _) => LIST_PENDING_IN,
            (false, Some(_), None) => LIST_IN,
            (false, Some(_), Some(_)) => LIST_RESOLVED_IN,
            (false, None, Some(_)) => LIST_RESOLVED,
            (false, None, None) => LIST_ALL,
        }
    };
    let rows = pool.query(sql, &parameters).await?;
    page(
        rows.iter().map(read_row),
        (filter.limit, order),
        InquiryRow::bytes,
    )
}

fn read_row(row: &Row) -> Result<(PageCursor, InquiryRow), StoreError> {
    read_columns(Columns::of(row))
}

/// Reads an inquiry from the columns that follow.
pub(super) fn read_columns(
    mut columns: Columns<'_>,
) -> Result<(PageCursor, InquiryRow), StoreError> {
    let mut first = columns;
    let key: i64 = columns.get()?;
    let number = columns.get()?;
    let row = InquiryRow {
        expires_at: first.deadline()?,
        id: columns.inquiry()?,
        conversation: columns.conversation()?,
        status: columns.get()?,
        dialect: columns.get()?,
        json: columns.get()?,
        revision: columns.small()?,
        source: columns.get::<Option<&str>>()?.and_then(Name::name),
        webhook: columns.get()?,
        asked_at: columns.time()?,
        resolved_at: columns.optional_time()?,
        resolution: columns.get()?,
        held: columns.get()?,
        version: columns.unsigned()?,
        snoozed_until: columns.optional_time()?,
        credential: columns.get()?,
        asker: read_asker(&mut columns)?,
    };
    Ok((PageCursor { key, number }, row))
}

fn read_asker(columns: &mut Columns<'_>) -> Result<Option<AskerRow>, StoreError> {
    let Some(client) = columns.get::<Option<String>>()? else {
        return Ok(None);
    };
    let project: String = columns.get()?;
    Ok(Some(AskerRow {
        client: Name::name_or_mark(&client),
        project: Name::name(&project),
        session: Name::name_or_mark(columns.get()?),
        delivery_attempts: columns.small()?,
        delivered_at: columns.optional_time()?,
        taken_over: columns.get::<i64>()? != 0,
        detached: columns.get::<i64>()? != 0,
    }))
}

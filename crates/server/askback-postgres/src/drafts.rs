//! Drafts of answers, and inquiries that are hidden from the inbox until a time. Both end with the
//! outcome of their inquiry, so they lock its row: an outcome that is being written is seen.

use jiff::Timestamp;

use askback_core::id::InquiryId;

use crate::connection::Parameters;
use crate::pool::Pool;
use crate::remote::{CHANNEL, Message};
use crate::shared::Shared;
use crate::sql_values::{Columns, Text};
use askback_store::rows::DraftRow;
use askback_store::sql::stored_numbers::stored_micros;
use askback_store::store::StoreError;

const PUT_DRAFT: &str = "INSERT INTO askback.drafts (inquiry, at, json)
     SELECT number, $2, $3 FROM askback.inquiries
     WHERE id = $1 AND status = 'pending' FOR SHARE
     ON CONFLICT (inquiry) DO UPDATE SET at = excluded.at, json = excluded.json";

const ADD_DRAFT: &str = "INSERT INTO askback.drafts (inquiry, at, json)
     SELECT number, $2, $3 FROM askback.inquiries
     WHERE id = $1 AND status = 'pending' FOR SHARE
     ON CONFLICT (inquiry) DO NOTHING";

const REPLACE_DRAFT: &str = "WITH asked AS (
         SELECT number FROM askback.inquiries WHERE id = $1 AND status = 'pending' FOR SHARE
     )
     UPDATE askback.drafts d SET at = $2, json = $3 FROM asked
     WHERE d.inquiry = asked.number AND d.json = $4";

const DRAFT: &str = "SELECT i.id, d.json, d.at
     FROM askback.inquiries i JOIN askback.drafts d ON d.inquiry = i.number
     WHERE i.id = $1";

const PUT_SNOOZE: &str = "WITH hidden AS (
         INSERT INTO askback.snoozes (inquiry, until)
         SELECT number, $2 FROM askback.inquiries
         WHERE id = $1 AND status = 'pending' FOR SHARE
         ON CONFLICT (inquiry) DO UPDATE SET until = excluded.until
         RETURNING inquiry
     )
     SELECT pg_notify($3, $4) FROM hidden";

const END_SNOOZE: &str = "WITH shown AS (
         DELETE FROM askback.snoozes
         WHERE inquiry = (SELECT number FROM askback.inquiries WHERE id = $1)
         RETURNING inquiry
     )
     SELECT pg_notify($2, $3) FROM shown";

/// Saves a draft if its inquiry is pending.
pub(super) async fn put(pool: &Pool, draft: &DraftRow) -> Result<(), StoreError> {
    let id = Text(draft.inquiry.as_str());
    let (at, json) = (stored_micros(draft.at), Text(&draft.json));
    pool.change(PUT_DRAFT, &[&id, &at, &json]).await.map(drop)
}

/// Saves a draft if its inquiry is pending and this one is stored.
pub(super) async fn replace(
    pool: &Pool,
    draft: &DraftRow,
    stored: Option<&DraftRow>,
) -> Result<bool, StoreError> {
    let id = Text(draft.inquiry.as_str());
    let (at, json) = (stored_micros(draft.at), Text(&draft.json));
    let changed = match stored {
        None => pool.change(ADD_DRAFT, &[&id, &at, &json]).await?,
        Some(stored) => {
            let stored = Text(&stored.json);
            let parameters: Parameters<'_> = &[&id, &at, &json, &stored];
            pool.change(REPLACE_DRAFT, parameters).await?
        }
    };
    Ok(changed > 0)
}

pub(super) async fn read(pool: &Pool, inquiry: &InquiryId) -> Result<Option<DraftRow>, StoreError> {
    let id = Text(inquiry.as_str());
    let rows = pool.query(DRAFT, &[&id]).await?;
    let draft = rows.first().map(|row| {
        let mut columns = Columns::of(row);
        Ok(DraftRow {
            inquiry: columns.inquiry()?,
            json: columns.get()?,
            at: columns.time()?,
        })
    });
    draft.transpose()
}

/// Hides a pending inquiry, or shows it again, and tells the other nodes in the same transaction.
pub(super) async fn put_snooze(
    pool: &Pool,
    shared: &Shared,
    inquiry: &InquiryId,
    until: Option<Timestamp>,
) -> Result<(), StoreError> {
    let id = Text(inquiry.as_str());
    let until = until.map(stored_micros);
    let message = Message::Snoozed {
        // Without a lease, this node receives its own message; showing it twice changes nothing.
        node: shared.node().unwrap_or_default(),
        inquiry: inquiry.clone(),
    };
    let (channel, message) = (Text(CHANNEL), message.to_string());
    let message = Text(&message);
    match until {
        Some(until) => {
            pool.change_returning(PUT_SNOOZE, &[&id, &until, &channel, &message])
                .await?
        }
        None => {
            pool.change_returning(END_SNOOZE, &[&id, &channel, &message])
                .await?
        }
    };
    Ok(())
}

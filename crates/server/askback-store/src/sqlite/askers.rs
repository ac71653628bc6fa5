//! The agents that asked, and the delivery of outcomes to them.

use rusqlite::{Connection, OptionalExtension};

use askback_core::id::InquiryId;
use askback_core::text::Text;
use jiff::Timestamp;

use crate::commit::{DeliveryRecord, DeliveryStep, InquiryChange, NewAsker, SessionTakeover};
use crate::filters::AskerSessionFilter;
use crate::rows::AskerRow;
use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::{SqlId, SqlTimestamp, SqlU64};
use crate::sqlite::statements::{execute, query_all, query_one};
use crate::store::StoreError;

/// Fails with [`StoreError::AlreadyAsked`] if the same session asked the same before and no delivery of the
/// outcome was started yet.
pub(super) fn refuse_same_call(
    transaction: &Connection,
    changes: &[InquiryChange],
) -> Result<(), StoreError> {
    for asker in changes.iter().filter_map(InquiryChange::asker) {
        if let Some(inquiry) = same_call(transaction, asker)? {
            return Err(StoreError::AlreadyAsked { inquiry });
        }
    }
    Ok(())
}

pub(super) const SAME_CALL: &str = "SELECT i.id
     FROM askers a JOIN inquiries i ON i.number = a.inquiry
     WHERE a.client = ?1 AND a.project = ?2 AND a.session = ?3 AND a.delivered_at IS NULL AND a.call = ?4
       AND a.delivery_attempts = 0 AND a.taken_over = 0
     ORDER BY a.inquiry LIMIT 1";

/// The oldest inquiry of the same call in the asker's session.
fn same_call(transaction: &Connection, asker: &NewAsker) -> Result<Option<InquiryId>, StoreError> {
    let project = asker.project.as_deref().unwrap_or_default();
    let call = (&*asker.client, project, &*asker.session, &asker.call);
    let inquiry = query_one(transaction, SAME_CALL, call, |row| {
        row.get::<_, SqlId<_>>(0)
    });
    Ok(inquiry?.map(|id| id.0))
}

pub(super) fn insert(
    transaction: &Connection,
    inquiry: i64,
    asker: &NewAsker,
) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO askers (inquiry, client, project, session, call) VALUES (?1, ?2, ?3, ?4, ?5)";
    let (client, session) = (&*asker.client, &*asker.session);
    let project = asker.project.as_deref().unwrap_or_default();
    let parameters = (inquiry, client, project, session, &asker.call);
    execute(transaction, sql, parameters).map(drop)
}

const DETACHED: &str = "UPDATE askers SET detached = ?3
     WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1 AND status = 0)
       AND ?2 IS NOT NULL";

/// Records a step of the delivery.
pub(super) fn set_delivery(
    transaction: &Connection,
    inquiry: &InquiryId,
    step: DeliveryStep,
    at: Timestamp,
) -> Result<Written<DeliveryRecord>, StoreError> {
    let (sql, value) = match step {
        DeliveryStep::Started { expected_attempts } => (
            "UPDATE askers SET delivery_attempts = delivery_attempts + 1
             WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1) AND ?2 IS NOT NULL
               AND delivery_attempts = coalesce(?3, delivery_attempts)",
            expected_attempts,
        ),
        // A pending inquiry has no outcome that could have been delivered.
        DeliveryStep::Done => (
            "UPDATE askers SET delivered_at = coalesce(delivered_at, ?2)
             WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1 AND status <> 0) AND ?3 IS NULL",
            None,
        ),
        DeliveryStep::Failed => (
            "UPDATE askers SET delivered_at = NULL, delivery_attempts = max(delivery_attempts - 1, 0)
             WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1)
               AND ?2 IS NOT NULL AND ?3 IS NULL",
            None,
        ),
        DeliveryStep::Attached => (DETACHED, Some(0)),
        DeliveryStep::Detached => (DETACHED, Some(1)),
    };
    if execute(transaction, sql, (SqlId(inquiry), SqlTimestamp(at), value))? == 1 {
        return Ok(Written::from(DeliveryRecord::Recorded));
    }
    let others_may_try = matches!(
        step,
        DeliveryStep::Started {
            expected_attempts: Some(_)
        }
    );
    let sql = "SELECT 1 FROM askers WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1)";
    let mut is_known = transaction.prepare_cached(sql)?;
    let is_superseded = others_may_try && is_known.exists([SqlId(inquiry)])?;
    Ok(Written::from(if is_superseded {
        DeliveryRecord::Superseded
    } else {
        DeliveryRecord::NothingToDeliver
    }))
}

pub(super) const SESSIONS: &str = "SELECT DISTINCT session FROM askers
     WHERE client = ?1 AND project = ?2 AND delivered_at IS NULL AND session > ?3 AND session < ?4
     ORDER BY session LIMIT ?5";

/// Greater than every other character.
const LAST_CHAR: char = char::MAX;

pub(super) fn sessions(
    connection: &Connection,
    filter: &AskerSessionFilter,
) -> Result<Vec<String>, StoreError> {
    let project = filter.project.as_deref().unwrap_or_default();
    let after = filter.after.as_deref().unwrap_or(&filter.prefix);
    let end = format!("{}{LAST_CHAR}", filter.prefix);
    let limit = SqlU64::from_len(filter.limit);
    let parameters = (&filter.client, project, after, end, limit);
    query_all(connection, SESSIONS, parameters, |row| row.get(0))
}

pub(super) const TAKE_OVER: &str = "UPDATE askers
     SET session = ?4, taken_over = max(taken_over, ?5), detached = 1
     WHERE client = ?1 AND project = ?2 AND session = ?3 AND delivered_at IS NULL";

pub(super) fn take_over(
    transaction: &Connection,
    takeover: &SessionTakeover,
) -> Result<Written<usize>, StoreError> {
    let project = takeover.project.as_deref().unwrap_or_default();
    let mut count = 0;
    for from in &takeover.from {
        let params = (
            &takeover.client,
            project,
            from,
            &*takeover.to,
            !takeover.resumes,
        );
        count += execute(transaction, TAKE_OVER, params)?;
    }
    Ok(Written::from(count))
}

pub(super) fn read(connection: &Connection, inquiry: i64) -> rusqlite::Result<Option<AskerRow>> {
    let sql =
        "SELECT client, project, session, delivery_attempts, delivered_at, taken_over, detached
         FROM askers WHERE inquiry = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let asker = statement.query_row([inquiry], |row| {
        Ok(AskerRow {
            client: Text::name_or_mark(row.get_ref(0)?.as_str()?),
            project: Text::name(row.get_ref(1)?.as_str()?),
            session: Text::name_or_mark(row.get_ref(2)?.as_str()?),
            delivery_attempts: row.get(3)?,
            delivered_at: row
                .get::<_, Option<SqlTimestamp>>(4)?
                .map(|moment| moment.0),
            taken_over: row.get(5)?,
            detached: row.get(6)?,
        })
    });
    asker.optional()
}

#[cfg(test)]
#[path = "askers_tests.rs"]
mod tests;

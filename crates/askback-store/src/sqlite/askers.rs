//! The agents that asked, and the delivery of outcomes to them.

use rusqlite::{Connection, OptionalExtension};

use askback_core::id::InquiryId;
use jiff::Timestamp;

use crate::commit::{DeliveryStep, InquiryChange, NewAsker};
use crate::rows::AskerRow;
use crate::sqlite::sql_types::{SqlId, SqlTimestamp};
use crate::sqlite::writer::Written;
use crate::store::StoreError;

/// Fails with [`StoreError::AlreadyAsked`] if the same agent asked the same before and the outcome was
/// not delivered to it yet.
pub(super) fn refuse_same_call(
    transaction: &Connection,
    changes: &[InquiryChange],
) -> Result<(), StoreError> {
    for change in changes {
        if let InquiryChange::Ask(new) = change
            && let Some(asker) = &new.asker
            && let Some(inquiry) = same_call(transaction, asker)?
        {
            return Err(StoreError::AlreadyAsked { inquiry });
        }
    }
    Ok(())
}

pub(super) const SAME_CALL: &str = "SELECT i.id, a.session
     FROM askers a JOIN inquiries i ON i.number = a.inquiry
     WHERE a.client = ?1 AND a.project = ?2 AND a.delivered_at IS NULL AND a.call = ?3
     ORDER BY a.inquiry";

/// The oldest inquiry of the same call, in the asker's session or one that it continues.
fn same_call(transaction: &Connection, asker: &NewAsker) -> Result<Option<InquiryId>, StoreError> {
    let mut statement = transaction.prepare_cached(SAME_CALL)?;
    let project = asker.project.as_deref().unwrap_or_default();
    let mut rows = statement.query((&asker.client, project, &asker.call))?;
    while let Some(row) = rows.next()? {
        let session: String = row.get(1)?;
        if session == asker.session || asker.earlier_sessions.contains(&session) {
            return Ok(Some(row.get::<_, SqlId<_>>(0)?.0));
        }
    }
    Ok(None)
}

pub(super) fn insert(
    transaction: &Connection,
    inquiry: i64,
    asker: &NewAsker,
) -> Result<(), StoreError> {
    let mut statement = transaction.prepare_cached(
        "INSERT INTO askers (inquiry, client, project, session, call) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?;
    let project = asker.project.as_deref().unwrap_or_default();
    statement.execute((inquiry, &asker.client, project, &asker.session, &asker.call))?;
    Ok(())
}

/// Records a step of the delivery. False if no agent is known for the inquiry.
pub(super) fn set_delivery(
    transaction: &Connection,
    inquiry: &InquiryId,
    step: DeliveryStep,
    at: Timestamp,
) -> Result<Written<bool>, StoreError> {
    let sql = match step {
        DeliveryStep::Started => {
            "UPDATE askers SET delivery_attempts = delivery_attempts + 1
             WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1) AND ?2 IS NOT NULL"
        }
        // A pending inquiry has no outcome that could have been delivered.
        DeliveryStep::Done => {
            "UPDATE askers SET delivered_at = coalesce(delivered_at, ?2)
             WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1 AND status <> 0)"
        }
        DeliveryStep::Failed => {
            "UPDATE askers SET delivered_at = NULL
             WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1) AND ?2 IS NOT NULL"
        }
    };
    let mut statement = transaction.prepare_cached(sql)?;
    let changed = statement.execute((SqlId(inquiry), SqlTimestamp(at)))?;
    Ok(Written::from(changed == 1))
}

pub(super) fn read(connection: &Connection, inquiry: i64) -> rusqlite::Result<Option<AskerRow>> {
    let mut statement = connection.prepare_cached(
        "SELECT client, project, session, delivery_attempts, delivered_at FROM askers
         WHERE inquiry = ?1",
    )?;
    let asker = statement.query_row([inquiry], |row| {
        let project: String = row.get(1)?;
        Ok(AskerRow {
            client: row.get(0)?,
            project: (!project.is_empty()).then_some(project),
            session: row.get(2)?,
            delivery_attempts: row.get(3)?,
            delivered_at: row
                .get::<_, Option<SqlTimestamp>>(4)?
                .map(|moment| moment.0),
        })
    });
    asker.optional()
}

#[cfg(test)]
#[path = "askers_tests.rs"]
mod tests;

//! The agents that asked, and the delivery of outcomes to them.

use jiff::Timestamp;

use askback_core::id::InquiryId;

use crate::pool::Pool;
use crate::sql_values::{Columns, Text, agent_hash, length};
use askback_store::commit::{DeliveryRecord, DeliveryStep, SessionTakeover};
use askback_store::filters::AskerSessionFilter;
use askback_store::sql::stored_numbers::stored_micros;
use askback_store::store::StoreError;

const STARTED: &str = "UPDATE askback.askers SET delivery_attempts = delivery_attempts + 1
     WHERE inquiry = (SELECT number FROM askback.inquiries WHERE id = $1)
       AND delivery_attempts = coalesce($2, delivery_attempts)";

/// A pending inquiry has no outcome that could have been delivered.
const DONE: &str = "UPDATE askback.askers SET delivered_at = coalesce(delivered_at, $2)
     WHERE inquiry = (SELECT number FROM askback.inquiries
                      WHERE id = $1 AND status <> 'pending')";

const FAILED: &str = "UPDATE askback.askers
     SET delivered_at = NULL, delivery_attempts = greatest(delivery_attempts - 1, 0)
     WHERE inquiry = (SELECT number FROM askback.inquiries WHERE id = $1)";

const DETACHED: &str = "UPDATE askback.askers SET detached = $2
     WHERE inquiry = (SELECT number FROM askback.inquiries
                      WHERE id = $1 AND status = 'pending')";

const IS_KNOWN: &str = "SELECT 1 FROM askback.askers
     WHERE inquiry = (SELECT number FROM askback.inquiries WHERE id = $1)";

const SESSIONS: &str = "SELECT DISTINCT session FROM askback.askers
     WHERE agent = $1 AND delivered_at IS NULL AND session > $2 AND session < $3
     ORDER BY session LIMIT $4";

const TAKE_OVER: &str = "UPDATE askback.askers
     SET session = $3, taken_over = greatest(taken_over, $4), detached = 1
     WHERE agent = $1 AND session = ANY ($2) AND delivered_at IS NULL";

/// Records a step of the delivery.
pub(super) async fn set_delivery(
    pool: &Pool,
    inquiry: &InquiryId,
    step: DeliveryStep,
    at: Timestamp,
) -> Result<DeliveryRecord, StoreError> {
    let id = Text(inquiry.as_str());
    let at = stored_micros(at);
    let (changed, expected) = match step {
        DeliveryStep::Started { expected_attempts } => {
            let expected = expected_attempts.map(i64::from);
            (pool.change(STARTED, &[&id, &expected]).await?, expected)
        }
        DeliveryStep::Done => (pool.change(DONE, &[&id, &at]).await?, None),
        DeliveryStep::Failed => (pool.change(FAILED, &[&id]).await?, None),
        DeliveryStep::Attached => (pool.change(DETACHED, &[&id, &0_i64]).await?, None),
        DeliveryStep::Detached => (pool.change(DETACHED, &[&id, &1_i64]).await?, None),
    };
    if changed == 1 {
        return Ok(DeliveryRecord::Recorded);
    }
    let is_superseded = expected.is_some() && !pool.query(IS_KNOWN, &[&id]).await?.is_empty();
    Ok(if is_superseded {
        DeliveryRecord::Superseded
    } else {
        DeliveryRecord::NothingToDeliver
    })
}

pub(super) async fn sessions(
    pool: &Pool,
    filter: &AskerSessionFilter,
) -> Result<Vec<String>, StoreError> {
    let agent = agent_hash(&filter.client, filter.project.as_deref());
    let after = Text(filter.after.as_deref().unwrap_or(&filter.prefix));
    let end = format!("{}{}", filter.prefix, char::MAX);
    let end = Text(&end);
    let limit = length(filter.limit);
    let rows = pool
        .query(SESSIONS, &[&agent, &after, &end, &limit])
        .await?;
    rows.iter().map(|row| Columns::of(row).get()).collect()
}

pub(super) async fn take_over(
    pool: &Pool,
    takeover: &SessionTakeover,
) -> Result<usize, StoreError> {
    let agent = agent_hash(&takeover.client, takeover.project.as_deref());
    let from: Vec<_> = takeover.from.iter().map(|name| Text(name)).collect();
    let to = Text(&takeover.to);
    let taken_over = i64::from(!takeover.resumes);
    pool.change(TAKE_OVER, &[&agent, &from, &to, &taken_over])
        .await
}

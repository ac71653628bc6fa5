//! What waits in the store, counted from index entries alone.

use std::collections::BTreeMap;

use crate::pool::Pool;
use crate::sql_values::Columns;
use askback_store::rows::Backlog;
use askback_store::store::StoreError;

/// Numbers rise with time, so that the lowest one is the oldest inquiry.
const PENDING: &str = "SELECT p.count, i.asked_at
     FROM (SELECT count(*), min(number) AS oldest FROM askback.inquiries WHERE status = 'pending') p
     LEFT JOIN askback.inquiries i ON i.number = p.oldest";
const JOBS: &str = "SELECT queue, count(*) FROM askback.jobs GROUP BY queue";
const MESSAGES: &str =
    "SELECT channel, count(*) FROM askback.deliveries WHERE due_at IS NOT NULL GROUP BY channel";

pub(super) async fn read(pool: &Pool) -> Result<Backlog, StoreError> {
    let rows = pool.query(PENDING, &[]).await?;
    let (pending, oldest_asked_at) = match rows.first() {
        Some(row) => {
            let mut columns = Columns::of(row);
            (columns.unsigned()?, columns.optional_time()?)
        }
        None => (0, None),
    };
    Ok(Backlog {
        pending,
        oldest_asked_at,
        jobs: counts(pool, JOBS).await?,
        messages: counts(pool, MESSAGES).await?,
    })
}

async fn counts(pool: &Pool, sql: &'static str) -> Result<BTreeMap<String, u64>, StoreError> {
    let rows = pool.query(sql, &[]).await?;
    let counts = rows.iter().map(|row| {
        let mut columns = Columns::of(row);
        Ok((columns.get()?, columns.unsigned()?))
    });
    counts.collect()
}

//! Jobs: claimed in memory, finished and put off on disk.

use jiff::Timestamp;
use rusqlite::{Connection, Row};

use crate::rows::{JobId, JobRow};
use crate::sqlite::leases::{Lease, Leases};
use crate::sqlite::value::{Count, Moment, Stored};
use crate::sqlite::word::Word;
use crate::sqlite::writer::Written;
use crate::store::StoreError;

const DUE: &str = "SELECT j.id, c.id, j.kind, j.json, j.run_at, j.attempts
     FROM jobs j CROSS JOIN conversations c ON c.number = j.conversation
     WHERE j.run_at <= ?1 ORDER BY j.run_at, j.id";

/// Read only until one is found that nobody holds.
const ALL: &str = "SELECT id, run_at FROM jobs ORDER BY run_at, id";

/// Which jobs to claim.
pub(super) struct Claim {
    pub(super) now: Timestamp,
    pub(super) lease_until: Timestamp,
    pub(super) limit: usize,
}

/// Takes jobs that are due and that nobody holds, the longest due first.
pub(super) fn claim(
    connection: &Connection,
    leases: &Leases,
    claim: &Claim,
) -> Result<Vec<JobRow>, StoreError> {
    let mut held = leases.lock();
    let mut statement = connection.prepare_cached(DUE)?;
    let mut rows = statement.query([Moment(claim.now)])?;
    let mut claimed = Vec::new();
    while claimed.len() < claim.limit
        && let Some(row) = rows.next()?
    {
        let id: Count = row.get(0)?;
        let before = held.get(&id.0);
        if before.is_some_and(|lease| lease.until > claim.now) {
            continue;
        }
        let mut job = read_job(row)?;
        job.attempt = before.map_or(job.attempt, |lease| lease.attempt) + 1;
        let lease = Lease {
            until: claim.lease_until,
            attempt: job.attempt,
        };
        held.insert(job.id, lease);
        claimed.push(job);
    }
    Ok(claimed)
}

fn read_job(row: &Row<'_>) -> rusqlite::Result<JobRow> {
    Ok(JobRow {
        id: row.get::<_, Count>(0)?.0,
        conversation: row.get::<_, Stored<_>>(1)?.0,
        kind: row.get::<_, Word<_>>(2)?.0,
        json: row.get(3)?,
        run_at: row.get::<_, Moment>(4)?.0,
        attempt: row.get(5)?,
    })
}

/// When there is something to claim again: the first job that nobody holds, or the end of a lease.
pub(super) fn next_at(
    connection: &Connection,
    leases: &Leases,
) -> Result<Option<Timestamp>, StoreError> {
    let held = leases.lock();
    let mut statement = connection.prepare_cached(ALL)?;
    let mut rows = statement.query([])?;
    let mut next = None;
    while let Some(row) = rows.next()? {
        if !held.contains_key(&row.get::<_, Count>(0)?.0) {
            next = Some(row.get::<_, Moment>(1)?.0);
            break;
        }
    }
    let lapse = held.values().map(|lease| lease.until).min();
    Ok(next.into_iter().chain(lapse).min())
}

/// Puts a job off. How often it was claimed is written along.
pub(super) fn release(
    transaction: &Connection,
    job: JobId,
    run_at: Timestamp,
    attempt: u32,
) -> Result<Written<()>, StoreError> {
    let mut statement = transaction.prepare_cached(
        "UPDATE jobs SET run_at = ?2, attempts = max(attempts, ?3) WHERE id = ?1",
    )?;
    statement.execute((Count(job), Moment(run_at), attempt))?;
    Ok(Written {
        value: (),
        freed: vec![job],
        claimed: Vec::new(),
    })
}

/// Removes a job.
pub(super) fn finish(transaction: &Connection, job: JobId) -> Result<Written<()>, StoreError> {
    let mut statement = transaction.prepare_cached("DELETE FROM jobs WHERE id = ?1")?;
    statement.execute([Count(job)])?;
    Ok(Written {
        value: (),
        freed: vec![job],
        claimed: Vec::new(),
    })
}

#[cfg(test)]
#[path = "jobs_tests.rs"]
mod tests;

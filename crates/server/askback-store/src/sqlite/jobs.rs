//! Jobs. Claims are kept in memory; finishing and releasing a job are written.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Params, Row};

use crate::rows::{JobClaim, JobId, JobRow};
use crate::sql::claims::{Claim, Claims};
use crate::sqlite::interned_name::InternedName;
use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::{SqlId, SqlTimestamp, SqlU64};
use crate::sqlite::statements::{execute, query_all};
use crate::store::StoreError;

/// Read only until enough jobs are claimed or one is not due.
pub(super) const JOBS_BY_DUE_TIME: &str = "SELECT j.id, c.id, j.kind, j.json, j.run_at, j.attempts
     FROM jobs j CROSS JOIN conversations c ON c.number = j.conversation
     WHERE j.queue = ?1 ORDER BY j.run_at, j.id";

pub(super) struct ClaimQuery {
    pub(super) queue: String,
    pub(super) now: Timestamp,
    pub(super) limit: usize,
}

/// Claims due jobs of a queue that are not claimed, the longest overdue first.
pub(super) fn claim(
    connection: &Connection,
    claims: &Claims,
    query: &ClaimQuery,
) -> Result<JobClaim, StoreError> {
    // Locked while jobs are read, so that one that is being finished is either not read any more or still claimed.
    let mut held = claims.lock();
    let mut statement = connection.prepare_cached(JOBS_BY_DUE_TIME)?;
    let mut rows = statement.query([&query.queue])?;
    let mut claimed = JobClaim {
        jobs: Vec::new(),
        next_at: None,
    };
    while let Some(row) = rows.next()? {
        let before = held.get(&row.get::<_, SqlU64>(0)?.0);
        if before.is_some_and(|claim| !claim.is_abandoned) {
            continue;
        }
        let run_at = row.get::<_, SqlTimestamp>(4)?.0;
        if run_at > query.now || claimed.jobs.len() >= query.limit {
            claimed.next_at = Some(run_at);
            break;
        }
        let mut job = read_job(row, &query.queue)?;
        job.attempt = before.map_or(job.attempt, |claim| claim.attempt) + 1;
        held.insert(job.id, Claim::active(job.attempt));
        claimed.jobs.push(job);
    }
    Ok(claimed)
}

fn read_job(row: &Row<'_>, queue: &str) -> rusqlite::Result<JobRow> {
    Ok(JobRow {
        id: row.get::<_, SqlU64>(0)?.0,
        conversation: row.get::<_, SqlId<_>>(1)?.0,
        queue: queue.to_owned(),
        kind: row.get::<_, InternedName<_>>(2)?.0,
        json: row.get(3)?,
        run_at: row.get::<_, SqlTimestamp>(4)?.0,
        attempt: row.get(5)?,
    })
}

const LIST: &str = "SELECT j.id, c.id, j.kind, j.json, j.run_at, j.attempts, j.queue
     FROM jobs j CROSS JOIN conversations c ON c.number = j.conversation
     WHERE substr(j.queue, 1, length(?1)) = ?1 AND j.id > ?2 ORDER BY j.id LIMIT ?3";

/// How often a claimed job was claimed; 0 without a claim.
pub(super) fn attempt(claims: &Claims, job: JobId) -> u32 {
    claims.lock().get(&job).map_or(0, |claim| claim.attempt)
}

/// Jobs by number, for people who look.
pub(super) fn list(
    connection: &Connection,
    prefix: &str,
    after: JobId,
    limit: usize,
) -> Result<Vec<JobRow>, StoreError> {
    let parameters = (prefix, SqlU64(after), SqlU64::from_len(limit));
    query_all(connection, LIST, parameters, |row| {
        read_job(row, &row.get::<_, String>(6)?)
    })
}

/// Schedules a job again, with other content if there is some, and stores how often it was claimed.
pub(super) fn release(
    transaction: &Connection,
    job: JobId,
    run_at: Timestamp,
    (attempt, json): (u32, Option<&str>),
) -> Result<Written<()>, StoreError> {
    let sql = "UPDATE jobs SET run_at = ?2, attempts = max(attempts, ?3), json = coalesce(?4, json)
         WHERE id = ?1";
    let parameters = (SqlU64(job), SqlTimestamp(run_at), attempt, json);
    execute(transaction, sql, parameters)?;
    Ok(Written::with_freed((), vec![job]))
}

/// Makes jobs due earlier, but not before `now`.
pub(super) fn bring_forward(
    transaction: &Connection,
    queue: &str,
    now: Timestamp,
    by: SignedDuration,
) -> Result<Written<()>, StoreError> {
    let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
    let sql = "UPDATE jobs SET run_at = max(?2, run_at - ?3) WHERE queue = ?1 AND run_at > ?2";
    execute(transaction, sql, (queue, SqlTimestamp(now), micros))?;
    Ok(Written::from(()))
}

pub(super) fn finish(transaction: &Connection, job: JobId) -> Result<Written<()>, StoreError> {
    delete(transaction, job)?;
    Ok(Written::with_freed((), vec![job]))
}

pub(super) fn delete(transaction: &Connection, job: JobId) -> Result<(), StoreError> {
    let sql = "DELETE FROM jobs WHERE id = ?1";
    execute(transaction, sql, [SqlU64(job)]).map(drop)
}

/// Deletes jobs with a statement that returns their ids.
pub(super) fn delete_returning(
    transaction: &Connection,
    sql: &str,
    parameters: impl Params,
) -> Result<Vec<JobId>, StoreError> {
    query_all(transaction, sql, parameters, |row| {
        Ok(row.get::<_, SqlU64>(0)?.0)
    })
}

#[cfg(test)]
#[path = "jobs_tests.rs"]
mod tests;

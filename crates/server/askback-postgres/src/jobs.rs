//! Jobs. A claim is a column of the job, and is worth as much as the lease of the node in it.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio_postgres::Row;

use crate::connection::Parameters;
use crate::pool::Pool;
use crate::shared::Shared;
use crate::sql_values::{Columns, Text, int, length};
use askback_store::rows::{JobClaim, JobId, JobRow};
use askback_store::sql::claims::{Claim, Claims};
use askback_store::sql::stored_numbers::stored_micros;
use askback_store::store::StoreError;

/// The third parameter is this node, the fourth the jobs that it has abandoned.
const CLAIM: &str = "WITH due AS (
         SELECT id FROM askback.jobs
         WHERE queue = $1 AND run_at <= $2
           AND (node IS NULL OR (node = $3 AND id = ANY ($4)))
         ORDER BY run_at, id LIMIT $5
         FOR UPDATE SKIP LOCKED
     )
     UPDATE askback.jobs j SET node = $3, attempts = attempts + 1
     FROM due, askback.conversations c
     WHERE j.id = due.id AND c.number = j.conversation
     RETURNING j.id, c.id, j.kind, j.json, j.run_at, j.attempts";

const NEXT: &str = "SELECT run_at FROM askback.jobs
     WHERE queue = $1 AND (node IS NULL OR (node = $2 AND id = ANY ($3)))
     ORDER BY run_at, id LIMIT 1";

/// The number of claims tells whether the claim is still the same.
const ABANDON: &str = "UPDATE askback.jobs j SET node = NULL
     FROM UNNEST ($1::bigint[], $2::bigint[]) AS a (id, attempts)
     WHERE j.id = a.id AND j.attempts = a.attempts AND j.node = $3";

/// A job that another node has claimed meanwhile is left alone.
const RELEASE: &str = "UPDATE askback.jobs SET run_at = $2, node = NULL, json = coalesce($4, json)
     WHERE id = $1 AND (node IS NULL OR node = $3)";

const LIST: &str = "SELECT j.id, c.id, j.kind, j.json, j.run_at, j.attempts, j.queue
     FROM askback.jobs j JOIN askback.conversations c ON c.number = j.conversation
     WHERE starts_with(j.queue, $1) AND j.id > $2 ORDER BY j.id LIMIT $3";

const FINISH: &str = "DELETE FROM askback.jobs WHERE id = $1 AND (node IS NULL OR node = $2)";

const BRING_FORWARD: &str = "UPDATE askback.jobs SET run_at = greatest($2, run_at - $3)
     WHERE queue = $1 AND run_at > $2";

/// The claims that the database has of this node, except the given ones.
const UNKNOWN: &str = "SELECT id, attempts FROM askback.jobs WHERE node = $1 AND id <> ALL ($2)";

/// How long a response to a claim may take.
const CLAIM_TIMEOUT: Duration = Duration::from_secs(10);

/// How often in a row a claim has to be found that this process does not know, before it counts as one
/// whose response was lost. That takes longer than [`CLAIM_TIMEOUT`] with the usual lease.
const SIGHTINGS: u32 = 3;

/// Far more than any clock is set back, and small enough to be subtracted from any time.
const MICROS_MAX: i64 = 1 << 60;

/// The jobs that this process has claimed. The database learns with the next renewal of the lease which it has abandoned.
#[derive(Default)]
pub(super) struct NodeClaims {
    pub(super) held: Claims,
    /// How often claims were found that are not in `held`.
    unknown: Mutex<HashMap<JobId, u32>>,
}

impl NodeClaims {
    /// Takes note of claims, unless they are not valid any more. Whoever makes them invalid clears all
    /// claims afterwards.
    pub(super) fn acquire(&self, jobs: &[JobRow], are_valid: impl FnOnce() -> bool) {
        let mut held = self.held.lock();
        if !are_valid() {
            return;
        }
        let claims = jobs.iter().map(|job| (job.id, Claim::active(job.attempt)));
        held.extend(claims);
    }

    /// Whether a job is claimed here and not abandoned.
    pub(super) fn holds(&self, job: JobId) -> bool {
        let held = self.held.lock();
        held.get(&job).is_some_and(|claim| !claim.is_abandoned)
    }

    fn ids(&self) -> Vec<i64> {
        self.held.lock().keys().map(|id| int(*id)).collect()
    }

    /// Takes note of claims that the database has and this process does not know, and abandons those that
    /// were found several times. Returns how many.
    fn abandon_unknown(&self, found: &[(JobId, u32)]) -> usize {
        let mut unknown = self.unknown.lock();
        let mut held = self.held.lock();
        unknown.retain(|id, _| found.iter().any(|(found, _)| found == id));
        let mut abandoned = 0;
        for (id, attempt) in found {
            let sightings = unknown.entry(*id).or_default();
            *sightings += 1;
            if *sightings >= SIGHTINGS && !held.contains_key(id) {
                let claim = Claim {
                    attempt: *attempt,
                    is_abandoned: true,
                };
                held.insert(*id, claim);
                abandoned += 1;
            }
        }
        abandoned
    }

    fn abandoned(&self) -> Vec<(i64, i64)> {
        let held = self.held.lock();
        let abandoned = held.iter().filter(|(_, claim)| claim.is_abandoned);
        abandoned
            .map(|(id, claim)| (int(*id), i64::from(claim.attempt)))
            .collect()
    }

    fn abandoned_ids(&self) -> Vec<i64> {
        self.abandoned().into_iter().map(|(id, _)| id).collect()
    }
}

/// Claims due jobs of a queue that are not claimed, the longest overdue first.
pub(super) async fn claim(
    pool: &Pool,
    shared: &Shared,
    node: i64,
    queue: &str,
    now: Timestamp,
    limit: usize,
) -> Result<JobClaim, StoreError> {
    let name = Text(queue);
    let (now, limit) = (stored_micros(now), length(limit));
    let abandoned = shared.claims.abandoned_ids();
    let parameters: Parameters<'_> = &[&name, &now, &node, &abandoned, &limit];
    let claiming = pool.change_returning(CLAIM, parameters);
    let slow = |_| StoreError::CommitUnknown("PostgreSQL took too long".to_owned());
    let claimed = tokio::time::timeout(CLAIM_TIMEOUT, claiming).await;
    let rows = claimed.map_err(slow)??;
    let jobs = rows.iter().map(|row| read_job(row, queue));
    let mut jobs = jobs.collect::<Result<Vec<_>, _>>()?;
    jobs.sort_by_key(|job| (job.run_at, job.id));
    shared.acquire_claims(Some(node), &jobs);
    let abandoned = shared.claims.abandoned_ids();
    let next = pool.query(NEXT, &[&name, &node, &abandoned]).await;
    let next = match next {
        Ok(next) => next,
        // The jobs are claimed: they must not be lost.
        Err(error) if jobs.is_empty() => return Err(error),
        Err(_) => Vec::new(),
    };
    let next_at = next.first().map(|row| Columns::of(row).time());
    Ok(JobClaim {
        jobs,
        next_at: next_at.transpose()?,
    })
}

fn read_job(row: &Row, queue: &str) -> Result<JobRow, StoreError> {
    let mut columns = Columns::of(row);
    Ok(JobRow {
        id: columns.unsigned()?,
        conversation: columns.conversation()?,
        queue: queue.to_owned(),
        kind: columns.get()?,
        json: columns.get()?,
        run_at: columns.time()?,
        attempt: columns.small()?,
    })
}

/// Tells the database which jobs this process has abandoned, so that other nodes can claim them.
pub(super) async fn write_abandoned(
    pool: &Pool,
    (claims, node): (&NodeClaims, i64),
) -> Result<(), StoreError> {
    let abandoned = claims.abandoned();
    if abandoned.is_empty() {
        return Ok(());
    }
    let (ids, attempts): (Vec<_>, Vec<_>) = abandoned.iter().copied().unzip();
    pool.change(ABANDON, &[&ids, &attempts, &node]).await?;
    let mut held = claims.held.lock();
    for (id, attempt) in abandoned {
        let is_same = |claim: &Claim| claim.is_abandoned && i64::from(claim.attempt) == attempt;
        if held.get(&id.cast_unsigned()).is_some_and(is_same) {
            held.remove(&id.cast_unsigned());
        }
    }
    Ok(())
}

/// Abandons claims whose response was lost: the database has them, and nobody here works on them. Returns
/// how many.
pub(super) async fn abandon_unknown(
    pool: &Pool,
    (claims, node): (&NodeClaims, i64),
) -> Result<usize, StoreError> {
    let rows = pool.query(UNKNOWN, &[&node, &claims.ids()]).await?;
    let found = rows.iter().map(|row| {
        let mut columns = Columns::of(row);
        Ok((columns.unsigned()?, columns.small()?))
    });
    let found = found.collect::<Result<Vec<_>, StoreError>>()?;
    Ok(claims.abandon_unknown(&found))
}

/// Jobs by number, for people who look.
pub(super) async fn list(
    pool: &Pool,
    prefix: &str,
    (after, limit): (JobId, usize),
) -> Result<Vec<JobRow>, StoreError> {
    let rows = pool
        .query(LIST, &[&Text(prefix), &int(after), &length(limit)])
        .await?;
    let jobs = rows.iter().map(|row| {
        let queue: &str = Columns::from(row, 6).get()?;
        read_job(row, queue)
    });
    jobs.collect()
}

/// Schedules a job again, with other content if there is some.
pub(super) async fn release(
    pool: &Pool,
    (claims, node): (&NodeClaims, i64),
    job: JobId,
    (run_at, json): (Timestamp, Option<&str>),
) -> Result<(), StoreError> {
    let (id, run_at) = (int(job), stored_micros(run_at));
    pool.change(RELEASE, &[&id, &run_at, &node, &json.map(Text)])
        .await?;
    claims.held.release(&[job]);
    Ok(())
}

pub(super) async fn finish(
    pool: &Pool,
    (claims, node): (&NodeClaims, i64),
    job: JobId,
) -> Result<(), StoreError> {
    let id = int(job);
    pool.change(FINISH, &[&id, &node]).await?;
    claims.held.release(&[job]);
    Ok(())
}

/// Makes jobs due earlier, but not before `now`.
pub(super) async fn bring_forward(
    pool: &Pool,
    queue: &str,
    now: Timestamp,
    by: SignedDuration,
) -> Result<(), StoreError> {
    let queue = Text(queue);
    let micros = i64::try_from(by.as_micros())
        .unwrap_or(i64::MAX)
        .min(MICROS_MAX);
    let now = stored_micros(now);
    // Alone, because it locks many jobs in an order of its own.
    let connection = pool.begin_alone().await?;
    connection
        .execute(BRING_FORWARD, &[&queue, &now, &micros])
        .await?;
    connection.commit().await
}

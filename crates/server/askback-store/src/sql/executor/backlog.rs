//! What waits in a store, counted from index entries alone, and the queues that have jobs.

use super::{SqlExecutor, SqlRow, read_all};
use crate::rows::Backlog;
use crate::store::{StoreError, StoreFuture};

pub(crate) const JOBS: &str = "SELECT queue, count(*) FROM askback.jobs GROUP BY queue";
pub(crate) const MESSAGES: &str =
    "SELECT channel, count(*) FROM askback.deliveries WHERE due_at IS NOT NULL GROUP BY channel";

/// Jumps from one queue name to the next in the index, so that the cost depends on the number of queues
/// and not of jobs.
pub(crate) const QUEUES: &str = "WITH RECURSIVE queues (name) AS (
         SELECT min(queue) FROM askback.jobs
         UNION ALL
         SELECT (SELECT min(queue) FROM askback.jobs WHERE queue > name)
         FROM queues WHERE name IS NOT NULL
     )
     SELECT name FROM queues WHERE name IS NOT NULL";

/// What waits. `pending` returns how many inquiries have no outcome, and when the oldest of them was asked.
pub fn backlog<'a>(store: &'a impl SqlExecutor, pending: &'static str) -> StoreFuture<'a, Backlog> {
    Box::pin(async move {
        let rows = store.select(pending, Vec::new()).await?;
        let counted = read_all(rows, |row| Ok((row.get()?, row.get()?)))?.pop();
        let (pending, oldest_asked_at) = counted.unwrap_or_default();
        let jobs = read_all(store.select(JOBS, Vec::new()).await?, read_count)?;
        let messages = read_all(store.select(MESSAGES, Vec::new()).await?, read_count)?;
        Ok(Backlog {
            pending,
            oldest_asked_at,
            jobs: jobs.into_iter().collect(),
            messages: messages.into_iter().collect(),
        })
    })
}

/// The names of the queues that have jobs.
pub fn job_queues(store: &impl SqlExecutor) -> StoreFuture<'_, Vec<String>> {
    Box::pin(async { read_all(store.select(QUEUES, Vec::new()).await?, SqlRow::get) })
}

fn read_count(row: &mut SqlRow) -> Result<(String, u64), StoreError> {
    Ok((row.get()?, row.get()?))
}

//! Removes the content of closed conversations, and deletes old conversations completely.

use jiff::Timestamp;
use rusqlite::Connection;

use crate::commit::{ConversationRemoval, RemovalStep};
use crate::rows::{EndedConversation, JobId};
use crate::sqlite::conversations::DRIVERS;
use crate::sqlite::interned_name::InternedName;
use crate::sqlite::jobs;
use crate::sqlite::queued_write::Written;
use crate::sqlite::sql_types::{SqlId, SqlTimestamp, SqlU64};
use crate::sqlite::statements::{execute, query_all, query_one};
use crate::store::StoreError;

/// Removes content of a closed conversation, at most as many rows as the removal allows.
pub(super) fn remove_content(
    transaction: &Connection,
    removal: &ConversationRemoval,
) -> Result<Written<RemovalStep>, StoreError> {
    let sql = "SELECT number, closed_from FROM conversations
         WHERE id = ?1 AND closed_from IS NOT NULL";
    let closed = query_one(transaction, sql, [SqlId(&removal.conversation)], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
    });
    let Some((number, closed_from)) = closed? else {
        return Ok(Written::from(RemovalStep::NOTHING));
    };
    let limit = SqlU64::from_len(removal.rows_max);
    let mut rows = execute(transaction, REMOVE_RECORDS, (number, closed_from, limit))?;
    let limit = SqlU64::from_len(removal.rows_max - rows);
    rows += execute(transaction, REMOVE_INQUIRIES, (number, limit))?;
    if rows == removal.rows_max {
        return Ok(Written::from(RemovalStep {
            rows,
            is_complete: false,
        }));
    }
    let freed = remove_jobs(transaction, number, &removal.kept_jobs)?;
    if let Some(body) = &removal.closing_record {
        let sql = "UPDATE records SET body = ?2 WHERE conversation = ?1";
        execute(transaction, sql, (number, body))?;
    }
    let sql = "UPDATE conversations SET title = NULL WHERE number = ?1";
    execute(transaction, sql, [number])?;
    let step = RemovalStep {
        rows: rows + freed.len(),
        is_complete: true,
    };
    Ok(Written::with_freed(step, freed))
}

fn remove_jobs(
    transaction: &Connection,
    number: i64,
    kept: &[String],
) -> Result<Vec<JobId>, StoreError> {
    let sql = "SELECT id, kind FROM jobs WHERE conversation = ?1";
    let jobs: Vec<(JobId, InternedName<String>)> = query_all(transaction, sql, [number], |row| {
        Ok((row.get::<_, SqlU64>(0)?.0, row.get(1)?))
    })?;
    let mut freed = Vec::new();
    for (job, kind) in jobs {
        if !kept.contains(&kind.0) {
            jobs::delete(transaction, job)?;
            freed.push(job);
        }
    }
    Ok(freed)
}

/// All but the one that closed the conversation, the newest first: what is left is how it began.
pub(super) const REMOVE_RECORDS: &str = "DELETE FROM records WHERE last IN (
         SELECT last FROM records WHERE conversation = ?1 AND last < ?2 ORDER BY last DESC LIMIT ?3)";

pub(super) const REMOVE_INQUIRIES: &str = "DELETE FROM inquiries WHERE number IN (
         SELECT number FROM inquiries WHERE conversation = ?1 LIMIT ?2)";

/// Conversations of one driver that are idle or failed (the interned names 1 and 2), without jobs.
pub(super) const ENDED: &str = "SELECT updated_at, id, version FROM conversations c
     WHERE parent IS NULL AND closed_from IS NULL AND driver = ?3 AND state IN (1, 2) AND updated_at < ?1
       AND NOT EXISTS (SELECT 1 FROM inquiries WHERE conversation = c.number AND status = 0)
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE conversation = c.number)
     ORDER BY updated_at LIMIT ?2";

/// Conversations that were closed before a time and have no jobs left.
pub(super) const CLOSED: &str = "SELECT number FROM conversations c
     WHERE closed_from IS NOT NULL AND updated_at < ?1
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE conversation = c.number)
     ORDER BY updated_at LIMIT ?2";

pub(super) fn ended(
    connection: &Connection,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<EndedConversation>, StoreError> {
    let mut ended = Vec::new();
    for driver in DRIVERS {
        let limit = SqlU64::from_len(limit);
        let parameters = (SqlTimestamp(before), limit, InternedName(driver));
        ended.extend(query_all(connection, ENDED, parameters, |row| {
            let conversation = EndedConversation {
                id: row.get::<_, SqlId<_>>(1)?.0,
                version: row.get::<_, SqlU64>(2)?.0,
            };
            Ok((row.get::<_, i64>(0)?, conversation))
        })?);
    }
    ended.sort_by_key(|(updated_at, _)| *updated_at);
    ended.truncate(limit);
    Ok(ended.into_iter().map(|(_, ended)| ended).collect())
}

/// Deletes what is left of closed conversations.
pub(super) fn prune(
    transaction: &Connection,
    before: Timestamp,
    limit: usize,
) -> Result<Written<usize>, StoreError> {
    let parameters = (SqlTimestamp(before), SqlU64::from_len(limit));
    let numbers: Vec<i64> = query_all(transaction, CLOSED, parameters, |row| row.get(0))?;
    let mut freed = Vec::new();
    for number in &numbers {
        freed.extend(remove(transaction, *number)?);
    }
    Ok(Written::with_freed(numbers.len(), freed))
}

/// Deletes a conversation with everything that refers to it. Returns its jobs.
fn remove(transaction: &Connection, number: i64) -> Result<Vec<JobId>, StoreError> {
    let sql = "WITH RECURSIVE family (number) AS (
             VALUES (?1)
             UNION
             SELECT c.number FROM conversations c JOIN family f ON c.parent = f.number
         )
         DELETE FROM jobs WHERE conversation IN family RETURNING id";
    let jobs = jobs::delete_returning(transaction, sql, [number])?;
    execute(
        transaction,
        "DELETE FROM conversations WHERE number = ?1",
        [number],
    )?;
    Ok(jobs)
}

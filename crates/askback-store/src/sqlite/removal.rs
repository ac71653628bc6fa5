//! Deletes conversations with all that belongs to them, child conversations included.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};

use askback_core::id::ConversationId;

use crate::rows::JobId;
use crate::sqlite::value::{Count, Moment, Stored};
use crate::sqlite::writer::Written;
use crate::store::StoreError;

/// Deletes one conversation; false if there is none.
pub(super) fn delete(
    transaction: &Connection,
    conversation: &ConversationId,
) -> Result<Written<bool>, StoreError> {
    let mut statement =
        transaction.prepare_cached("SELECT number FROM conversations WHERE id = ?1")?;
    let number = statement.query_row([Stored(conversation)], |row| row.get(0));
    let Some(number) = number.optional()? else {
        return Ok(Written::from(false));
    };
    Ok(Written {
        value: true,
        freed: remove(transaction, number)?,
        claimed: Vec::new(),
    })
}

/// Deletes conversations without a parent that rest (the words 1 and 2 are `idle` and `error`),
/// have nothing waiting and no work to do, and were last touched before `before`, the longest
/// untouched first. The timers that older versions left behind (the words 41, 45 and 47:
/// `expire_inquiry`, `release_answer`, `remind_inquiry`) are no work: nothing waits for them.
pub(super) fn prune(
    transaction: &Connection,
    before: Timestamp,
    limit: usize,
) -> Result<Written<usize>, StoreError> {
    let mut statement = transaction.prepare_cached(
        "SELECT number FROM conversations c
         WHERE parent IS NULL AND state IN (1, 2) AND updated_at < ?1
           AND NOT EXISTS (SELECT 1 FROM inquiries
                           WHERE conversation = c.number AND status = 0)
           AND NOT EXISTS (SELECT 1 FROM jobs WHERE conversation = c.number
                           AND kind NOT IN (41, 45, 47))
         ORDER BY updated_at LIMIT ?2",
    )?;
    let numbers = statement
        .query_map((Moment(before), Count::of(limit)), |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<i64>>>()?;
    let mut freed = Vec::new();
    for number in &numbers {
        freed.extend(remove(transaction, *number)?);
    }
    Ok(Written {
        value: numbers.len(),
        freed,
        claimed: Vec::new(),
    })
}

/// Deletes a conversation; what refers to it goes with it. Returns the jobs that went.
fn remove(transaction: &Connection, number: i64) -> Result<Vec<JobId>, StoreError> {
    let mut statement = transaction.prepare_cached(
        "WITH RECURSIVE family (number) AS (
             VALUES (?1)
             UNION
             SELECT c.number FROM conversations c JOIN family f ON c.parent = f.number
         )
         DELETE FROM jobs WHERE conversation IN family RETURNING id",
    )?;
    let jobs = statement
        .query_map([number], |row| row.get(0))?
        .map(|count| count.map(|count: Count| count.0))
        .collect::<rusqlite::Result<Vec<JobId>>>()?;
    let mut statement =
        transaction.prepare_cached("DELETE FROM conversations WHERE number = ?1")?;
    statement.execute([number])?;
    Ok(jobs)
}

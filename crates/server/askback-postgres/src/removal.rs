//! Removes the content of closed conversations, and deletes old conversations completely.

use jiff::Timestamp;

use crate::connection::Connection;
use crate::pool::Pool;
use crate::sql_values::{Columns, Text, length};
use askback_store::commit::{ConversationRemoval, RemovalStep};
use askback_store::rows::EndedConversation;
use askback_store::sql::stored_numbers::stored_micros;
use askback_store::store::StoreError;

const CLOSED: &str = "SELECT number, closed_from FROM askback.conversations
     WHERE id = $1 AND closed_from IS NOT NULL";

const REMOVE_JOBS: &str = "DELETE FROM askback.jobs WHERE conversation = $1 AND kind <> ALL ($2)";

/// All but the one that closed the conversation, the newest first: what is left is how it began.
const REMOVE_RECORDS: &str = "DELETE FROM askback.records WHERE last IN (
         SELECT last FROM askback.records WHERE conversation = $1 AND last < $2
         ORDER BY last DESC LIMIT $3)";

const REPLACE_RECORD: &str = "UPDATE askback.records SET body = $2 WHERE conversation = $1";

const REMOVE_INQUIRIES: &str = "DELETE FROM askback.inquiries WHERE number IN (
         SELECT number FROM askback.inquiries WHERE conversation = $1 LIMIT $2)";

const REMOVE_TITLE: &str = "UPDATE askback.conversations SET title = NULL WHERE number = $1";

/// Conversations that are idle or failed, without jobs.
const ENDED: &str = "SELECT id, version FROM askback.conversations c
     WHERE parent IS NULL AND closed_from IS NULL AND state IN ('idle', 'error')
       AND updated_at < $1
       AND NOT EXISTS (SELECT 1 FROM askback.inquiries
                       WHERE conversation = c.number AND status = 'pending')
       AND NOT EXISTS (SELECT 1 FROM askback.jobs WHERE conversation = c.number)
     ORDER BY updated_at LIMIT $2";

/// Conversations that were closed before a time and have no jobs left.
const PRUNE: &str = "DELETE FROM askback.conversations WHERE number IN (
         SELECT number FROM askback.conversations c
         WHERE closed_from IS NOT NULL AND updated_at < $1
           AND NOT EXISTS (SELECT 1 FROM askback.jobs WHERE conversation = c.number)
         ORDER BY updated_at LIMIT $2)";

/// Removes content of a closed conversation, at most as many rows as the removal allows.
pub(super) async fn remove_content(
    pool: &Pool,
    removal: &ConversationRemoval,
) -> Result<RemovalStep, StoreError> {
    let connection = pool.begin_alone().await?;
    let id = Text(removal.conversation.as_str());
    let found = connection.query(CLOSED, &[&id]).await?;
    let step = match found.first() {
        Some(closed) => {
            let mut columns = Columns::of(closed);
            let (number, closed_from) = (columns.get()?, columns.get()?);
            remove_parts(&connection, removal, number, closed_from).await?
        }
        None => RemovalStep::NOTHING,
    };
    connection.commit().await?;
    Ok(step)
}

async fn remove_parts(
    connection: &Connection,
    removal: &ConversationRemoval,
    number: i64,
    closed_from: i64,
) -> Result<RemovalStep, StoreError> {
    let limit = length(removal.rows_max);
    let records = connection
        .execute(REMOVE_RECORDS, &[&number, &closed_from, &limit])
        .await?;
    let mut rows = usize::try_from(records).unwrap_or(usize::MAX);
    let limit = length(removal.rows_max.saturating_sub(rows));
    let inquiries = connection
        .execute(REMOVE_INQUIRIES, &[&number, &limit])
        .await?;
    rows += usize::try_from(inquiries).unwrap_or(0);
    if rows == removal.rows_max {
        return Ok(RemovalStep {
            rows,
            is_complete: false,
        });
    }
    let kept: Vec<_> = removal.kept_jobs.iter().map(|kind| Text(kind)).collect();
    let jobs = connection.execute(REMOVE_JOBS, &[&number, &kept]).await?;
    if let Some(body) = &removal.closing_record {
        connection
            .execute(REPLACE_RECORD, &[&number, &Text(body)])
            .await?;
    }
    connection.execute(REMOVE_TITLE, &[&number]).await?;
    Ok(RemovalStep {
        rows: rows + usize::try_from(jobs).unwrap_or(0),
        is_complete: true,
    })
}

pub(super) async fn ended(
    pool: &Pool,
    before: Timestamp,
    limit: usize,
) -> Result<Vec<EndedConversation>, StoreError> {
    let (before, limit) = (stored_micros(before), length(limit));
    let rows = pool.query(ENDED, &[&before, &limit]).await?;
    let ended = rows.iter().map(|row| {
        let mut columns = Columns::of(row);
        Ok(EndedConversation {
            id: columns.conversation()?,
            version: columns.unsigned()?,
        })
    });
    ended.collect()
}

/// Deletes what is left of closed conversations.
pub(super) async fn prune(
    pool: &Pool,
    before: Timestamp,
    limit: usize,
) -> Result<usize, StoreError> {
    let (before, limit) = (stored_micros(before), length(limit));
    let connection = pool.begin_alone().await?;
    let pruned = connection.execute(PRUNE, &[&before, &limit]).await?;
    connection.commit().await?;
    Ok(usize::try_from(pruned).unwrap_or(usize::MAX))
}

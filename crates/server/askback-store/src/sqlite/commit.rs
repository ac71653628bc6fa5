//! Writes a [`Commit`] into the open transaction.

use rusqlite::{Connection, ToSql};

use askback_core::id::InquiryId;

use crate::commit::{
    Commit, CommitReceipt, InquiryChange, NewAsker, NewConversation, NewJob, NewRecord,
    NewResolution,
};
use crate::rows::{InquiryRow, JobId, Sequence};
use crate::sql::claims::Claim;
use crate::sqlite::askers;
use crate::sqlite::interned_name::InternedName;
use crate::sqlite::jobs;
use crate::sqlite::queued_write::Written;
use crate::sqlite::request_keys;
use crate::sqlite::snoozes;
use crate::sqlite::sql_types::{SqlDeadline, SqlId, SqlTimestamp, SqlU64};
use crate::sqlite::statements::{execute, insert, query_one};
use crate::store::StoreError;

pub(super) fn write(
    transaction: &Connection,
    commit: &Commit,
) -> Result<Written<CommitReceipt>, StoreError> {
    request_keys::refuse_used(transaction, &commit.keys)?;
    askers::refuse_same_call(transaction, &commit.inquiries)?;
    let writer = CommitWriter {
        transaction,
        commit,
        conversation: write_conversation(transaction, commit)?,
    };
    let first_sequence = writer.insert_record()?;
    if commit.closes {
        writer.close(first_sequence)?;
    }
    for change in &commit.inquiries {
        writer.change_inquiry(change)?;
    }
    let mut freed = writer.delete_timers()?;
    let jobs = writer.insert_jobs()?;
    writer.delete_finished_jobs()?;
    request_keys::write(
        transaction,
        writer.conversation,
        commit.inquiries.first().map(InquiryChange::id),
        &commit.keys,
    )?;
    freed.extend(&commit.finished_jobs);
    let claimed: Vec<_> = commit
        .jobs
        .iter()
        .zip(&jobs)
        .filter(|(job, _)| job.claim_at_once)
        .map(|(job, id)| commit.claimed_job(job, *id))
        .collect();
    let claims = claimed.iter();
    let claims = claims.map(|job| (job.id, Claim::active(job.attempt)));
    Ok(Written {
        freed,
        claimed: claims.collect(),
        value: CommitReceipt {
            first_sequence,
            jobs,
            claimed,
        },
    })
}

/// Writes the row of the conversation if it has the expected version. Returns its primary key.
fn write_conversation(transaction: &Connection, commit: &Commit) -> Result<i64, StoreError> {
    let written = match (commit.expected_version, &commit.create) {
        (Some(expected), _) => update_conversation(transaction, commit, expected)?,
        (None, Some(new)) => Some(insert_conversation(transaction, commit, new)?),
        // A commit must either expect a version or create the conversation.
        (None, None) => None,
    };
    written.ok_or(StoreError::Conflict)
}

fn update_conversation(
    transaction: &Connection,
    commit: &Commit,
    expected: u64,
) -> Result<Option<i64>, StoreError> {
    let snapshot = &commit.snapshot;
    let sql = "UPDATE conversations
         SET state = ?3, version = ?4, updated_at = ?5, title = ?6, json = ?7
         WHERE id = ?1 AND version = ?2
         RETURNING number";
    let parameters = (
        SqlId(&commit.conversation),
        SqlU64(expected),
        InternedName(&snapshot.state),
        SqlU64(snapshot.version),
        SqlTimestamp(commit.at),
        &snapshot.title,
        &snapshot.json,
    );
    query_one(transaction, sql, parameters, |row| row.get(0))
}

fn insert_conversation(
    transaction: &Connection,
    commit: &Commit,
    new: &NewConversation,
) -> Result<i64, StoreError> {
    let parent = match &new.parent {
        Some(parent) => Some(number_of_parent(transaction, parent)?),
        None => None,
    };
    let snapshot = &commit.snapshot;
    let sql = "INSERT INTO conversations
             (id, parent, driver, app, state, version, created_at, updated_at, title, json)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9)";
    let parameters = (
        SqlId(&commit.conversation),
        parent,
        InternedName(&new.driver),
        &new.app,
        InternedName(&snapshot.state),
        SqlU64(snapshot.version),
        SqlTimestamp(commit.at),
        &snapshot.title,
        &snapshot.json,
    );
    insert(transaction, sql, parameters)
}

/// Fails with a conflict if the parent does not exist or is closed.
fn number_of_parent(
    transaction: &Connection,
    parent: &askback_core::id::ConversationId,
) -> Result<i64, StoreError> {
    let sql = "SELECT number FROM conversations WHERE id = ?1 AND closed_from IS NULL";
    let number = query_one(transaction, sql, [SqlId(parent)], |row| row.get(0))?;
    number.ok_or(StoreError::Conflict)
}

/// Writes the rest of a commit, after the row of its conversation.
struct CommitWriter<'a> {
    transaction: &'a Connection,
    commit: &'a Commit,
    conversation: i64,
}

impl CommitWriter<'_> {
    /// Returns the sequence number of the first event.
    fn insert_record(&self) -> Result<Sequence, StoreError> {
        let newest = newest_sequence(self.transaction)?;
        if let Some(NewRecord { positions, body }) = &self.commit.record {
            let sql = "INSERT INTO records (last, conversation, at, body) VALUES (?1, ?2, ?3, ?4)";
            let (last, at) = (SqlU64(newest + positions), SqlTimestamp(self.commit.at));
            execute(self.transaction, sql, (last, self.conversation, at, body))?;
        }
        Ok(newest + 1)
    }

    fn change_inquiry(&self, change: &InquiryChange) -> Result<(), StoreError> {
        match change {
            InquiryChange::Ask { inquiry, asker } => self.ask(inquiry, asker.as_ref()),
            InquiryChange::MoveDeadline { id, expires_at } => {
                let sql = "UPDATE inquiries SET expires_at = ?3, version = ?4
                     WHERE id = ?1 AND conversation = ?2";
                self.set(sql, id, SqlDeadline(*expires_at))
            }
            InquiryChange::HandOn { id, json } => {
                let sql = "UPDATE inquiries SET json = ?3, version = ?4
                     WHERE id = ?1 AND conversation = ?2";
                self.set(sql, id, json)
            }
            InquiryChange::SetHeld { id, json } => {
                let sql = "UPDATE inquiries SET held = ?3, version = ?4
                     WHERE id = ?1 AND conversation = ?2";
                self.set(sql, id, json)
            }
            InquiryChange::Resolve(resolved) => self.resolve(resolved),
        }
    }

    /// The version of what the commit changes.
    fn version(&self) -> SqlU64 {
        SqlU64(self.commit.snapshot.version)
    }

    fn ask(&self, new: &InquiryRow, asker: Option<&NewAsker>) -> Result<(), StoreError> {
        let sql = "INSERT INTO inquiries
                 (id, conversation, dialect, revision, version, source, webhook, credential,
                  asked_at, expires_at, json)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
        let parameters = (
            SqlId(&new.id),
            self.conversation,
            InternedName(&new.dialect),
            new.revision,
            self.version(),
            new.source.as_deref(),
            &new.webhook,
            &new.credential,
            SqlTimestamp(self.commit.at),
            SqlDeadline(new.expires_at),
            &new.json,
        );
        let number = insert(self.transaction, sql, parameters)?;
        match asker {
            Some(asker) => askers::insert(self.transaction, number, asker),
            None => Ok(()),
        }
    }

    /// Sets a column of an inquiry to the third parameter of a statement.
    fn set(&self, sql: &str, id: &InquiryId, value: impl ToSql) -> Result<(), StoreError> {
        let parameters = (SqlId(id), self.conversation, value, self.version());
        expect_one_row(execute(self.transaction, sql, parameters)?)
    }

    /// Writes the outcome. A trigger refuses a second one.
    fn resolve(&self, resolved: &NewResolution) -> Result<(), StoreError> {
        let sql = "UPDATE inquiries
             SET status = ?3, resolved_at = ?4, resolution = ?5, held = NULL, version = ?6
             WHERE id = ?1 AND conversation = ?2";
        let parameters = (
            SqlId(&resolved.id),
            self.conversation,
            InternedName(&resolved.status),
            SqlTimestamp(self.commit.at),
            &resolved.json,
            self.version(),
        );
        expect_one_row(execute(self.transaction, sql, parameters)?)?;
        if self.commit.closes {
            self.insert_tombstone(&resolved.id)?;
        }
        let sql = "DELETE FROM drafts WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1)";
        execute(self.transaction, sql, [SqlId(&resolved.id)])?;
        snoozes::delete(self.transaction, &resolved.id)
    }

    /// Removes the timers of resolved inquiries and those that the commit names. Returns their ids.
    fn delete_timers(&self) -> Result<Vec<JobId>, StoreError> {
        let mut ended = Vec::new();
        for change in &self.commit.inquiries {
            if let InquiryChange::Resolve(resolved) = change {
                let all = "DELETE FROM jobs
                     WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1) RETURNING id";
                let parameters = [SqlId(&resolved.id)];
                ended.extend(jobs::delete_returning(self.transaction, all, parameters)?);
            }
        }
        for timers in &self.commit.obsolete_timers {
            for kind in &timers.kinds {
                let some = "DELETE FROM jobs
                     WHERE inquiry = (SELECT number FROM inquiries WHERE id = ?1) AND kind = ?2
                     RETURNING id";
                let parameters = (SqlId(&timers.inquiry), InternedName(kind));
                ended.extend(jobs::delete_returning(self.transaction, some, parameters)?);
            }
        }
        Ok(ended)
    }

    fn insert_jobs(&self) -> Result<Vec<JobId>, StoreError> {
        let jobs = self.commit.jobs.iter();
        jobs.map(|job| self.insert_job(job)).collect()
    }

    fn insert_job(&self, job: &NewJob) -> Result<JobId, StoreError> {
        let sql = "INSERT INTO jobs (conversation, run_at, kind, json, queue, inquiry)
             VALUES (?1, ?2, ?3, ?4, ?5, (SELECT number FROM inquiries WHERE id = ?6))";
        let parameters = (
            self.conversation,
            SqlTimestamp(job.run_at),
            InternedName(&job.kind),
            &job.json,
            &job.queue,
            job.timer_of.as_ref().map(SqlId),
        );
        Ok(insert(self.transaction, sql, parameters)?.cast_unsigned())
    }

    fn delete_finished_jobs(&self) -> Result<(), StoreError> {
        for job in &self.commit.finished_jobs {
            jobs::delete(self.transaction, *job)?;
        }
        Ok(())
    }

    /// Marks the conversation as closed. Its content is everything before this sequence number.
    fn close(&self, first: Sequence) -> Result<(), StoreError> {
        let sql = "UPDATE conversations SET closed_from = ?2 WHERE number = ?1";
        let parameters = (self.conversation, SqlU64(first));
        expect_one_row(execute(self.transaction, sql, parameters)?)
    }

    /// Copies the outcome of an inquiry, without its questions, to a row that outlives it.
    fn insert_tombstone(&self, id: &InquiryId) -> Result<(), StoreError> {
        let sql = "INSERT INTO tombstones
                 (inquiry, conversation, status, dialect, revision, version, credential, asked_at,
                  resolved_at, resolution)
             SELECT id, conversation, status, dialect, revision, version, credential, asked_at,
                    resolved_at, resolution
             FROM inquiries WHERE id = ?1";
        expect_one_row(execute(self.transaction, sql, [SqlId(id)])?)
    }
}

/// Writes a page without a change, to find out whether the disk takes it.
pub(super) fn write_nothing_new(connection: &Connection) -> Result<Written<()>, StoreError> {
    let schema: u32 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    connection.pragma_update(None, "user_version", schema)?;
    Ok(Written::from(()))
}

/// The highest sequence number ever used. Its record may be deleted; the number is not used again.
pub(super) fn newest_sequence(connection: &Connection) -> Result<Sequence, StoreError> {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'records'";
    let newest = query_one(connection, sql, [], |row| row.get(0))?;
    Ok(newest.map_or(0, |count: SqlU64| count.0))
}

/// Fails with a conflict unless the statement changed exactly one row.
fn expect_one_row(changed: usize) -> Result<(), StoreError> {
    if changed == 1 {
        Ok(())
    } else {
        Err(StoreError::Conflict)
    }
}

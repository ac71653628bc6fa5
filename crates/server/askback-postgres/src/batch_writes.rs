//! Writes the rows of a batch and commits: one statement for each table, sent without waiting for each
//! other.

use std::pin::Pin;

use crate::error::DatabaseError;
use futures_util::future::join_all;

use crate::connection::Connection;
use crate::plan::{InquiryWrite, Writes};
use crate::request_keys;
use crate::sql_values::{Parameter, Text, agent_hash, int};
use askback_store::sql::request_key_hash::key_hash;
use askback_store::sql::stored_numbers::{stored_deadline, stored_micros};

const UPDATE_CONVERSATIONS: &str = "UPDATE askback.conversations c
     SET state = n.state, version = n.version, updated_at = n.updated_at, title = n.title,
         json = n.json, closed_from = coalesce(n.closed_from, c.closed_from)
     FROM UNNEST ($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[],
                  $7::bigint[])
          AS n (number, state, version, updated_at, title, json, closed_from)
     WHERE c.number = n.number";

const INSERT_CONVERSATIONS: &str = "INSERT INTO askback.conversations
         (number, id, parent, driver, app, state, version, created_at, updated_at, title, json)
     SELECT n.number, n.id, n.parent, n.driver, n.app, n.state, n.version, n.at, n.at, n.title,
            n.json
     FROM UNNEST ($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[],
                  $7::bigint[], $8::bigint[], $9::text[], $10::text[])
          AS n (number, id, parent, driver, app, state, version, at, title, json)";

const INSERT_RECORDS: &str = "INSERT INTO askback.records (last, conversation, at, body)
     SELECT * FROM UNNEST ($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])";

const INSERT_INQUIRIES: &str = "INSERT INTO askback.inquiries
         (number, id, conversation, dialect, revision, version, source, webhook, credential,
          asked_at, expires_at, json)
     SELECT * FROM UNNEST ($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::bigint[],
                           $6::bigint[], $7::text[], $8::text[], $9::text[], $10::bigint[],
                           $11::bigint[], $12::text[])";

const INSERT_ASKERS: &str =
    "INSERT INTO askback.askers (inquiry, agent, client, project, session, call)
     SELECT * FROM UNNEST ($1::bigint[], $2::bytea[], $3::text[], $4::text[], $5::text[],
                           $6::text[])";

const MOVE_DEADLINES: &str =
    "UPDATE askback.inquiries i SET version = n.version, expires_at = n.expires_at
     FROM UNNEST ($1::bigint[], $2::bigint[], $3::bigint[]) AS n (number, version, expires_at)
     WHERE i.number = n.number";

const HAND_ON: &str = "UPDATE askback.inquiries i SET version = n.version, json = n.json
     FROM UNNEST ($1::bigint[], $2::bigint[], $3::text[]) AS n (number, version, json)
     WHERE i.number = n.number";

const SET_HELD: &str = "UPDATE askback.inquiries i SET version = n.version, held = n.held
     FROM UNNEST ($1::bigint[], $2::bigint[], $3::text[]) AS n (number, version, held)
     WHERE i.number = n.number";

/// A trigger refuses a second outcome.
const RESOLVE: &str = "UPDATE askback.inquiries i
     SET version = n.version, status = n.status, resolved_at = n.at, resolution = n.resolution,
         held = NULL
     FROM UNNEST ($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[])
          AS n (number, version, status, at, resolution)
     WHERE i.number = n.number";

/// Copies the outcome of an inquiry, without its questions, to a row that outlives it.
const INSERT_TOMBSTONES: &str = "INSERT INTO askback.tombstones
         (inquiry, conversation, status, dialect, revision, version, credential, asked_at,
          resolved_at, resolution)
     SELECT id, conversation, status, dialect, revision, version, credential, asked_at,
            resolved_at, resolution
     FROM askback.inquiries WHERE number = ANY ($1)";

/// What only pending inquiries have: drafts, snoozes and timers.
const DELETE_OF_PENDING: &str =
    "WITH drafts AS (DELETE FROM askback.drafts WHERE inquiry = ANY ($1)),
          snoozes AS (DELETE FROM askback.snoozes WHERE inquiry = ANY ($1))
     DELETE FROM askback.jobs WHERE inquiry = ANY ($1)";

const DELETE_OBSOLETE_TIMERS: &str = "DELETE FROM askback.jobs j
     USING UNNEST ($1::bigint[], $2::text[]) AS n (inquiry, kind)
     WHERE j.inquiry = n.inquiry AND j.kind = n.kind";

const DELETE_JOBS: &str = "DELETE FROM askback.jobs WHERE id = ANY ($1)";

/// A job that is claimed at once has been claimed one time.
const INSERT_JOBS: &str = "INSERT INTO askback.jobs
         (id, conversation, inquiry, node, queue, kind, run_at, json, attempts)
     SELECT n.id, n.conversation, n.inquiry, n.node, n.queue, n.kind, n.run_at, n.json,
            CASE WHEN n.node IS NULL THEN 0 ELSE 1 END
     FROM UNNEST ($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[],
                  $6::text[], $7::bigint[], $8::text[])
          AS n (id, conversation, inquiry, node, queue, kind, run_at, json)";

/// What every batch writes: the counters, the mark by which it is found, and the message for other nodes.
const FINISH: &str =
    "WITH mark AS (INSERT INTO askback.writers (id, batch, used_at) VALUES ($5, $6, now())
                   ON CONFLICT (id)
                   DO UPDATE SET batch = excluded.batch, used_at = excluded.used_at)
     UPDATE askback.counters SET sequence = $1, job = $2, conversation = $3, inquiry = $4
     RETURNING pg_notify($7, $8)";

pub(super) const STATEMENTS: &[&str] = &[
    UPDATE_CONVERSATIONS,
    INSERT_CONVERSATIONS,
    INSERT_RECORDS,
    INSERT_INQUIRIES,
    INSERT_ASKERS,
    MOVE_DEADLINES,
    HAND_ON,
    SET_HELD,
    RESOLVE,
    INSERT_TOMBSTONES,
    DELETE_OF_PENDING,
    DELETE_OBSOLETE_TIMERS,
    DELETE_JOBS,
    INSERT_JOBS,
    request_keys::INSERT,
    FINISH,
];

type Sending<'a> = Pin<Box<dyn Future<Output = Result<(), DatabaseError>> + Send + 'a>>;

/// A statement with its parameters.
struct Statement<'a> {
    sql: &'static str,
    parameters: Vec<Box<dyn Parameter + Send + 'a>>,
}

/// The statements of a batch, in the order in which they are executed.
#[derive(Default)]
struct Statements<'a>(Vec<Statement<'a>>);

impl<'a> Statements<'a> {
    /// Adds a statement for rows, if there are any.
    fn push_rows<R, const N: usize>(
        &mut self,
        sql: &'static str,
        rows: &[R],
        columns: impl FnOnce(&[R]) -> [Box<dyn Parameter + Send + 'a>; N],
    ) {
        if !rows.is_empty() {
            self.push(sql, columns(rows));
        }
    }

    fn push<const N: usize>(
        &mut self,
        sql: &'static str,
        parameters: [Box<dyn Parameter + Send + 'a>; N],
    ) {
        // One that is prepared first would be executed after the COMMIT.
        debug_assert!(STATEMENTS.contains(&sql));
        self.0.push(Statement {
            sql,
            parameters: parameters.into(),
        });
    }
}

/// A column of a statement: one value of each row.
fn column<'a, R, T>(rows: &[R], value: impl Fn(&R) -> T) -> Box<dyn Parameter + Send + 'a>
where
    Vec<T>: Parameter + Send + 'a,
{
    Box::new(rows.iter().map(value).collect::<Vec<T>>())
}

/// A batch as it can be found later, after its connection was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BatchMark {
    pub(super) writer: i64,
    pub(super) batch: i64,
}

/// Writes and commits. The message is for the listeners of other nodes.
pub(super) async fn write(
    connection: &Connection,
    writes: &Writes<'_>,
    mark: BatchMark,
    message: (&'static str, &str),
) -> Result<(), DatabaseError> {
    let mut statements = Statements::default();
    conversations(&mut statements, writes);
    inquiries(&mut statements, writes);
    jobs(&mut statements, writes);
    keys(&mut statements, writes);
    let [sequence, job, conversation, inquiry] = writes.counters.columns();
    statements.push(
        FINISH,
        [
            Box::new(sequence),
            Box::new(job),
            Box::new(conversation),
            Box::new(inquiry),
            Box::new(mark.writer),
            Box::new(mark.batch),
            Box::new(message.0),
            Box::new(message.1),
        ],
    );
    // Polled in order, so they are sent in order. If one fails, the server ignores those after it, and
    // its COMMIT rolls back.
    let mut sent: Vec<Sending<'_>> = Vec::new();
    for statement in &statements.0 {
        sent.push(Box::pin(async move {
            let parameters = statement.parameters.iter();
            let parameters: Vec<&dyn Parameter> = parameters
                .map(|parameter| parameter.as_ref() as &dyn Parameter)
                .collect();
            connection.query(statement.sql, &parameters).await.map(drop)
        }));
    }
    sent.push(Box::pin(connection.batch("COMMIT")));
    join_all(sent).await.into_iter().collect()
}

fn conversations<'a>(statements: &mut Statements<'a>, writes: &Writes<'a>) {
    statements.push_rows(INSERT_CONVERSATIONS, &writes.created, |rows| {
        let created = |commit: &'a askback_store::commit::Commit| commit.create.as_ref();
        [
            column(rows, |(number, ..)| *number),
            column(rows, |(.., commit)| Text(commit.conversation.as_str())),
            column(rows, |(_, parent, _)| *parent),
            column(rows, |(.., commit)| {
                Text(created(commit).map_or("", |new| &new.driver))
            }),
            column(rows, |(.., commit)| {
                created(commit).and_then(|new| new.app.as_deref()).map(Text)
            }),
            column(rows, |(.., commit)| Text(&commit.snapshot.state)),
            column(rows, |(.., commit)| int(commit.snapshot.version)),
            column(rows, |(.., commit)| stored_micros(commit.at)),
            column(rows, |(.., commit)| {
                commit.snapshot.title.as_deref().map(Text)
            }),
            column(rows, |(.., commit)| Text(&commit.snapshot.json)),
        ]
    });
    statements.push_rows(UPDATE_CONVERSATIONS, &writes.updated, |rows| {
        [
            column(rows, |(number, ..)| *number),
            column(rows, |(.., commit)| Text(&commit.snapshot.state)),
            column(rows, |(.., commit)| int(commit.snapshot.version)),
            column(rows, |(.., commit)| stored_micros(commit.at)),
            column(rows, |(.., commit)| {
                commit.snapshot.title.as_deref().map(Text)
            }),
            column(rows, |(.., commit)| Text(&commit.snapshot.json)),
            column(rows, |(_, closed_from, _)| closed_from.map(int)),
        ]
    });
    statements.push_rows(INSERT_RECORDS, &writes.records, |rows| {
        [
            column(rows, |(last, ..)| int(*last)),
            column(rows, |(_, conversation, _)| *conversation),
            column(rows, |(.., commit)| stored_micros(commit.at)),
            column(rows, |(.., commit)| {
                Text(commit.record.as_ref().map_or("", |record| &record.body))
            }),
        ]
    });
}

fn numbers<'a, T>(rows: &[InquiryWrite<'a, T>]) -> Box<dyn Parameter + Send + 'a> {
    column(rows, |it| it.number)
}

fn versions<'a, T>(rows: &[InquiryWrite<'a, T>]) -> Box<dyn Parameter + Send + 'a> {
    column(rows, |it| int(it.commit.snapshot.version))
}

fn inquiries<'a>(statements: &mut Statements<'a>, writes: &Writes<'a>) {
    statements.push_rows(INSERT_INQUIRIES, &writes.asked, |rows| {
        [
            numbers(rows),
            column(rows, |it| Text(it.value.id.as_str())),
            column(rows, |it| it.conversation),
            column(rows, |it| Text(&it.value.dialect)),
            column(rows, |it| i64::from(it.value.revision)),
            versions(rows),
            column(rows, |it| it.value.source.as_deref().map(Text)),
            column(rows, |it| it.value.webhook.as_deref().map(Text)),
            column(rows, |it| it.value.credential.as_deref().map(Text)),
            column(rows, |it| stored_micros(it.commit.at)),
            column(rows, |it| stored_deadline(it.value.expires_at)),
            column(rows, |it| Text(&it.value.json)),
        ]
    });
    statements.push_rows(INSERT_ASKERS, &writes.askers, |rows| {
        [
            column(rows, |(number, _)| *number),
            column(rows, |(_, it)| {
                agent_hash(&it.client, it.project.as_deref())
            }),
            column(rows, |(_, it)| Text(&it.client)),
            column(rows, |(_, it)| {
                Text(it.project.as_deref().unwrap_or_default())
            }),
            column(rows, |(_, it)| Text(&it.session)),
            column(rows, |(_, it)| Text(&it.call)),
        ]
    });
    statements.push_rows(MOVE_DEADLINES, &writes.deadlines, |rows| {
        let at = column(rows, |it| stored_deadline(it.value));
        [numbers(rows), versions(rows), at]
    });
    statements.push_rows(HAND_ON, &writes.handed_on, |rows| {
        let json = column(rows, |it| Text(it.value));
        [numbers(rows), versions(rows), json]
    });
    statements.push_rows(SET_HELD, &writes.held, |rows| {
        let json = column(rows, |it| it.value.map(Text));
        [numbers(rows), versions(rows), json]
    });
    statements.push_rows(RESOLVE, &writes.resolved, |rows| {
        [
            numbers(rows),
            versions(rows),
            column(rows, |it| Text(&it.value.status)),
            column(rows, |it| stored_micros(it.commit.at)),
            column(rows, |it| Text(&it.value.json)),
        ]
    });
    let closed = |rows: &[i64]| [column(rows, |number| *number)];
    statements.push_rows(INSERT_TOMBSTONES, &writes.tombstones, closed);
    let resolved = |rows: &[InquiryWrite<'a, _>]| [numbers(rows)];
    statements.push_rows(DELETE_OF_PENDING, &writes.resolved, resolved);
}

fn jobs<'a>(statements: &mut Statements<'a>, writes: &Writes<'a>) {
    statements.push_rows(DELETE_OBSOLETE_TIMERS, &writes.obsolete_timers, |rows| {
        let kinds = column(rows, |(_, kind)| Text(kind));
        [column(rows, |(inquiry, _)| *inquiry), kinds]
    });
    statements.push_rows(INSERT_JOBS, &writes.jobs, |rows| {
        [
            column(rows, |row| int(row.id)),
            column(rows, |row| row.conversation),
            column(rows, |row| row.inquiry),
            column(rows, |row| row.node),
            column(rows, |row| Text(&row.job.queue)),
            column(rows, |row| Text(&row.job.kind)),
            column(rows, |row| stored_micros(row.job.run_at)),
            column(rows, |row| Text(&row.job.json)),
        ]
    });
    let finished = |rows: &[_]| [column(rows, |job| int(*job))];
    statements.push_rows(DELETE_JOBS, &writes.finished_jobs, finished);
}

fn keys<'a>(statements: &mut Statements<'a>, writes: &Writes<'a>) {
    statements.push_rows(request_keys::INSERT, &writes.keys, |rows| {
        [
            column(rows, |(key, ..)| key_hash(&key.key)),
            column(rows, |(key, ..)| &key.request[..]),
            column(rows, |(_, conversation, _)| *conversation),
            column(rows, |(.., inquiry)| inquiry.map(|id| Text(id.as_str()))),
        ]
    });
}

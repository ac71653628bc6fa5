//! Reads what a batch of commits depends on: one round trip, after which the counters are locked.

use tokio_postgres::Row;

use crate::connection::{Connection, Parameters};
use crate::error::DatabaseError;
use crate::plan::{Counters, Known, KnownConversation, KnownInquiry};
use crate::pool::{BEGIN, LOCK_COUNTERS, WorkError};
use crate::request_keys::{USED, UsedKeys};
use crate::sql_values::{Columns, Text, agent_hash, int};
use askback_store::commit::{Commit, NewAsker};
use askback_store::sql::request_key_hash::key_hash;

const CONVERSATIONS: &str =
    "SELECT id, number, version, closed_from IS NOT NULL FROM askback.conversations
     WHERE id = ANY ($1)";

const INQUIRIES: &str = "SELECT id, number, conversation, status = 'pending' FROM askback.inquiries
     WHERE id = ANY ($1)";

/// The oldest inquiry of each call comes last, so that it is the one that is remembered.
const CALLS: &str = "SELECT a.agent, a.session, a.call, i.id
     FROM UNNEST ($1::bytea[], $2::text[], $3::text[]) AS n (agent, session, call)
     JOIN askback.askers a ON a.agent = n.agent AND a.session = n.session
                          AND a.call = n.call AND a.delivered_at IS NULL
                          AND a.delivery_attempts = 0 AND a.taken_over = 0
     JOIN askback.inquiries i ON i.number = a.inquiry
     ORDER BY a.inquiry DESC";

const FOREIGN_JOBS: &str = "SELECT id FROM askback.jobs WHERE id = ANY ($1) AND node <> $2";

/// The lock keeps others from taking the claims of this node before the commit is written.
const NODE: &str = "SELECT id FROM askback.nodes WHERE id = $1 FOR KEY SHARE";

pub(super) const STATEMENTS: &[&str] = &[
    LOCK_COUNTERS,
    CONVERSATIONS,
    INQUIRIES,
    CALLS,
    USED,
    FOREIGN_JOBS,
    NODE,
];

/// Begins the transaction and reads.
pub(super) async fn read(
    connection: &Connection,
    commits: &[&Commit],
    node: i64,
) -> Result<Known, WorkError> {
    let names = Names::of(commits);
    let askers = names.askers.iter();
    let agents: Vec<_> = askers
        .map(|asker| agent_hash(&asker.client, asker.project.as_deref()))
        .collect();
    let sessions: Vec<_> = names.askers.iter().map(|it| Text(&it.session)).collect();
    let calls: Vec<_> = names.askers.iter().map(|it| Text(&it.call)).collect();
    let for_conversations: Parameters<'_> = &[&names.conversations];
    let for_inquiries: Parameters<'_> = &[&names.inquiries];
    let for_calls: Parameters<'_> = &[&agents, &sessions, &calls];
    let for_keys: Parameters<'_> = &[&names.keys];
    let for_jobs: Parameters<'_> = &[&names.finished_jobs, &node];
    let for_node: Parameters<'_> = &[&node];
    // Polled in order, so they are sent in order, without waiting for each other.
    let (began, counters, conversations, inquiries, calls, keys, foreign, node) = tokio::join!(
        biased;
        connection.batch(BEGIN),
        connection.query(LOCK_COUNTERS, &[]),
        connection.query(CONVERSATIONS, for_conversations),
        unless(names.inquiries.is_empty(), connection.query(INQUIRIES, for_inquiries)),
        unless(names.askers.is_empty(), connection.query(CALLS, for_calls)),
        unless(names.keys.is_empty(), connection.query(USED, for_keys)),
        unless(names.finished_jobs.is_empty(), connection.query(FOREIGN_JOBS, for_jobs)),
        unless(!names.claims, connection.query(NODE, for_node)),
    );
    began?;
    let mut known = Known {
        counters: read_counters(&counters?)?,
        keys: UsedKeys::read(&keys?)?,
        node: node?
            .first()
            .map(|row| Columns::of(row).get())
            .transpose()?,
        ..Known::default()
    };
    for row in &conversations? {
        let mut columns = Columns::of(row);
        let id = columns.get()?;
        let found = KnownConversation {
            number: columns.get()?,
            version: columns.unsigned()?,
            is_closed: columns.get()?,
        };
        known.conversations.insert(id, found);
    }
    for row in &inquiries? {
        let mut columns = Columns::of(row);
        let id = columns.get()?;
        let found = KnownInquiry {
            number: columns.get()?,
            conversation: columns.get()?,
            is_pending: columns.get()?,
        };
        known.inquiries.insert(id, found);
    }
    for row in &calls? {
        let mut columns = Columns::of(row);
        let call = (columns.get()?, columns.get()?, columns.get()?);
        known.calls.insert(call, columns.inquiry()?);
    }
    for row in &foreign? {
        known.foreign_jobs.insert(Columns::of(row).unsigned()?);
    }
    Ok(known)
}

/// Sends nothing if there is nothing to read.
async fn unless(
    is_empty: bool,
    read: impl Future<Output = Result<Vec<Row>, DatabaseError>>,
) -> Result<Vec<Row>, DatabaseError> {
    if is_empty { Ok(Vec::new()) } else { read.await }
}

fn read_counters(rows: &[Row]) -> Result<Counters, WorkError> {
    let row = rows.first().ok_or_else(missing_counters)?;
    let mut columns = Columns::of(row);
    Ok(Counters {
        sequence: columns.unsigned()?,
        job: columns.unsigned()?,
        conversation: columns.get()?,
        inquiry: columns.get()?,
    })
}

fn missing_counters() -> askback_store::store::StoreError {
    askback_store::store::StoreError::Corrupt("the table counters is empty".to_owned())
}

/// What a batch names, over all of its commits.
#[derive(Default)]
struct Names<'a> {
    conversations: Vec<Text<'a>>,
    inquiries: Vec<Text<'a>>,
    askers: Vec<&'a NewAsker>,
    keys: Vec<Vec<u8>>,
    finished_jobs: Vec<i64>,
    claims: bool,
}

impl<'a> Names<'a> {
    fn of(commits: &[&'a Commit]) -> Names<'a> {
        let mut names = Names::default();
        for commit in commits {
            names.conversations.push(Text(commit.conversation.as_str()));
            let parent = commit.create.as_ref().and_then(|new| new.parent.as_ref());
            let parent = parent.map(|parent| Text(parent.as_str()));
            names.conversations.extend(parent);
            for change in &commit.inquiries {
                names.askers.extend(change.asker());
                names.inquiries.push(Text(change.id().as_str()));
            }
            let timers = commit.jobs.iter().filter_map(|job| job.timer_of.as_ref());
            let obsolete = commit.obsolete_timers.iter().map(|timers| &timers.inquiry);
            let timed = timers.chain(obsolete).map(|id| Text(id.as_str()));
            names.inquiries.extend(timed);
            let keys = commit.keys.iter().map(|key| key_hash(&key.key));
            names.keys.extend(keys);
            names
                .finished_jobs
                .extend(commit.finished_jobs.iter().map(|job| int(*job)));
            names.claims |= commit.jobs.iter().any(|job| job.claim_at_once);
        }
        names
    }
}

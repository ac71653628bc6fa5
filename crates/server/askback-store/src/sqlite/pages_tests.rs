//! Goal: a commit changes few pages. Each is written to the log of SQLite before the fsync, so they decide how
//! long a single commit takes. This does not depend on the load of the machine.

use rusqlite::Connection;

use super::checkpoint::wal_length;
use super::commit;
use super::connection::open_writer;
use super::migrations::{MIGRATIONS, migrate};
use super::options::SqliteOptions;
use crate::commit::{Commit, NewRecord};
use crate::rows::JobId;
use crate::sample::{
    ask, conversation, create, create_asking, inquiry, job, resolve, update, update_resolving,
};
use tempfile::TempDir;

/// Cycles before pages are counted, so that tables and indexes have many pages.
const WARM_UP: u128 = 2_000;
/// Cycles whose pages are counted. Now and then a row starts a new page, or a record is sampled.
const CYCLES: u128 = 400;

struct Database {
    connection: Connection,
    _scratch: TempDir,
}

impl Database {
    fn new() -> Database {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("pages.db");
        let mut connection = open_writer(&path, &SqliteOptions::default()).unwrap();
        connection
            .pragma_update(None, "synchronous", "OFF")
            .unwrap();
        migrate(&mut connection, MIGRATIONS).unwrap();
        Database {
            connection,
            _scratch: scratch,
        }
    }

    /// Returns how many pages were written, and the ids of the jobs.
    fn commit(&self, mut commit: Commit) -> (i64, Vec<JobId>) {
        // As long as what the engine writes.
        commit.snapshot.json = "s".repeat(140);
        commit.record = commit.record.map(|record| NewRecord {
            body: "r".repeat(220),
            ..record
        });
        let before = wal_length(&self.connection).unwrap();
        self.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        let written = commit::write(&self.connection, &commit).unwrap();
        self.connection.execute_batch("COMMIT").unwrap();
        let pages = wal_length(&self.connection).unwrap() - before;
        (pages.into(), written.value.jobs)
    }
}

/// The average number of pages of a cycle, in hundredths.
fn hundredths(pages: i64) -> i64 {
    pages * 100 / i64::try_from(CYCLES).unwrap()
}

#[test]
fn a_cycle_of_an_external_agent_writes_few_pages() {
    let database = Database::new();
    let mut pages = 0;
    for number in 0..WARM_UP + CYCLES {
        let second = i64::try_from(number).unwrap() * 2;
        let asked = database.commit(create_asking(number, None, second)).0;
        let resolve = update_resolving(number, "answered", second + 1);
        let answered = database.commit(resolve).0;
        if number >= WARM_UP {
            pages += asked + answered;
        }
    }
    let pages = hundredths(pages);
    assert!(pages <= 2250, "{pages} hundredths of a page");
}

/// An answer starts a job, which asks the next question.
#[test]
fn a_cycle_of_the_built_in_agent_writes_few_pages() {
    let database = Database::new();
    let id = conversation(0);
    database.commit(create(&id, 0));
    let mut pages = 0;
    for number in 0..WARM_UP + CYCLES {
        let version = u64::try_from(number).unwrap() * 2 + 1;
        let second = i64::try_from(number).unwrap() * 2;
        let mut answer = update(&id, version, second);
        "llm_requesting".clone_into(&mut answer.snapshot.state);
        answer.jobs = vec![job("request_llm", second)];
        if number > 0 {
            answer.inquiries = vec![resolve(&inquiry(number - 1), "answered")];
        }
        let (answered, jobs) = database.commit(answer);
        let mut asking = update(&id, version + 1, second + 1);
        "awaiting_user_response".clone_into(&mut asking.snapshot.state);
        asking.inquiries = vec![ask(&inquiry(number), None)];
        asking.finished_jobs = jobs;
        let asked = database.commit(asking).0;
        if number >= WARM_UP {
            pages += asked + answered;
        }
    }
    let pages = hundredths(pages);
    assert!(pages <= 2800, "{pages} hundredths of a page");
}

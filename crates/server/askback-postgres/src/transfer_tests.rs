//! Every table and column of both schemas is moved or named as not moved, and every kind of row arrives.

use std::sync::LazyLock;

use rusqlite::Connection;

use askback_store::transfer::TABLES;
use askback_store::{SqliteOptions, SqliteStore, SqliteTransfer, TransferStore, transfer};
use askback_store_testing::PostgresServer;

use crate::{PostgresOptions, PostgresStore, PostgresTransfer};

/// Tables that describe the database or the processes that use it. The counters are set apart.
const NOT_MOVED: &[&str] = &[
    "migrations",
    "sqlite_sequence",
    "counters",
    "writers",
    "nodes",
    "channel_lease",
];

/// Columns that only PostgreSQL has: the node that has claimed a job, and the hash of client and project.
const ONLY_POSTGRES: &[(&str, &str)] = &[("jobs", "node"), ("askers", "agent")];

static POSTGRES: LazyLock<PostgresServer> =
    LazyLock::new(|| PostgresServer::start().expect("PostgreSQL starts"));

/// `table.column` of all tables that are moved, sorted.
fn moved() -> Vec<String> {
    let columns = TABLES.iter().flat_map(|table| {
        let names = table.columns.iter().map(|column| column.name);
        names.map(|name| format!("{}.{name}", table.name))
    });
    let mut columns: Vec<String> = columns.collect();
    columns.sort();
    columns
}

fn is_moved(column: &str) -> bool {
    let table = column.split('.').next().unwrap_or_default();
    !NOT_MOVED.contains(&table)
}

/// A table or column that is added without a thought of `askback migrate` fails here.
#[test]
fn every_column_of_sqlite_is_moved() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.db");
    drop(SqliteStore::open(&path, SqliteOptions::default()).unwrap());
    let connection = Connection::open(&path).unwrap();
    let sql = "SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
               WHERE t.type = 'table' ORDER BY 1";
    let mut statement = connection.prepare(sql).unwrap();
    let found = statement
        .query_map([], |row| row.get::<_, String>(0))
        .unwrap();
    let mut found: Vec<String> = found.map(Result::unwrap).collect();
    found.retain(|column| is_moved(column));
    found.sort();
    assert_eq!(found, moved());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_column_of_postgresql_is_moved() {
    let url = POSTGRES.create_database().unwrap();
    drop(
        PostgresStore::open(PostgresOptions::parse(&url).unwrap())
            .await
            .unwrap(),
    );
    let sql = "SELECT table_name || '.' || column_name FROM information_schema.columns
               WHERE table_schema = 'askback'";
    let found = POSTGRES.run_sql(&url, sql).unwrap();
    let mut found: Vec<String> = found.lines().map(|line| line.trim().to_owned()).collect();
    found.retain(|column| !column.is_empty() && is_moved(column));
    let only = ONLY_POSTGRES.iter();
    let only: Vec<_> = only
        .map(|(table, column)| format!("{table}.{column}"))
        .collect();
    found.retain(|column| !only.contains(column));
    found.sort();
    assert_eq!(found, moved());
}

/// One row of every table, with every column set.
const FILL: &str = "
    INSERT INTO conversations (number, id, parent, driver, app, state, version, created_at, updated_at,
                               closed_from, title, json)
    VALUES (3, x'01980000000000000000000000000001', NULL, 8, 'app', 1, 4, 5, 6, NULL, 'Title', '{}'),
           (7, 'cnv_foreign', 3, 7, NULL, 'unknown_state', 1, 2, 3, 4, NULL, '{}');
    INSERT INTO inquiries (number, id, conversation, status, dialect, revision, version, source, webhook, credential,
                           asked_at, expires_at, resolved_at, resolution, held, json)
    VALUES (2, x'01980001000000000000000000000001', 3, 0, 17, 1, 4, 's', 'https://h', 'laptop', 5, -9, NULL, NULL, '{\"h\":1}', '{}'),
           (5, 'inq_foreign', 3, 9, 20, 2, 3, NULL, NULL, NULL, 5, 0, 6, '{\"r\":1}', NULL, '{}');
    INSERT INTO records (last, conversation, at, body) VALUES (4, 3, 5, '{\"v\":1}'), (90, 7, 6, '');
    INSERT INTO askers (inquiry, client, project, session, call, delivery_attempts, delivered_at,
                        taken_over, detached)
    VALUES (2, 'claude-code', '/p', 's1', 'c', 2, NULL, 1, 0), (5, 'c', '', 's2', 'd', 0, 8, 0, 1);
    INSERT INTO jobs (id, conversation, inquiry, queue, kind, run_at, attempts, json)
    VALUES (11, 3, 2, 'timer', 26, 7, 1, '{}'), (12, 3, NULL, 'llm', 21, 7, 0, '{}');
    INSERT INTO drafts (inquiry, at, json) VALUES (2, 5, '{\"d\":\"\\u0000\"}');
    INSERT INTO snoozes (inquiry, until) VALUES (2, 77);
    INSERT INTO channel_values (key, inquiry, value)
    VALUES ('link:telegram;telegram:42;', NULL, '{}'), ('follow:inq_x;', 'inq_x', '{}');
    INSERT INTO request_keys (key, request, conversation, inquiry)
    VALUES ('key:short', x'00', 3, x'01980001000000000000000000000001'),
           ('key:' || hex(zeroblob(200)), x'01', 3, NULL);
    INSERT INTO tombstones (inquiry, conversation, status, dialect, revision, version, credential, asked_at, resolved_at,
                            resolution)
    VALUES (x'01980001000000000000000000000009', 7, 15, 17, 1, 1, 'laptop', 2, 3, '{}');
    INSERT INTO deliveries (number, inquiry, channel, recipient, address, progress, attempts, version, due_at,
                            changed_at, external_id, shown_hash)
    VALUES (6, 'inq_x', 'telegram', 'ada', '42', 'shown', 1, 2, NULL, 3, '77', 'h'),
           (8, 'inq_y', 'telegram', 'ada', '42', 'new', 0, 1, 5, 3, NULL, NULL);
    INSERT INTO sessions (id, secret_hash, token_id, user_agent, credential, person, created_at, last_used_at, expires_at)
    VALUES ('ses_1', zeroblob(32), zeroblob(16), 'Firefox', 'phone', 'anna', 1, 2, 3);
    INSERT INTO credentials (name, secret_hash, scope, person, created_at, last_used_at, expires_at)
    VALUES ('phone', zeroblob(32), 'respondent', 'anna', 1, 2, 3);
    UPDATE sqlite_sequence SET seq = 95 WHERE name = 'records';
    UPDATE sqlite_sequence SET seq = 40 WHERE name = 'jobs';
    UPDATE sqlite_sequence SET seq = 33 WHERE name = 'deliveries';";

fn dump(path: &std::path::Path, table: &str) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection
        .prepare(&format!("SELECT * FROM {table} ORDER BY 1"))
        .unwrap();
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let rows = statement.query_map([], |row| {
        let values = columns
            .iter()
            .map(|column| row.get::<_, rusqlite::types::Value>(column.as_str()));
        let values: Result<Vec<_>, _> = values.collect();
        Ok(format!("{:?}", values?))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

fn open_sqlite(path: &std::path::Path) -> impl TransferStore {
    SqliteTransfer::open(path).unwrap()
}

async fn open_postgres(url: &str) -> impl TransferStore {
    let options = PostgresOptions::parse(url).unwrap();
    PostgresTransfer::open(options).await.unwrap()
}

/// From SQLite to PostgreSQL and back. All tables are the same afterwards, except that keys are hashes.
#[tokio::test(flavor = "multi_thread")]
async fn round_trip_keeps_every_row() {
    let directory = tempfile::tempdir().unwrap();
    let [from, back] = ["from.db", "back.db"].map(|name| directory.path().join(name));
    drop(SqliteStore::open(&from, SqliteOptions::default()).unwrap());
    Connection::open(&from)
        .unwrap()
        .execute_batch(FILL)
        .unwrap();
    let url = POSTGRES.create_database().unwrap();
    let there = {
        let mut postgres = open_postgres(&url).await;
        transfer(&mut open_sqlite(&from), &mut postgres)
            .await
            .unwrap()
    };
    assert!(there.rows.iter().all(|(_, rows)| *rows > 0), "{there:?}");
    assert_eq!(there.newest_sequence, 95);
    let here = {
        let mut postgres = open_postgres(&url).await;
        transfer(&mut postgres, &mut open_sqlite(&back))
            .await
            .unwrap()
    };
    assert_eq!(here, there);
    for table in TABLES.iter().filter(|table| table.name != "request_keys") {
        assert_eq!(
            dump(&back, table.name),
            dump(&from, table.name),
            "{}",
            table.name
        );
    }
    assert_eq!(
        dump(&back, "sqlite_sequence"),
        dump(&from, "sqlite_sequence")
    );
    let again = transfer(&mut open_sqlite(&from), &mut open_sqlite(&back)).await;
    assert!(again.unwrap_err().to_string().contains("not empty"));
}

//! Goal: an acknowledged commit is as durable as the options say.

use rusqlite::StatementStatus;

use super::*;

fn pragma(connection: &Connection, name: &str) -> i64 {
    let value = connection.pragma_query_value(None, name, |row| row.get(0));
    value.unwrap()
}

/// A commit that must survive a power failure is flushed from the drive's cache, too.
#[test]
fn full_commits_flush_the_cache_of_the_drive() {
    for (synchronous, level, through) in [(Synchronous::Full, 2, 1), (Synchronous::Normal, 1, 0)] {
        let scratch = tempfile::tempdir().unwrap();
        let options = SqliteOptions {
            synchronous,
            ..SqliteOptions::default()
        };
        let connection = open_writer(&scratch.path().join("askback.db"), &options).unwrap();
        assert_eq!(pragma(&connection, "synchronous"), level);
        assert_eq!(pragma(&connection, "fullfsync"), through);
        assert_eq!(pragma(&connection, "checkpoint_fullfsync"), through);
    }
}

/// A cached statement is compiled once, whatever is bound to it. Without the setting, a parameter that
/// SQLite compares with the condition of a partial index makes every new value compile it again.
#[test]
fn statements_are_compiled_once() {
    let scratch = tempfile::tempdir().unwrap();
    let connection = open_writer(
        &scratch.path().join("askback.db"),
        &SqliteOptions::default(),
    )
    .unwrap();
    connection
        .execute_batch(
            "CREATE TABLE t (number INTEGER PRIMARY KEY, status INTEGER NOT NULL);
             CREATE INDEX pending ON t (number) WHERE status = 0;",
        )
        .unwrap();
    let sql = "SELECT count(*) FROM t WHERE status = ?1 ORDER BY number";
    for status in 0..3 {
        let mut statement = connection.prepare_cached(sql).unwrap();
        let count: i64 = statement.query_row([status], |row| row.get(0)).unwrap();
        assert_eq!(count, 0);
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }
}

//! Goal: checkpoints bound the WAL under load, and empty it when the writer is idle.

use rusqlite::Connection;

use super::*;
use crate::sqlite::connection::open_writer;
use crate::sqlite::migrations::{MIGRATIONS, migrate};
use crate::sqlite::options::SqliteOptions;
use askback_store_testing::ScratchDir;

fn database(scratch: &ScratchDir) -> Connection {
    let path = scratch.path().join("askback.db");
    let mut connection = open_writer(&path, &SqliteOptions::default()).unwrap();
    migrate(&mut connection, MIGRATIONS).unwrap();
    connection
        .execute_batch(
            "INSERT INTO conversations
                 (number, id, driver, state, version, created_at, updated_at, json)
             VALUES (1, 'c', 'external', 'idle', 1, 0, 0, '{}')",
        )
        .unwrap();
    connection
}

#[test]
fn the_wal_is_bounded_under_load() {
    let scratch = ScratchDir::new().unwrap();
    let connection = database(&scratch);
    let mut longest = 0;
    // SQLite does not write an unchanged value.
    for letter in ["a", "b"].into_iter().cycle().take(64) {
        let text = letter.repeat(1 << 20);
        connection
            .execute("UPDATE conversations SET json = ?1", [&text])
            .unwrap();
        if is_wal_long(&connection) {
            try_checkpoint(&connection);
        }
        longest = longest.max(wal_pages(&connection).unwrap());
    }
    assert!(longest > 1000, "{longest}");
    assert!(longest < 2 * WAL_PAGES_MAX, "{longest}");
    let wal = scratch.path().join("askback.db-wal");
    assert!(std::fs::metadata(wal).unwrap().len() < 40 << 20);
}

#[test]
fn an_idle_writer_checkpoints_the_whole_wal() {
    let scratch = ScratchDir::new().unwrap();
    let connection = database(&scratch);
    try_checkpoint(&connection);
    let (log, copied): (i64, i64) = connection
        .query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| {
            Ok((row.get(1)?, row.get(2)?))
        })
        .unwrap();
    assert!(log > 0);
    assert_eq!(log, copied);
}

//! Goal: what is put away when nobody waits is what is no longer needed.

use rusqlite::Connection;

use super::*;
use crate::conformance::ScratchDir;
use crate::sqlite::connection::open_writer;
use crate::sqlite::migrations::{MIGRATIONS, migrate};
use crate::sqlite::options::SqliteOptions;

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
fn the_log_does_not_grow_without_bound() {
    let scratch = ScratchDir::new().unwrap();
    let connection = database(&scratch);
    let mut longest = 0;
    // A text that stays the same would not be written again.
    for letter in ["a", "b"].into_iter().cycle().take(64) {
        let text = letter.repeat(1 << 20);
        connection
            .execute("UPDATE conversations SET json = ?1", [&text])
            .unwrap();
        when_log_is_long(&connection);
        longest = longest.max(log_pages(&connection).unwrap());
    }
    assert!(longest > 1000, "{longest}");
    assert!(longest < 2 * LOG_PAGES_MAX, "{longest}");
    let log = scratch.path().join("askback.db-wal");
    assert!(std::fs::metadata(log).unwrap().len() < 40 << 20);
}

#[test]
fn a_quiet_time_puts_all_of_the_log_away() {
    let scratch = ScratchDir::new().unwrap();
    let connection = database(&scratch);
    when_quiet(&connection);
    let (log, copied): (i64, i64) = connection
        .query_row("PRAGMA wal_checkpoint(NOOP)", [], |row| {
            Ok((row.get(1)?, row.get(2)?))
        })
        .unwrap();
    assert!(log > 0);
    assert_eq!(log, copied);
}

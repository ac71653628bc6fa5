//! Goal: an acknowledged commit is as durable as the options say.

use super::*;
use crate::conformance::ScratchDir;

fn pragma(connection: &Connection, name: &str) -> i64 {
    let value = connection.pragma_query_value(None, name, |row| row.get(0));
    value.unwrap()
}

/// A commit that must survive a power failure is flushed from the drive's cache, too. F-S34.
#[test]
fn full_commits_flush_the_cache_of_the_drive() {
    for (synchronous, level, through) in [(Synchronous::Full, 2, 1), (Synchronous::Normal, 1, 0)] {
        let scratch = ScratchDir::new().unwrap();
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

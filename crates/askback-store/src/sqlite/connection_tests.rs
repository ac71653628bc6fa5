//! Goal: an acknowledged commit is where the options say it is.

use super::*;
use crate::conformance::ScratchDir;

fn pragma(connection: &Connection, name: &str) -> i64 {
    let value = connection.pragma_query_value(None, name, |row| row.get(0));
    value.unwrap()
}

/// A commit that survives the end of the power is written through the drive's cache as well. F-S34.
#[test]
fn full_commits_are_written_through_the_cache_of_the_drive() {
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

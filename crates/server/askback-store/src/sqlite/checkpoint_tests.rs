//! Goal: the WAL is bounded under load and empty when the writer is idle, and no write waits while many pages are copied.

use rusqlite::Connection;

use super::*;
use crate::sqlite::connection::{open_reader, open_writer};
use crate::sqlite::migrations::{MIGRATIONS, migrate};
use tempfile::TempDir;

/// A database, and the thread that copies its WAL.
struct Fixture {
    connection: Connection,
    checkpointer: Checkpointer,
    scratch: TempDir,
}

impl Fixture {
    fn new() -> Fixture {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("askback.db");
        let file = DatabaseFile::lock(&path).unwrap();
        let mut connection = open_writer(&path, &SqliteOptions::default()).unwrap();
        migrate(&mut connection, MIGRATIONS).unwrap();
        file.watch(None).unwrap();
        connection
            .execute_batch(
                "INSERT INTO conversations
                     (number, id, driver, state, version, created_at, updated_at, json)
                 VALUES (1, 'c', 'external', 'idle', 1, 0, 0, '{}')",
            )
            .unwrap();
        Fixture {
            connection,
            checkpointer: Checkpointer::start(Arc::new(file), SqliteOptions::default()).unwrap(),
            scratch,
        }
    }

    /// Commits at least so many pages. SQLite does not write an unchanged value, so each commit needs a letter of its own.
    fn commit(&self, pages: usize, letter: &str) {
        let text = letter.repeat(pages * 4096);
        self.connection
            .execute("UPDATE conversations SET json = ?1", [&text])
            .unwrap();
    }

    fn next_step(&self) -> CheckpointStep {
        self.checkpointer.next_step(&self.connection)
    }

    fn pages(&self) -> WalPages {
        wal_pages(&self.connection).unwrap()
    }

    fn wait_for_thread(&self) {
        while self.checkpointer.is_running() {
            thread::yield_now();
        }
    }
}

/// What the writer copies itself is what was committed while the thread copied the rest.
#[test]
fn a_long_wal_is_copied_beside_commits() {
    let fixture = Fixture::new();
    let mut letters = ["a", "b"].into_iter().cycle();
    while fixture.next_step() == CheckpointStep::Nothing {
        fixture.commit(16, letters.next().unwrap());
    }
    assert_eq!(fixture.next_step(), CheckpointStep::Beside);
    // As long as somebody reads from it, the log does not start anew, as if something was committed while it is copied.
    let path = fixture.scratch.path().join("askback.db");
    let reader = open_reader(&path, &SqliteOptions::default()).unwrap();
    reader
        .execute_batch("BEGIN; SELECT * FROM conversations")
        .unwrap();
    assert!(fixture.checkpointer.wake());
    fixture.wait_for_thread();
    fixture.commit(16, letters.next().unwrap());
    drop(reader);
    let left = fixture.pages().left();
    assert!((1..=PAGES_AT_ONCE_MAX).contains(&left), "{left}");

    assert_eq!(fixture.next_step(), CheckpointStep::Now);
    assert!(try_checkpoint(&fixture.connection));
    fixture.commit(16, letters.next().unwrap());
    let pages = fixture.pages().all;
    assert!(pages < WAL_PAGES_MAX, "it starts anew: {pages}");
}

#[test]
fn the_writer_waits_only_for_few_pages_or_if_the_wal_is_very_long() {
    let step = |all, copied, is_running| WalPages { all, copied }.next_step(is_running);
    let (max, limit) = (WAL_PAGES_MAX, WAL_PAGES_LIMIT);
    for is_running in [false, true] {
        assert_eq!(step(max - 1, 0, is_running), CheckpointStep::Nothing);
        assert_eq!(step(limit, 0, is_running), CheckpointStep::Now);
    }
    let few = max - PAGES_AT_ONCE_MAX;
    assert_eq!(step(max, few - 1, false), CheckpointStep::Beside);
    assert_eq!(step(max, few, false), CheckpointStep::Now);
    assert_eq!(step(max, few, true), CheckpointStep::Nothing);
    assert_eq!(step(limit - 1, 0, true), CheckpointStep::Nothing);
}

#[test]
fn the_wal_is_bounded_under_load() {
    let fixture = Fixture::new();
    let mut longest = 0;
    for letter in ["a", "b"].into_iter().cycle().take(128) {
        fixture.commit(256, letter);
        match fixture.next_step() {
            CheckpointStep::Nothing => {}
            CheckpointStep::Beside => assert!(fixture.checkpointer.wake()),
            CheckpointStep::Now => {
                fixture.wait_for_thread();
                try_checkpoint(&fixture.connection);
            }
        }
        longest = longest.max(fixture.pages().all);
    }
    assert!(longest >= WAL_PAGES_MAX, "{longest}");
    assert!(longest < WAL_PAGES_LIMIT + 300, "{longest}");
    let wal = fixture.scratch.path().join("askback.db-wal");
    let bytes = u64::from(WAL_PAGES_LIMIT + 300) * 4200;
    assert!(std::fs::metadata(wal).unwrap().len() < bytes);
}

#[test]
fn an_idle_writer_checkpoints_the_whole_wal() {
    let fixture = Fixture::new();
    assert!(!is_long_to_copy(&fixture.connection));
    fixture.commit(300, "a");
    assert!(is_long_to_copy(&fixture.connection));
    assert!(try_checkpoint(&fixture.connection));
    let pages = fixture.pages();
    assert!(pages.all > 0);
    assert_eq!(pages.left(), 0);
}

//! Goal: a database that cannot be opened is refused in a sentence, and opens once it can.

use std::time::Duration;

use askback_store::{SqliteOptions, SqliteStore, Store, StoreError};
use rusqlite::Connection;

use super::workdir::Workdir;

fn open(workdir: &Workdir) -> Result<SqliteStore, StoreError> {
    let options = SqliteOptions {
        busy_timeout: Duration::from_millis(5),
        ..SqliteOptions::default()
    };
    SqliteStore::open(&workdir.database(), options)
}

fn refusal(workdir: &Workdir) -> String {
    match open(workdir) {
        Ok(_) => panic!("the store was opened"),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn a_locked_database_opens_when_it_is_free() {
    let workdir = Workdir::new("locked");
    drop(open(&workdir).unwrap());
    let other = Connection::open(workdir.database()).unwrap();
    other
        .execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
        .unwrap();
    let sentence = refusal(&workdir);
    assert!(
        sentence.starts_with(
            "the store is not available: the database is locked by another process; stop that \
             one, or use another data directory"
        ),
        "{sentence}"
    );
    drop(other);
    open(&workdir).unwrap().check().await.unwrap();
}

#[test]
fn a_directory_that_is_missing_is_told() {
    let workdir = Workdir::new("missing");
    let path = workdir.database().join("deeper").join("askback.db");
    let Err(error) = SqliteStore::open(&path, SqliteOptions::default()) else {
        panic!("the store was opened");
    };
    let sentence = error.to_string();
    assert!(sentence.contains("does its directory exist"), "{sentence}");
}

#[test]
fn a_file_that_is_no_database_is_left_as_it_is() {
    let workdir = Workdir::new("no-database");
    let text = "Dear diary, ".repeat(500);
    std::fs::write(workdir.database(), &text).unwrap();
    assert_eq!(
        refusal(&workdir),
        "the store is damaged: the file is not a sound SQLite database"
    );
    let left = std::fs::read_to_string(workdir.database()).unwrap();
    assert_eq!(left, text);
}

#[test]
fn a_newer_database_is_left_as_it_is() {
    let workdir = Workdir::new("newer");
    drop(open(&workdir).unwrap());
    let other = Connection::open(workdir.database()).unwrap();
    other
        .execute_batch("INSERT INTO migrations VALUES (1000, 'later', 0)")
        .unwrap();
    drop(other);
    let sentence = refusal(&workdir);
    assert!(sentence.contains("newer version of askback"), "{sentence}");
}

#[test]
fn closing_leaves_one_file() {
    let workdir = Workdir::new("closing");
    drop(open(&workdir).unwrap());
    let directory = workdir.database();
    let files = std::fs::read_dir(directory.parent().unwrap()).unwrap();
    assert_eq!(files.count(), 1);
}

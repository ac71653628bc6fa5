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

/// The log is copied back; only the lock stays beside the database, because removing a lock file
/// would let two processes lock two files of the same name.
#[test]
fn closing_leaves_the_database_and_its_lock() {
    let workdir = Workdir::new("closing");
    drop(open(&workdir).unwrap());
    let directory = workdir.database();
    let files = std::fs::read_dir(directory.parent().unwrap()).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["askback.db", "askback.db-lock"]);
}

/// F-S8: a database has one owner, whatever name it is opened by, and is free when that one is gone.
#[cfg(unix)]
#[test]
fn a_database_in_use_is_refused_by_every_name() {
    let workdir = Workdir::new("in-use");
    let owner = open(&workdir).unwrap();
    let database = workdir.database();
    let directory = database.parent().unwrap();
    let link = directory.join("link.db");
    std::os::unix::fs::symlink(&database, &link).unwrap();
    let round_about = directory.join(".").join("..");
    let round_about = round_about
        .join(directory.file_name().unwrap())
        .join("askback.db");
    for name in [&database, &link, &round_about] {
        let Err(error) = SqliteStore::open(name, SqliteOptions::default()) else {
            panic!("{} was opened twice", name.display());
        };
        let sentence = error.to_string();
        let named = std::fs::canonicalize(&database).unwrap();
        assert!(
            sentence.contains(&named.display().to_string())
                && sentence.contains(&format!("process {}", std::process::id()))
                && sentence.contains("stop that one"),
            "{sentence}"
        );
    }
    drop(owner);
    drop(SqliteStore::open(&link, SqliteOptions::default()).unwrap());
}

/// F-S5: nobody but the owner can read what is stored, from the first byte on, and what was readable
/// before is closed.
#[cfg(unix)]
#[tokio::test]
async fn database_files_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let workdir = Workdir::new("private");
    let files = |what: &str| {
        let directory = workdir.database().parent().unwrap().to_owned();
        let mut names = Vec::new();
        for file in std::fs::read_dir(directory).unwrap() {
            let file = file.unwrap();
            let mode = file.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{what}: {:?}", file.file_name());
            names.push(file.file_name().into_string().unwrap());
        }
        names.sort();
        names
    };
    let store = open(&workdir).unwrap();
    store.check().await.unwrap();
    let all = [
        "askback.db",
        "askback.db-lock",
        "askback.db-shm",
        "askback.db-wal",
    ];
    assert_eq!(files("fresh"), all);
    drop(store);
    let loose = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(workdir.database(), loose).unwrap();
    let store = open(&workdir).unwrap();
    store.check().await.unwrap();
    assert_eq!(files("was readable"), all);
}

/// F-S20: a probe writes nothing, and fails once the database is gone.
#[tokio::test]
async fn a_probe_writes_nothing_and_tells_that_the_database_is_gone() {
    let workdir = Workdir::new("probe");
    let store = open(&workdir).unwrap();
    let written = SqliteStore::transactions(&store);
    for _ in 0..3 {
        store.probe().await.unwrap();
    }
    assert_eq!(SqliteStore::transactions(&store), written);
    std::fs::remove_file(workdir.database()).unwrap();
    let gone = store.probe().await;
    assert!(matches!(gone, Err(StoreError::Unavailable(_))), "{gone:?}");
}

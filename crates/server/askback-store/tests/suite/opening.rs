//! Goal: a database that cannot be opened is refused with a clear message and left unchanged.

use std::time::Duration;

use askback_store::{SessionStore as _, SqliteOptions, SqliteStore, Store as _, StoreError};
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
    let workdir = Workdir::new();
    drop(open(&workdir).unwrap());
    let other = Connection::open(workdir.database()).unwrap();
    other
        .execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
        .unwrap();
    let message = refusal(&workdir);
    assert!(
        message.starts_with(
            "the store is not available: another process has locked the database; stop that \
             process, or use another data directory"
        ),
        "{message}"
    );
    drop(other);
    open(&workdir).unwrap().end_all_sessions().await.unwrap();
}

#[test]
fn a_missing_directory_is_reported() {
    let workdir = Workdir::new();
    let path = workdir.database().join("deeper").join("askback.db");
    let Err(error) = SqliteStore::open(&path, SqliteOptions::default()) else {
        panic!("the store was opened");
    };
    let message = error.to_string();
    assert!(
        message.contains("check that its directory exists"),
        "{message}"
    );
}

#[test]
fn a_file_that_is_no_database_is_left_unchanged() {
    let workdir = Workdir::new();
    let text = "Dear diary, ".repeat(500);
    std::fs::write(workdir.database(), &text).unwrap();
    let message = refusal(&workdir);
    for part in ["it is not a valid SQLite database", "Restore a backup"] {
        assert!(message.contains(part), "{message}");
    }
    let left = std::fs::read_to_string(workdir.database()).unwrap();
    assert_eq!(left, text);
}

#[test]
fn a_newer_database_is_left_unchanged() {
    let workdir = Workdir::new();
    drop(open(&workdir).unwrap());
    let other = Connection::open(workdir.database()).unwrap();
    other
        .execute_batch("INSERT INTO migrations VALUES (1000, 'later', 0)")
        .unwrap();
    drop(other);
    let message = refusal(&workdir);
    assert!(message.contains("newer version of askback"), "{message}");
}

/// Closing runs a checkpoint. The lock file stays, because removing it would let two processes lock two
/// files of the same name.
#[test]
fn closing_leaves_the_database_and_its_lock() {
    let workdir = Workdir::new();
    drop(open(&workdir).unwrap());
    let directory = workdir.database();
    let files = std::fs::read_dir(directory.parent().unwrap()).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["askback.db", "askback.db-lock"]);
}

/// A database has one owner, by whatever path it is opened, and is free after that one closed it.
#[cfg(unix)]
#[test]
fn a_database_in_use_is_refused_by_every_path() {
    let workdir = Workdir::new();
    let owner = open(&workdir).unwrap();
    let database = workdir.database();
    let directory = database.parent().unwrap();
    let link = directory.join("link.db");
    std::os::unix::fs::symlink(&database, &link).unwrap();
    let detour = directory.join(".").join("..");
    let detour = detour
        .join(directory.file_name().unwrap())
        .join("askback.db");
    for name in [&database, &link, &detour] {
        let Err(error) = SqliteStore::open(name, SqliteOptions::default()) else {
            panic!("{} was opened twice", name.display());
        };
        let message = error.to_string();
        let named = std::fs::canonicalize(&database).unwrap();
        assert!(
            message.contains(&named.display().to_string())
                && message.contains(&format!("process {}", std::process::id()))
                && message.contains("stop that process"),
            "{message}"
        );
    }
    drop(owner);
    drop(SqliteStore::open(&link, SqliteOptions::default()).unwrap());
}

/// Only the owner can read the database files, from their creation on, and files that others could
/// read are restricted.
#[cfg(unix)]
#[tokio::test]
async fn database_files_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let workdir = Workdir::new();
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
    store.end_all_sessions().await.unwrap();
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
    store.end_all_sessions().await.unwrap();
    assert_eq!(files("was readable"), all);
}

/// The health check writes nothing.
#[tokio::test]
async fn the_health_check_writes_nothing() {
    let workdir = Workdir::new();
    let store = open(&workdir).unwrap();
    let written = store.transactions();
    for _ in 0..3 {
        store.check_ready().await.unwrap();
    }
    assert_eq!(store.transactions(), written);
}

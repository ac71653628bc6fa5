//! Goal: damage is an error that says what to do, and nothing is written once it is seen.

use std::path::PathBuf;

use rusqlite::Connection;

use super::*;
use crate::sqlite::{SqliteStore, back_up};
use crate::store::Store as _;
use tempfile::TempDir;

struct Fixture {
    scratch: TempDir,
}

impl Fixture {
    fn new() -> Fixture {
        Fixture {
            scratch: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self) -> PathBuf {
        self.scratch.path().join("askback.db")
    }

    fn open(&self) -> Result<SqliteStore, StoreError> {
        SqliteStore::open(&self.path(), SqliteOptions::default())
    }

    fn refusal(&self) -> String {
        match self.open() {
            Ok(_) => panic!("the store was opened"),
            Err(error @ StoreError::Damaged(_)) => error.to_string(),
            Err(error) => panic!("{error}"),
        }
    }

    /// A closed store with some hundred pages.
    async fn filled(&self) {
        let store = self.open().unwrap();
        insert(&store, 500).await.unwrap();
    }

    /// What a killed server leaves: the files, and what the lock file says about them.
    async fn killed(&self) -> Fixture {
        let store = self.open().unwrap();
        insert(&store, 10).await.unwrap();
        let left = Fixture::new();
        for ending in ["", "-wal"] {
            fs::hard_link(beside(&self.path(), ending), beside(&left.path(), ending)).unwrap();
        }
        let lock = beside(&self.path(), "-lock");
        fs::copy(lock, beside(&left.path(), "-lock")).unwrap();
        drop(store);
        left
    }
}

async fn insert(store: &SqliteStore, rows: usize) -> Result<(), StoreError> {
    let insert = move |connection: &Connection| {
        connection.execute_batch("CREATE TABLE IF NOT EXISTS filler (text TEXT) STRICT")?;
        for _ in 0..rows {
            connection.execute("INSERT INTO filler VALUES (?1)", ["x".repeat(4000)])?;
        }
        Ok(crate::sqlite::Written::from(()))
    };
    store.write(insert).await
}

async fn rows(store: &SqliteStore) -> Result<usize, StoreError> {
    let count = |connection: &Connection| {
        let mut statement = connection.prepare("SELECT length(text) FROM filler")?;
        let rows = statement.query_map([], |row| row.get::<_, i64>(0))?;
        Ok(rows.collect::<rusqlite::Result<Vec<i64>>>()?.len())
    };
    store.read(count).await
}

/// SQLite would delete the log and start with an empty database.
#[tokio::test]
async fn empty_or_missing_database_beside_its_log_is_refused() {
    let fixture = Fixture::new();
    let left = fixture.killed().await;
    let log = fs::read(beside(&left.path(), "-wal")).unwrap();
    for is_missing in [true, false] {
        fs::remove_file(left.path()).unwrap();
        if !is_missing {
            fs::write(left.path(), "").unwrap();
        }
        let said = left.refusal();
        assert!(
            said.contains("askback.db-wal is not: put the database back"),
            "{said}"
        );
        assert!(
            said.contains("Restore a backup") && said.contains("mv "),
            "{said}"
        );
        assert_eq!(left.path().exists(), !is_missing);
        assert_eq!(fs::read(beside(&left.path(), "-wal")).unwrap(), log);
        fs::write(left.path(), "").unwrap();
    }
}

#[tokio::test]
async fn database_that_is_cut_is_refused_unchanged() {
    let fixture = Fixture::new();
    fixture.filled().await;
    let bytes = fs::read(fixture.path()).unwrap();
    for cut in [bytes.len() / 2, bytes.len() - 4096, 4096, 50] {
        fs::write(fixture.path(), &bytes[..cut]).unwrap();
        let said = fixture.refusal();
        assert!(
            said.contains("it is cut off") && said.contains("Restore a backup"),
            "{said}"
        );
        assert_eq!(fs::read(fixture.path()).unwrap(), bytes[..cut]);
    }
    fs::write(fixture.path(), &bytes).unwrap();
    assert_eq!(rows(&fixture.open().unwrap()).await.unwrap(), 500);
}

/// A checkpoint that is interrupted leaves a database that is shorter than it says; the rest is in the log.
#[tokio::test]
async fn pages_that_are_in_the_log_are_not_missing() {
    let fixture = Fixture::new();
    let left = fixture.killed().await;
    let file = File::options().write(true).open(left.path()).unwrap();
    file.set_len(3 * 4096).unwrap();
    drop(file);
    assert_eq!(rows(&left.open().unwrap()).await.unwrap(), 10);
}

/// A restored backup, or another copy, beside the log of the database that was there before: SQLite would mix them.
#[tokio::test]
async fn log_of_another_database_is_refused_until_it_is_removed() {
    let fixture = Fixture::new();
    fixture.filled().await;
    let backup = fixture.scratch.path().join("backup.db");
    File::create(&backup).unwrap();
    back_up(&fixture.path(), &backup).unwrap();
    let raw_copy = fixture.scratch.path().join("copy.db");
    fs::copy(fixture.path(), &raw_copy).unwrap();
    for (copy, in_place) in [(&backup, true), (&backup, false), (&raw_copy, false)] {
        let other = Fixture::new();
        let left = other.killed().await;
        if !in_place {
            fs::remove_file(left.path()).unwrap();
        }
        fs::copy(copy, left.path()).unwrap();
        let said = left.refusal();
        let advice = format!("rm -f {0}-wal {0}-shm", left.path().display());
        assert!(said.contains(&advice), "{said}");
        assert_eq!(fs::read(left.path()).unwrap(), fs::read(copy).unwrap());
        fs::remove_file(beside(&left.path(), "-wal")).unwrap();
        assert_eq!(rows(&left.open().unwrap()).await.unwrap(), 500);
    }
}

#[tokio::test]
async fn missing_log_of_a_killed_server_is_reported() {
    let fixture = Fixture::new();
    let left = fixture.killed().await;
    fs::remove_file(beside(&left.path(), "-wal")).unwrap();
    let said = left.refusal();
    assert!(said.contains("it was removed, cut, replaced"), "{said}");
    assert!(said.contains("askback.db-lock"), "{said}");
    // Nor by a second attempt.
    assert_eq!(left.refusal(), said);
    fs::remove_file(beside(&left.path(), "-lock")).unwrap();
    drop(left.open().unwrap());
    // A server that ends leaves no log, and none is missed.
    drop(left.open().unwrap());
}

/// The log of a running server is cut: what was in it is lost, and the next start says so.
#[tokio::test]
async fn log_that_was_cut_is_reported() {
    let fixture = Fixture::new();
    let store = fixture.open().unwrap();
    insert(&store, 10).await.unwrap();
    let wal = File::options()
        .write(true)
        .open(beside(&fixture.path(), "-wal"));
    wal.unwrap().set_len(0).unwrap();
    insert(&store, 1).await.unwrap_err();
    drop(store);
    let said = fixture.refusal();
    assert!(said.contains("it was removed, cut, replaced"), "{said}");
}

/// SQLite would take what is left of it, without a word.
#[tokio::test]
async fn log_that_lacks_a_commit_is_refused_unchanged() {
    let other = Fixture::new();
    let foreign = fs::read(beside(&other.killed().await.path(), "-wal")).unwrap();
    let fixture = Fixture::new();
    let left = fixture.killed().await;
    let wal = beside(&left.path(), "-wal");
    let whole = fs::read(&wal).unwrap();
    let overwritten = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at..at + 64].fill(0x5a);
        bytes
    };
    let last_frame = whole.len() - 100;
    for bytes in [
        Vec::new(),
        whole[..whole.len() / 2].to_vec(),
        whole[..whole.len() - 1].to_vec(),
        overwritten(0),
        overwritten(whole.len() / 2),
        overwritten(last_frame),
        foreign,
    ] {
        fs::write(&wal, &bytes).unwrap();
        let said = left.refusal();
        assert!(
            said.contains("is not the log that the last server left"),
            "{said}"
        );
        quick_check(&left.path(), Duration::MAX).unwrap_err();
        let copy = left.scratch.path().join("copy.db");
        File::create(&copy).unwrap();
        back_up(&left.path(), &copy).unwrap_err();
        assert_eq!(fs::read(&wal).unwrap(), bytes, "it is left as it is");
    }
    fs::write(&wal, &whole).unwrap();
    assert_eq!(rows(&left.open().unwrap()).await.unwrap(), 10);
}

/// Whoever looks at damaged files must not make it worse: SQLite deletes the log of an empty database.
#[tokio::test]
async fn check_and_backup_leave_damaged_files_alone() {
    let fixture = Fixture::new();
    let left = fixture.killed().await;
    let wal = beside(&left.path(), "-wal");
    let log = fs::read(&wal).unwrap();
    fs::remove_file(left.path()).unwrap();
    fs::write(left.path(), "").unwrap();
    quick_check(&left.path(), Duration::MAX).unwrap_err();
    let copy = left.scratch.path().join("copy.db");
    File::create(&copy).unwrap();
    back_up(&left.path(), &copy).unwrap_err();
    assert_eq!(fs::read(&wal).unwrap(), log);
    fs::remove_file(&wal).unwrap();
    quick_check(&left.path(), Duration::MAX).unwrap_err();
    assert!(!wal.exists());
    let said = left.refusal();
    assert!(said.contains("the last server had it open"), "{said}");
}

/// Everything is in the database then, and nothing is missing.
#[tokio::test]
async fn log_that_was_copied_into_the_database_is_not_missed() {
    let fixture = Fixture::new();
    let store = fixture.open().unwrap();
    insert(&store, 10).await.unwrap();
    let lock = beside(&fixture.path(), "-lock");
    while LockRecord::read(&lock).log.is_some() {
        tokio::task::yield_now().await;
    }
    let left = Fixture::new();
    fs::hard_link(fixture.path(), left.path()).unwrap();
    fs::copy(lock, beside(&left.path(), "-lock")).unwrap();
    drop(store);
    assert_eq!(rows(&left.open().unwrap()).await.unwrap(), 10);
}

/// A server that is killed again and again, and whose log is started anew in between, refuses nothing of its own.
#[tokio::test]
async fn logs_of_killed_servers_are_taken() {
    let mut fixture = Fixture::new();
    for round in 1..=5 {
        let left = fixture.killed().await;
        drop(std::mem::replace(&mut fixture, left));
        assert_eq!(rows(&fixture.open().unwrap()).await.unwrap(), 10 * round);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_no_file_is_not_the_log() {
    let fixture = Fixture::new();
    let left = fixture.killed().await;
    let wal = beside(&left.path(), "-wal");
    let kept = left.scratch.path().join("kept");
    fs::rename(&wal, &kept).unwrap();
    fs::create_dir(&wal).unwrap();
    assert!(left.refusal().contains("is not a file"));
    fs::remove_dir(&wal).unwrap();
    std::os::unix::fs::symlink(&kept, &wal).unwrap();
    assert!(left.refusal().contains("is not a file"));
    fs::remove_file(&wal).unwrap();
    fs::rename(&kept, &wal).unwrap();
    assert_eq!(rows(&left.open().unwrap()).await.unwrap(), 10);
}

/// The beginning of the log is overwritten in place: nothing more is acknowledged.
#[tokio::test]
async fn log_that_is_overwritten_under_a_server_is_noticed() {
    let fixture = Fixture::new();
    let store = fixture.open().unwrap();
    // Until the next checkpoint, the log is needed.
    let reader = open_reader(&fixture.path(), &SqliteOptions::default()).unwrap();
    reader
        .execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema")
        .unwrap();
    insert(&store, 10).await.unwrap();
    let wal = File::options()
        .write(true)
        .open(beside(&fixture.path(), "-wal"));
    std::os::unix::fs::FileExt::write_all_at(&wal.unwrap(), &[0x5a; 200], 0).unwrap();
    let refused = insert(&store, 1).await.unwrap_err();
    assert!(matches!(refused, StoreError::Replaced(_)), "{refused}");
    assert!(
        refused
            .to_string()
            .contains("askback.db-wal was cut or overwritten"),
        "{refused}"
    );
}

/// Whoever reads the database right after its log was removed makes SQLite create an empty one.
#[tokio::test]
async fn removed_log_is_saved_although_somebody_reads_the_database() {
    let fixture = Fixture::new();
    let store = fixture.open().unwrap();
    insert(&store, 10).await.unwrap();
    let wal = beside(&fixture.path(), "-wal");
    fs::remove_file(&wal).unwrap();
    quick_check(&fixture.path(), Duration::MAX).unwrap_err();
    assert!(!wal.exists(), "a check creates nothing");
    fs::write(&wal, "").unwrap();
    drop(store);
    assert_eq!(rows(&fixture.open().unwrap()).await.unwrap(), 10);
}

/// What a check finds while no server runs is known to the next one.
#[tokio::test]
async fn damage_that_a_check_finds_is_refused_at_the_start() {
    let fixture = Fixture::new();
    fixture.filled().await;
    let mut bytes = fs::read(fixture.path()).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 40960].fill(0x5a);
    fs::write(fixture.path(), &bytes).unwrap();
    quick_check(&fixture.path(), Duration::MAX).unwrap_err();
    fixture.refusal();
    assert_eq!(fs::read(fixture.path()).unwrap(), bytes);
}

/// A database that is moved and linked to leaves its log behind.
#[cfg(unix)]
#[tokio::test]
async fn log_beside_a_link_is_not_overlooked() {
    let fixture = Fixture::new();
    let left = fixture.killed().await;
    let moved = left.scratch.path().join("moved.db");
    fs::rename(left.path(), &moved).unwrap();
    std::os::unix::fs::symlink(&moved, left.path()).unwrap();
    let said = left.refusal();
    assert!(
        said.contains("mv ") && said.contains("moved.db-wal"),
        "{said}"
    );
    fs::rename(beside(&left.path(), "-wal"), beside(&moved, "-wal")).unwrap();
    assert_eq!(rows(&left.open().unwrap()).await.unwrap(), 10);
}

/// A page in the middle cannot be found at the start. The first read that meets it ends all writing, also after a restart.
#[tokio::test]
async fn nothing_is_written_once_damage_was_seen() {
    let fixture = Fixture::new();
    fixture.filled().await;
    let mut bytes = fs::read(fixture.path()).unwrap();
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..middle + 40960].fill(0x5a);
    fs::write(fixture.path(), &bytes).unwrap();

    let store = fixture.open().unwrap();
    let seen = rows(&store).await.unwrap_err();
    assert!(matches!(seen, StoreError::Damaged(_)), "{seen}");
    let said = seen.to_string();
    for part in ["nothing is written any more", "Restore a backup", "mv "] {
        assert!(said.contains(part), "{said}");
    }
    for refusal in [
        insert(&store, 1).await,
        store.check_ready().await,
        store.check_in_place(),
    ] {
        assert!(
            matches!(refusal, Err(StoreError::Damaged(_))),
            "{refusal:?}"
        );
    }
    drop(store);
    assert_eq!(
        fs::read(fixture.path()).unwrap(),
        bytes,
        "nothing was written"
    );
    assert!(quick_check(&fixture.path(), Duration::MAX).is_err());
    fixture.refusal();
}

#[tokio::test]
async fn damage_that_a_write_meets_ends_writing() {
    let fixture = Fixture::new();
    fixture.filled().await;
    let mut bytes = fs::read(fixture.path()).unwrap();
    bytes[8192..].fill(0x5a);
    fs::write(fixture.path(), &bytes).unwrap();
    let opened = fixture.open();
    let refusal = match opened {
        // The damage is in what is read at the start.
        Err(error) => error,
        Ok(store) => insert(&store, 1).await.unwrap_err(),
    };
    assert!(matches!(refusal, StoreError::Damaged(_)), "{refusal}");
}

/// A repaired or restored database is used again.
#[tokio::test]
async fn database_is_checked_after_damage_and_then_used() {
    let fixture = Fixture::new();
    fixture.filled().await;
    let store = fixture.open().unwrap();
    store.file.mark_damaged("a test says so");
    drop(store);
    assert_eq!(
        quick_check(&fixture.path(), Duration::MAX).unwrap(),
        QuickCheck::Passed
    );
    let store = fixture.open().unwrap();
    insert(&store, 1).await.unwrap();
    assert_eq!(rows(&store).await.unwrap(), 501);
}

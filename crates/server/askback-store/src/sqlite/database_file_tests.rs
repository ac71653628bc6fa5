//! Goal: a database is free as soon as its user is done with it, and nothing is written to files that were taken away.

use super::*;
use crate::session_store::SessionStore as _;
use crate::sqlite::{SqliteOptions, SqliteStore, back_up};
use crate::store::Store as _;

/// A child process has a copy of every open file between fork and exec.
#[test]
fn lock_is_released_although_a_child_has_the_file_open() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("askback.db");
    let first = DatabaseFile::lock(&path).unwrap();
    let in_child = first.lock.try_clone().unwrap();
    assert!(DatabaseFile::lock(&path).is_err());
    drop(first);
    DatabaseFile::lock(&path).unwrap();
    drop(in_child);
}

/// Without the lock file, and under another name, the database is still in use.
#[cfg(target_os = "linux")]
#[test]
fn database_in_use_is_refused_without_its_lock_file() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("askback.db");
    let first = DatabaseFile::lock(&path).unwrap();
    fs::remove_file(beside(&path, "-lock")).unwrap();
    let link = scratch.path().join("hard-link.db");
    fs::hard_link(&path, &link).unwrap();
    for path in [&path, &link] {
        let refusal = DatabaseFile::lock(path).unwrap_err().to_string();
        assert!(
            refusal.contains("is in use by another askback"),
            "{refusal}"
        );
    }
    drop(first);
    DatabaseFile::lock(&path).unwrap();
}

/// What somebody does to a file.
type Way = fn(&Path);

fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path, SqliteOptions::default()).unwrap()
}

fn rename(from: &Path) {
    fs::rename(from, beside(from, ".away")).unwrap();
}

fn replace(path: &Path) {
    fs::copy(path, beside(path, ".new")).unwrap();
    fs::rename(beside(path, ".new"), path).unwrap();
}

fn cut(path: &Path) {
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(0)
        .unwrap();
}

fn move_behind_a_link(path: &Path) {
    rename(path);
    std::os::unix::fs::symlink(beside(path, ".away"), path).unwrap();
}

/// Each file, in each way: the next write fails and is not acknowledged, and that stays so.
#[cfg(unix)]
#[tokio::test]
async fn nothing_is_written_to_files_that_were_taken_away() {
    let remove = |path: &Path| fs::remove_file(path).unwrap();
    let ways: [(&str, Way); 5] = [
        ("was removed", remove),
        ("was removed", rename),
        ("was replaced by another file", replace),
        ("was replaced by another file", move_behind_a_link),
        ("was cut or overwritten", cut),
    ];
    for ending in ENDINGS {
        for (said, way) in ways {
            // An empty lock file is still the same lock.
            if said.contains("cut") && (ending == "-lock" || ending == "-shm") {
                continue;
            }
            let scratch = tempfile::tempdir().unwrap();
            let path = scratch.path().join("askback.db");
            let store = open(&path);
            store.end_all_sessions().await.unwrap();
            let written = store.transactions();
            let file = beside(&path, ending);
            way(&file);
            for refusal in [
                store.end_all_sessions().await.map(drop),
                store.check_in_place(),
                store.check_ready().await,
            ] {
                let Err(StoreError::Replaced(why)) = refusal else {
                    panic!("{ending} {said}: {refusal:?}");
                };
                let file = fs::canonicalize(scratch.path())
                    .unwrap()
                    .join(file.file_name().unwrap());
                assert!(
                    why.starts_with(&format!("{} {said}", file.display())),
                    "{why}"
                );
            }
            assert_eq!(store.transactions(), written, "{ending} {said}");
            assert!(!store.is_healthy());
        }
    }
}

/// What was acknowledged is in the log that SQLite has open.
#[cfg(unix)]
#[tokio::test]
async fn log_that_was_removed_is_saved_when_the_store_closes() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("askback.db");
    let store = open(&path);
    let create = |connection: &rusqlite::Connection| {
        connection.execute_batch("CREATE TABLE kept (x)")?;
        Ok(crate::sqlite::Written::from(()))
    };
    store.write(create).await.unwrap();
    fs::remove_file(beside(&path, "-wal")).unwrap();
    store.end_all_sessions().await.unwrap_err();
    drop(store);
    let store = open(&path);
    let count = |connection: &rusqlite::Connection| {
        Ok(connection.query_row("SELECT count(*) FROM kept", [], |row| row.get::<_, i64>(0))?)
    };
    assert_eq!(store.read(count).await.unwrap(), 0);
}

/// A link that leads to another database, in the name or in the directory.
#[cfg(unix)]
#[tokio::test]
async fn link_that_leads_elsewhere_is_noticed() {
    use std::os::unix::fs::symlink;
    let scratch = tempfile::tempdir().unwrap();
    let [one, two, link] = ["one", "two", "link"].map(|name| scratch.path().join(name));
    for directory in [&one, &two] {
        fs::create_dir(directory).unwrap();
        drop(open(&directory.join("askback.db")));
    }
    symlink(&one, &link).unwrap();
    let store = open(&link.join("askback.db"));
    store.end_all_sessions().await.unwrap();
    fs::remove_file(&link).unwrap();
    symlink(&two, &link).unwrap();
    let refusal = store.end_all_sessions().await;
    assert!(
        matches!(refusal, Err(StoreError::Replaced(_))),
        "{refusal:?}"
    );
}

/// Somebody copies a backup over the database of a running server: it stays as it is, and the next start says what to do.
#[cfg(unix)]
#[tokio::test]
async fn backup_that_was_copied_over_an_open_database_is_left_alone() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("askback.db");
    let backup = scratch.path().join("backup.db");
    let store = open(&path);
    store.end_all_sessions().await.unwrap();
    File::create(&backup).unwrap();
    back_up(&path, &backup).unwrap();
    fs::copy(&backup, &path).unwrap();
    let refusal = store.end_all_sessions().await;
    assert!(
        matches!(refusal, Err(StoreError::Replaced(_))),
        "{refusal:?}"
    );
    drop(store);
    assert_eq!(fs::read(&path).unwrap(), fs::read(&backup).unwrap());
    let refusal = match SqliteStore::open(&path, SqliteOptions::default()) {
        Ok(_) => panic!("the old log was applied"),
        Err(error) => error.to_string(),
    };
    assert!(refusal.contains("rm -f "), "{refusal}");
    fs::remove_file(beside(&path, "-wal")).unwrap();
    open(&path).end_all_sessions().await.unwrap();
}

/// Checkpoints, and commits while another thread looks, are no changes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_writes_are_no_changes() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("askback.db");
    let store = std::sync::Arc::new(open(&path));
    let writes = {
        let store = std::sync::Arc::clone(&store);
        tokio::spawn(async move {
            for number in 0..40 {
                let grow = move |connection: &rusqlite::Connection| {
                    connection.execute_batch(&format!(
                        "CREATE TABLE t{number} AS SELECT zeroblob(1000000) x"
                    ))?;
                    Ok(crate::sqlite::Written::from(()))
                };
                store.write(grow).await.unwrap();
            }
        })
    };
    while !writes.is_finished() {
        store.check_in_place().unwrap();
        tokio::task::yield_now().await;
    }
    writes.await.unwrap();
    store.check_ready().await.unwrap();
}

/// After a failed write, small writes that succeed are no sign of room.
#[tokio::test]
async fn store_is_not_ready_after_a_failed_write_until_there_is_room() {
    use crate::sqlite::CommitFault;
    let scratch = tempfile::tempdir().unwrap();
    let options = SqliteOptions::default();
    let store = SqliteStore::open(&scratch.path().join("askback.db"), options.clone()).unwrap();
    options.faults.fill_disk(true);
    store.check_ready().await.unwrap();
    assert!(!store.has_failed_writes());
    options.faults.inject(CommitFault::NotWritten);
    store.end_all_sessions().await.unwrap_err();
    for _ in 0..3 {
        store.end_all_sessions().await.unwrap();
        assert!(store.has_failed_writes());
        let refusal = store.check_ready().await;
        assert!(
            matches!(refusal, Err(StoreError::Unavailable(_))),
            "{refusal:?}"
        );
    }
    options.faults.fill_disk(false);
    store.check_ready().await.unwrap();
    assert!(!store.has_failed_writes());
    let names = fs::read_dir(scratch.path()).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "no file is left: {names:?}");
}

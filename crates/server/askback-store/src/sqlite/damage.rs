//! Finds damage of a database: cheaply before it is opened, and thoroughly on request.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rusqlite::ErrorCode;

use crate::private_file;
use crate::sqlite::connection::open_reader;
use crate::sqlite::database_file::beside;
use crate::sqlite::database_header::DatabaseHeader;
use crate::sqlite::file_identity::inode_of;
use crate::sqlite::lock_record::{FailureMark, LockRecord, OpenFiles};
use crate::sqlite::options::SqliteOptions;
use crate::sqlite::wal::{Wal, has_frames};
use crate::store::StoreError;

/// The result of [`quick_check`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuickCheck {
    /// The whole database was read, and no damage was found.
    Passed,
    /// There was not enough time to read all of it; no damage was found so far.
    Unfinished,
}

/// SQLite's quick check of a database that another process may be writing.
pub fn quick_check(database: &Path, time_max: Duration) -> Result<QuickCheck, StoreError> {
    check_before_reading(database)?;
    let reader = open_reader(database, &SqliteOptions::default())?;
    let interrupt = reader.get_interrupt_handle();
    let (ended, waiting) = mpsc::channel::<()>();
    let timer = thread::spawn(move || {
        if waiting.recv_timeout(time_max) == Err(RecvTimeoutError::Timeout) {
            interrupt.interrupt();
        }
    });
    let found = reader.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    drop(ended);
    drop(timer.join());
    match found {
        Ok(found) if found == "ok" => Ok(QuickCheck::Passed),
        // The text names pages and tables, no values. It may have a heading.
        Ok(found) => {
            mark_unused_as_damaged(database);
            Err(damaged(database, found.lines().last().unwrap_or_default()))
        }
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
            Ok(QuickCheck::Unfinished)
        }
        Err(error) => Err(StoreError::from(error).map_damaged(|why| damaged(database, why))),
    }
}

/// So that the next server does not write to it. One that runs finds out by itself.
fn mark_unused_as_damaged(database: &Path) {
    let path = beside(database, "-lock");
    let Ok(lock) = private_file::open_or_create(&path) else {
        return;
    };
    if lock.try_lock().is_ok() {
        let record = LockRecord {
            mark: Some(FailureMark::Damaged),
            ..LockRecord::read(&path)
        };
        // If this fails, the damage is found again.
        drop(record.write(&lock));
    }
}

/// The error for a damaged database, with what to do.
pub(super) fn damaged(path: &Path, why: &str) -> StoreError {
    let shown = path.display();
    StoreError::Damaged(format!("{shown}: {why}. {}", what_to_do(path)))
}

fn what_to_do(path: &Path) -> String {
    let shown = path.display();
    format!(
        "Restore a backup as docs/operations.md says. To start without these questions, move all files of the \
         database away: mkdir OLD && mv {shown}* OLD/"
    )
}

/// To be called before a database is read beside a server that may be using it: SQLite deletes the log of an empty
/// database, and creates one that is missing.
pub(super) fn check_before_reading(path: &Path) -> Result<(), StoreError> {
    let lock_path = beside(path, "-lock");
    let lock = File::open(&lock_path);
    let is_used = matches!(
        lock.as_ref().map(File::try_lock_shared),
        Ok(Err(TryLockError::WouldBlock))
    );
    let record = LockRecord::read(&lock_path);
    if !is_used {
        return check_files(path, &record);
    }
    if record
        .files
        .is_some_and(|files| files != OpenFiles::at(path))
    {
        let shown = path.display();
        return Err(StoreError::Unavailable(format!(
            "{shown} or its log was taken away from the server that uses it; that server stops within seconds and says \
             what to do"
        )));
    }
    Ok(())
}

/// Fails if the files at `path` are not what a server leaves behind. SQLite would take an empty database for a new
/// one and delete its log, would apply the log of one database to another, and would go on without the rest of a log
/// that is cut. The cost depends on the size of the log, which is bounded, and not on that of the database. `left` is
/// what the last server wrote about its files.
pub(super) fn check_files(path: &Path, left: &LockRecord) -> Result<(), StoreError> {
    let unreadable =
        |error: io::Error| StoreError::Unavailable(format!("{}: {error}", path.display()));
    let bytes = match fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(unreadable(error)),
    };
    let wal_path = beside(path, "-wal");
    let has_log = has_frames(&wal_path)
        .map_err(|error| StoreError::Damaged(format!("{}: {error}", wal_path.display())))?;
    if bytes == 0 {
        if has_log {
            let why =
                "it is empty or missing, but its log askback.db-wal is not: put the database back";
            return Err(damaged(path, &why.replace("askback.db", &name(path))));
        }
        if left.files.is_some() {
            let why =
                "it is empty or missing, but the last server had it open: put the database back";
            return Err(damaged(path, why));
        }
        return Ok(());
    }
    let database = File::open(path).map_err(unreadable)?;
    let Some(header) = DatabaseHeader::read(&database).map_err(unreadable)? else {
        return Err(damaged(path, "it is cut off"));
    };
    if !header.is_sqlite() {
        return Err(damaged(path, "it is not a valid SQLite database"));
    }
    let needed = left.needed_log(path).filter(|_| !header.is_backup());
    let mut missing = header.missing_pages(bytes);
    let wal = if needed.is_some() || !missing.is_empty() {
        Wal::read(&wal_path).map_err(unreadable)?
    } else {
        Wal::default()
    };
    // A checkpoint that was interrupted has left the rest of its pages in the log.
    if !missing.all(|page| wal.has_page(page)) {
        return Err(damaged(path, "it is cut off"));
    }
    if has_log && (header.is_backup() || left.has_other_database(path)) {
        return Err(foreign_log(path));
    }
    if needed.is_some_and(|needed| !wal.has(needed)) {
        return Err(lost_log(path));
    }
    Ok(())
}

/// After damage was seen, the whole database is checked before it is used again.
pub(super) fn check_after_failure(path: &Path, left: &LockRecord) -> Result<(), StoreError> {
    if left.mark == Some(FailureMark::Damaged) {
        quick_check(path, Duration::MAX)?;
    }
    Ok(())
}

fn foreign_log(path: &Path) -> StoreError {
    let shown = path.display();
    StoreError::Damaged(format!(
        "{shown} was replaced, and the log beside it belongs to the database that was there before. If {shown} is the one \
         that you want, remove the log and start again: rm -f {shown}-wal {shown}-shm"
    ))
}

fn lost_log(path: &Path) -> StoreError {
    let shown = path.display();
    StoreError::Damaged(format!(
        "{shown}-wal is not the log that the last server left: it was removed, cut, replaced or overwritten, so what was \
         written last may be missing in {shown}. If another SQLite program has opened {shown} since, that has copied the \
         log into it, and nothing is missing. Otherwise put the file back, or restore a backup as docs/operations.md \
         says. To go on with what {shown} has: rm -f {shown}-lock {shown}-wal {shown}-shm"
    ))
}

/// Fails if a log is beside the link that leads to the database: SQLite looks for it beside the database.
pub(super) fn check_link(given: &Path, path: &Path) -> Result<(), StoreError> {
    let [unused, used] = [given, path].map(|path| beside(path, "-wal"));
    if !has_frames(&unused).unwrap_or(true) || inode_of(&unused) == inode_of(&used) {
        return Ok(());
    }
    let [given, unused, path, used] =
        [given, unused.as_path(), path, used.as_path()].map(Path::display);
    Err(StoreError::Damaged(format!(
        "{given} is a link to {path}, and the log {unused} is not beside it. If it belongs to this database: mv {unused} {used}"
    )))
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
#[path = "damage_tests.rs"]
mod tests;

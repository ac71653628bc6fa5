//! Finds damage of a database: cheaply before it is opened, and thoroughly on request.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rusqlite::ErrorCode;

use crate::sqlite::connection::open_reader;
use crate::sqlite::database_file::{beside, inode_of};
use crate::sqlite::database_header::DatabaseHeader;
use crate::sqlite::lock_record::{FailureMark, LockRecord};
use crate::sqlite::options::SqliteOptions;
use crate::store::StoreError;

const WAL_HEADER_BYTES: u64 = 32;

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
        Ok(found) => Err(damaged(database, found.lines().last().unwrap_or_default())),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
            Ok(QuickCheck::Unfinished)
        }
        Err(error) => Err(StoreError::from(error).map_damaged(|why| damaged(database, why))),
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

/// Fails if the files at `path` are not what a server leaves behind. SQLite would take an empty database for a new
/// one and delete its log, and would apply the log of one database to another. The cost does not depend on the
/// size of the database. `left` is what the last server wrote about its files.
pub(super) fn check_files(path: &Path, left: &LockRecord) -> Result<(), StoreError> {
    let unreadable =
        |error: io::Error| StoreError::Unavailable(format!("{}: {error}", path.display()));
    let bytes = match fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(unreadable(error)),
    };
    let wal = Wal::open(&beside(path, "-wal")).map_err(unreadable)?;
    let has_log = wal.as_ref().is_some_and(|wal| wal.bytes > WAL_HEADER_BYTES);
    if bytes == 0 {
        if has_log {
            let why =
                "it is empty or missing, but its log askback.db-wal is not: put the database back";
            return Err(damaged(path, &why.replace("askback.db", &name(path))));
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
    if has_log && (header.is_backup() || left.has_other_database(path)) {
        return Err(foreign_log(path));
    }
    if !header.is_backup() && left.has_lost_log(path) {
        return Err(lost_log(path));
    }
    let mut missing = header.missing_pages(bytes);
    if missing.is_empty() {
        return Ok(());
    }
    // A checkpoint that was interrupted has left the rest of its pages in the log.
    let logged = match wal {
        Some(wal) => wal.pages(header.page_bytes()).map_err(unreadable)?,
        None => HashSet::new(),
    };
    if missing.all(|page| logged.contains(&page)) {
        return Ok(());
    }
    Err(damaged(path, "it is cut off"))
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
        "{shown}-wal was removed or cut while it was needed, so what was written last is missing in {shown}. Put the file \
         back, or restore a backup as docs/operations.md says. To go on without what is missing: rm {shown}-lock"
    ))
}

/// Fails if a log is beside the link that leads to the database: SQLite looks for it beside the database.
pub(super) fn check_link(given: &Path, path: &Path) -> Result<(), StoreError> {
    let [unused, used] = [given, path].map(|path| beside(path, "-wal"));
    let has_log = fs::metadata(&unused).is_ok_and(|log| log.len() > WAL_HEADER_BYTES);
    if !has_log || inode_of(&unused) == inode_of(&used) {
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

/// A write-ahead log that nobody uses.
struct Wal {
    file: File,
    bytes: u64,
}

impl Wal {
    /// `None` if there is none.
    fn open(path: &Path) -> io::Result<Option<Wal>> {
        match File::open(path) {
            Ok(file) => {
                let bytes = file.metadata()?.len();
                Ok(Some(Wal { file, bytes }))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The numbers of the pages in it, those of incomplete transactions included.
    fn pages(mut self, page_bytes: u64) -> io::Result<HashSet<u64>> {
        let mut pages = HashSet::new();
        let mut header = [0; 32];
        let mut frame = [0; 24];
        if self.bytes < WAL_HEADER_BYTES {
            return Ok(pages);
        }
        self.file.read_exact(&mut header)?;
        let frame_bytes = 24 + page_bytes;
        let mut offset = WAL_HEADER_BYTES;
        while offset + frame_bytes <= self.bytes {
            self.file.seek(SeekFrom::Start(offset))?;
            self.file.read_exact(&mut frame)?;
            // The frames that follow are of an earlier use of the file.
            if frame[8..16] != header[16..24] {
                break;
            }
            pages.insert(u64::from(u32::from_be_bytes([
                frame[0], frame[1], frame[2], frame[3],
            ])));
            offset += frame_bytes;
        }
        Ok(pages)
    }
}

#[cfg(test)]
#[path = "damage_tests.rs"]
mod tests;

//! The files of an open database: private to their owner, locked by one process at a time, and watched.
//!
//! A file that is removed or replaced stays open here, and what is written to it is lost. So every commit is
//! preceded and followed by a look at what the paths lead to.

use parking_lot::{Mutex, RwLock};
use std::ffi::OsString;
use std::fs::{self, File, Metadata, TryLockError};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::private_file;
use crate::sqlite::connection::WAL_BYTES_KEPT;
use crate::sqlite::damage;
use crate::sqlite::database_header::DatabaseHeader;
use crate::sqlite::file_identity::{FileIdentity, is_gone};
use crate::sqlite::lock_record::{FailureMark, LockRecord, OpenFiles};
use crate::sqlite::wal::LogPosition;
use crate::store::StoreError;

/// The endings of the files of a database.
const ENDINGS: [&str; 4] = ["", "-wal", "-shm", "-lock"];

/// In the order of [`ENDINGS`].
type Identities = [FileIdentity; ENDINGS.len()];

/// Locks a database until it is dropped.
#[derive(Debug)]
pub(super) struct DatabaseFile {
    /// What the caller named. Links in it may be changed.
    given: PathBuf,
    /// The same without links.
    path: PathBuf,
    lock: File,
    /// Open as long as SQLite has the file open: closing any handle of it releases SQLite's own locks.
    database: File,
    /// Empty before SQLite has opened the files.
    identities: OnceLock<Identities>,
    /// After the last checkpoint. The database never shrinks: nothing vacuums it.
    database_bytes: AtomicU64,
    /// Only a checkpoint changes it, and locks it meanwhile.
    header: RwLock<Option<DatabaseHeader>>,
    /// The length of the log after the last commit.
    wal_bytes: AtomicU64,
    /// The log that SQLite has open.
    wal: OnceLock<File>,
    /// What the lock file says.
    record: Mutex<LockRecord>,
    /// Why nothing is written any more.
    failure: OnceLock<StoreError>,
}

impl DatabaseFile {
    /// Locks the database at `path`; creates an empty file if there is none. Links and relative paths
    /// to the same file lock the same database. Fails if its files are damaged or do not belong together.
    pub(super) fn lock(path: &Path) -> Result<DatabaseFile, StoreError> {
        let cannot_open = |error: io::Error| {
            StoreError::Unavailable(format!(
                "cannot open the database file {} ({error}); check that its directory exists and is \
                 writable",
                path.display()
            ))
        };
        let given = std::path::absolute(path).map_err(cannot_open)?;
        if !path.exists() {
            damage::check_files(&given, &LockRecord::read(&beside(&given, "-lock")))?;
            private_file::open_or_create(path).map_err(cannot_open)?;
        }
        let path = fs::canonicalize(path).map_err(cannot_open)?;
        let lock_path = beside(&path, "-lock");
        let lock = private_file::open_or_create(&lock_path).map_err(cannot_open)?;
        match lock_soon(&lock) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use(&path)),
            Err(TryLockError::Error(error)) => return Err(cannot_open(error)),
        }
        let database = File::open(&path).map_err(cannot_open)?;
        if is_locked_elsewhere(&database) {
            return Err(in_use(&path));
        }
        damage::check_link(&given, &path)?;
        let left = LockRecord::read(&lock_path);
        damage::check_files(&path, &left)?;
        damage::check_after_failure(&path, &left)?;
        for ending in ENDINGS {
            // Fails if the file belongs to another user; `askback doctor` reports that.
            drop(private_file::restrict_to_owner(&beside(&path, ending)));
        }
        let file = DatabaseFile {
            given,
            path,
            lock,
            database,
            identities: OnceLock::new(),
            database_bytes: AtomicU64::new(0),
            header: RwLock::default(),
            wal_bytes: AtomicU64::new(0),
            wal: OnceLock::new(),
            // What the last server left stays true until SQLite has opened the files.
            record: Mutex::new(LockRecord {
                process: Some(std::process::id()),
                ..left
            }),
            failure: OnceLock::new(),
        };
        file.record.lock().write(&file.lock).map_err(cannot_open)?;
        Ok(file)
    }

    /// The canonical path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Starts to watch the files. SQLite must have opened all of them; `log_frames` are in its log.
    pub(super) fn watch(&self, log_frames: Option<u32>) -> Result<(), StoreError> {
        let watch = || -> io::Result<()> {
            let identities = self.identify()?;
            let [database, wal, ..] = identities;
            let log = File::open(beside(&self.path, "-wal"))?;
            let position = read_position(&log, log_frames)?;
            drop(self.wal.set(log));
            self.change_record(|record| {
                record.mark = None;
                record.log = position;
                record.files = Some(OpenFiles {
                    database: database.inode,
                    wal: wal.inode,
                });
            })?;
            self.remember_database(&mut self.header.write())?;
            self.identities.get_or_init(|| identities);
            self.remember_wal_bytes()
        };
        watch().map_err(|error| self.cannot_look(&error))
    }

    /// Fails if a file was removed, replaced, cut or overwritten, from then on and for ever; and after damage. Costs
    /// a few microseconds.
    pub(super) fn check_in_place(&self) -> Result<(), StoreError> {
        if let Some(failure) = self.failure.get() {
            return Err(failure.clone());
        }
        let Some(identities) = self.identities.get() else {
            return Ok(());
        };
        let change = match self.database_change(identities) {
            Ok(None) => self.first_change_beside(identities),
            found => found,
        };
        match change {
            Ok(None) => Ok(()),
            Ok(Some(change)) => Err(self.stop_writing(&change)),
            Err(error) => Err(self.cannot_look(&error)),
        }
    }

    /// To be called before each commit, by the thread that commits: only that changes the beginning of the log.
    pub(super) fn check_before_commit(&self) -> Result<(), StoreError> {
        self.check_in_place()?;
        let committed = self.record.lock().log;
        let (Some(wal), Some(committed)) = (self.wal.get(), committed) else {
            return Ok(());
        };
        match read_position(wal, Some(committed.frames)) {
            Ok(found) if found == Some(committed) => Ok(()),
            Ok(_) => {
                let path = beside(&self.path, "-wal");
                Err(self.stop_writing(&Change(path, ChangeKind::Overwritten)))
            }
            Err(error) => Err(self.cannot_look(&error)),
        }
    }

    /// To be called after each commit. If a process is killed, the next one finds out whether the log still has it.
    pub(super) fn check_after_commit(&self, log_frames: Option<u32>) -> Result<(), StoreError> {
        self.check_in_place()?;
        self.remember_wal_bytes()
            .and_then(|()| self.record_log(log_frames))
            .map_err(|error| self.cannot_look(&error))
    }

    /// `None` if the log has nothing that is not in the database, or if that is not known.
    fn record_log(&self, frames: Option<u32>) -> io::Result<()> {
        let Some(wal) = self.wal.get() else {
            return Ok(());
        };
        let position = read_position(wal, frames)?;
        self.change_record(|record| record.log = position)
    }

    fn remember_wal_bytes(&self) -> io::Result<()> {
        let wal = fs::symlink_metadata(beside(&self.path, "-wal"))?;
        self.wal_bytes.store(wal.len(), Ordering::Release);
        Ok(())
    }

    /// Runs a checkpoint, unless the files are no longer those that were opened. `run` returns whether everything was
    /// copied into the database, and so does this. To be called by the thread that commits.
    pub(super) fn checkpoint(&self, run: impl FnOnce() -> bool) -> bool {
        let run = || {
            let is_complete = run();
            if is_complete {
                // Otherwise the log counts as needed, which it may be.
                drop(self.record_log(None));
            }
            is_complete
        };
        self.change_database(run).unwrap_or(false)
    }

    /// Runs a checkpoint while another thread commits, and waits until what it copied is on disk: SQLite leaves that to
    /// a checkpoint that copies everything, which then takes as long as all before it. If it fails, that one still does it.
    pub(super) fn copy_log(&self, run: impl FnOnce()) {
        self.change_database(|| {
            run();
            drop(self.database.sync_data());
        });
    }

    /// `None` if the files are no longer those that were opened.
    fn change_database<T>(&self, run: impl FnOnce() -> T) -> Option<T> {
        self.check_in_place().ok()?;
        let mut header = self.header.write();
        let result = run();
        // If this fails, the next check reports a change, or fails, too.
        drop(self.remember_database(&mut header));
        Some(result)
    }

    fn remember_database(&self, header: &mut Option<DatabaseHeader>) -> io::Result<()> {
        let bytes = self.database.metadata()?.len();
        *header = DatabaseHeader::read(&self.database)?;
        self.database_bytes.store(bytes, Ordering::Release);
        Ok(())
    }

    /// Nothing is written after this. The next process that opens the database checks all of it first.
    pub(super) fn mark_damaged(&self, why: &str) -> StoreError {
        if let Some(failure) = self.failure.get() {
            return failure.clone();
        }
        let failure = damage::damaged(&self.path, &format!("{why}; nothing is written any more"));
        self.fail(failure, Some(FailureMark::Damaged))
    }

    /// Whether the files were removed or replaced.
    pub(super) fn is_lost(&self) -> bool {
        matches!(self.failure.get(), Some(StoreError::Replaced(_)))
    }

    /// To be called before SQLite closes the database: whether it may copy the log into the database and remove it.
    /// It may if only the log was removed: SQLite has it open, with everything that was acknowledged.
    pub(super) fn may_close_with_checkpoint(&self) -> bool {
        let is_replaced = match self.check_in_place() {
            Ok(()) => false,
            Err(StoreError::Replaced(_)) => true,
            Err(_) => return false,
        };
        let is_in_place = match self.identities.get() {
            Some(identities) if is_replaced => self.has_all_but_log(identities).unwrap_or(false),
            Some(_) | None => true,
        };
        let forget = |record: &mut LockRecord| {
            *record = LockRecord {
                process: record.process,
                ..LockRecord::default()
            };
        };
        is_in_place && self.change_record(forget).is_ok()
    }

    fn has_all_but_log(&self, identities: &Identities) -> io::Result<bool> {
        let [_, log, ..] = *identities;
        let is_log_usable = match fs::symlink_metadata(beside(&self.path, "-wal")) {
            Err(error) if is_gone(&error) => true,
            // Somebody who read the database meanwhile has left an empty one.
            Ok(found) if found.len() == 0 && FileIdentity::of(&found) != log => found.is_file(),
            found => self.is_whole_log(&found?, log),
        };
        Ok(is_log_usable && self.database_change(identities)?.is_none())
    }

    fn is_whole_log(&self, found: &Metadata, log: FileIdentity) -> bool {
        let bytes = self.wal_bytes.load(Ordering::Acquire).min(WAL_BYTES_KEPT);
        FileIdentity::of(found) == log && found.len() >= bytes
    }

    fn database_change(&self, [identity, ..]: &Identities) -> io::Result<Option<Change>> {
        // Read before the length of the file: a checkpoint may make it longer meanwhile.
        let bytes = self.database_bytes.load(Ordering::Acquire);
        for (path, found) in [
            (&self.path, fs::symlink_metadata(&self.path)),
            (&self.given, fs::metadata(&self.given)),
        ] {
            let what = match found {
                Err(error) if is_gone(&error) => ChangeKind::Removed,
                found => match found? {
                    found if FileIdentity::of(&found) != *identity => ChangeKind::Replaced,
                    found if found.len() < bytes => ChangeKind::Overwritten,
                    _ => continue,
                },
            };
            return Ok(Some(Change(path.clone(), what)));
        }
        // A checkpoint is changing the database. The first check after it looks at the header again.
        let Some(header) = self.header.try_read() else {
            return Ok(None);
        };
        if DatabaseHeader::read(&self.database)? != *header {
            return Ok(Some(Change(self.path.clone(), ChangeKind::Overwritten)));
        }
        Ok(None)
    }

    fn first_change_beside(&self, identities: &Identities) -> io::Result<Option<Change>> {
        // Read first: the log grows meanwhile.
        let wal_bytes = self.wal_bytes.load(Ordering::Acquire).min(WAL_BYTES_KEPT);
        for (ending, identity) in ENDINGS.into_iter().zip(*identities).skip(1) {
            let path = beside(&self.path, ending);
            let what = match fs::symlink_metadata(&path) {
                Err(error) if is_gone(&error) => ChangeKind::Removed,
                found => match found? {
                    found if FileIdentity::of(&found) != identity => ChangeKind::Replaced,
                    found if ending == "-wal" && found.len() < wal_bytes => ChangeKind::Overwritten,
                    _ => continue,
                },
            };
            return Ok(Some(Change(path, what)));
        }
        Ok(None)
    }

    fn identify(&self) -> io::Result<Identities> {
        let mut identities = Identities::default();
        for (identity, ending) in identities.iter_mut().zip(ENDINGS) {
            *identity = FileIdentity::of(&fs::symlink_metadata(beside(&self.path, ending))?);
        }
        Ok(identities)
    }

    fn stop_writing(&self, Change(path, what): &Change) -> StoreError {
        let failure = StoreError::Replaced(format!(
            "{} was {} while it was in use, so nothing more is written; start the server again, and stop it before you \
             restore a backup (docs/operations.md)",
            path.display(),
            what.name()
        ));
        let is_log = *path == beside(&self.path, "-wal");
        let mark = match what {
            ChangeKind::Overwritten if !is_log => Some(FailureMark::Overwritten),
            ChangeKind::Overwritten | ChangeKind::Removed | ChangeKind::Replaced => None,
        };
        self.fail(failure, mark)
    }

    fn fail(&self, failure: StoreError, mark: Option<FailureMark>) -> StoreError {
        if self.failure.set(failure.clone()).is_ok() {
            tracing::error!("{failure}");
            if mark.is_some()
                && let Err(error) = self.change_record(|record| record.mark = mark)
            {
                tracing::warn!(%error, "cannot mark the database");
            }
        }
        self.failure.get().cloned().unwrap_or(failure)
    }

    fn change_record(&self, change: impl FnOnce(&mut LockRecord)) -> io::Result<()> {
        let mut record = self.record.lock();
        let before = record.clone();
        change(&mut record);
        if *record == before {
            return Ok(());
        }
        record.write(&self.lock)
    }

    fn cannot_look(&self, error: &io::Error) -> StoreError {
        StoreError::Unavailable(format!("{}: {error}", self.path.display()))
    }
}

impl Drop for DatabaseFile {
    /// Closing the files is not enough: a child process that was started just now has them open until it executes
    /// its program.
    fn drop(&mut self) {
        drop(self.database.unlock());
        drop(self.lock.unlock());
    }
}

/// `askback doctor` locks the file for a moment while it looks at the others.
#[expect(
    clippy::disallowed_methods,
    reason = "nobody tells when another process unlocks a file"
)]
fn lock_soon(lock: &File) -> Result<(), TryLockError> {
    for _ in 0..10 {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            locked => return locked,
        }
    }
    lock.try_lock()
}

fn read_position(wal: &File, frames: Option<u32>) -> io::Result<Option<LogPosition>> {
    let Some(frames) = frames else {
        return Ok(None);
    };
    let mut header = [0; 32];
    wal.read_exact_at(&mut header, 0)?;
    Ok(Some(LogPosition::of(&header, frames)))
}

/// What happened to which file.
struct Change(PathBuf, ChangeKind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChangeKind {
    Removed,
    Replaced,
    Overwritten,
}

impl ChangeKind {
    fn name(self) -> &'static str {
        match self {
            ChangeKind::Removed => "removed",
            ChangeKind::Replaced => "replaced by another file",
            ChangeKind::Overwritten => "cut or overwritten by another program",
        }
    }
}

pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// Locks the database file itself, too, so that no second process gets it after the lock file was removed. Only on
/// Linux are these locks independent of those of SQLite. A file system without them has the lock file.
fn is_locked_elsewhere(database: &File) -> bool {
    cfg!(target_os = "linux") && matches!(database.try_lock(), Err(TryLockError::WouldBlock))
}

fn in_use(path: &Path) -> StoreError {
    let owner = match LockRecord::read(&beside(path, "-lock")).process {
        None => String::new(),
        Some(process) => format!(" (process {process})"),
    };
    StoreError::Unavailable(format!(
        "the database {} is in use by another askback{owner}; stop that process, use its data \
         directory, or choose another database",
        path.display()
    ))
}

#[cfg(test)]
#[path = "database_file_tests.rs"]
mod tests;

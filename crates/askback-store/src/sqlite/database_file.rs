//! The database file: private to its owner, and locked by one process at a time.
//!
//! The lock is on a separate file. Closing any handle of the database file itself would release the
//! locks that SQLite holds on it in this process.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use crate::private_file;
use crate::store::StoreError;

/// Locks a database until it is dropped.
#[derive(Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    lock: File,
    /// The file that was locked. Another one may get its name later.
    identity: FileIdentity,
}

impl DatabaseFile {
    /// Locks the database at `path`; creates an empty file if there is none. Links and relative paths
    /// to the same file lock the same database.
    pub(super) fn lock(path: &Path) -> Result<DatabaseFile, StoreError> {
        let cannot_open = |error: io::Error| {
            StoreError::Unavailable(format!(
                "cannot open the database file {} ({error}); check that its directory exists and is \
                 writable",
                path.display()
            ))
        };
        if !path.exists() {
            private_file::open_or_create(path).map_err(cannot_open)?;
        }
        let path = fs::canonicalize(path).map_err(cannot_open)?;
        let lock = private_file::open_or_create(&beside(&path, "-lock")).map_err(cannot_open)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use(&path)),
            Err(TryLockError::Error(error)) => return Err(cannot_open(error)),
        }
        write_owner(&lock).map_err(cannot_open)?;
        for ending in ["", "-wal", "-shm", "-lock"] {
            // Fails if the file belongs to another user; `askback doctor` reports that.
            drop(private_file::restrict_to_owner(&beside(&path, ending)));
        }
        let identity = identity_of(&path).map_err(cannot_open)?;
        Ok(DatabaseFile {
            path,
            lock,
            identity,
        })
    }

    /// The canonical path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Fails if the file was deleted, or if another one has its name: what is written now would be lost.
    pub(super) fn check_in_place(&self) -> Result<(), StoreError> {
        let path = self.path.display();
        match identity_of(&self.path) {
            Ok(found) if found == self.identity => Ok(()),
            Ok(_) => Err(StoreError::Unavailable(format!(
                "another file was put in the place of {path}; stop the server before you do that, and restart it now"
            ))),
            Err(error) => Err(StoreError::Unavailable(format!("{path}: {error}"))),
        }
    }
}

/// The device and the number of a file.
type FileIdentity = (u64, u64);

#[cfg(unix)]
fn identity_of(path: &Path) -> io::Result<FileIdentity> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}

/// Only Unix has such numbers: here, only a deleted file is noticed.
#[cfg(not(unix))]
fn identity_of(path: &Path) -> io::Result<FileIdentity> {
    fs::metadata(path).map(|_| (0, 0))
}

impl Drop for DatabaseFile {
    /// Closing the file is not enough: a child process that was started just now has it open until it executes
    /// its program.
    fn drop(&mut self) {
        drop(self.lock.unlock());
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// Writes the process id for the error message of other processes. Only the lock itself counts.
fn write_owner(mut lock: &File) -> io::Result<()> {
    lock.set_len(0)?;
    lock.rewind()?;
    writeln!(lock, "{}", std::process::id())
}

fn in_use(path: &Path) -> StoreError {
    let owner = fs::read_to_string(beside(path, "-lock")).unwrap_or_default();
    let owner = match owner.trim() {
        "" => String::new(),
        pid => format!(" (process {pid})"),
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

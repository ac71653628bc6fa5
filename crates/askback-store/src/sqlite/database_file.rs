//! The database as a file: private, and used by one process at a time.
//!
//! The lock lies beside the database and not on it: closing any handle on the database itself would
//! release the locks that SQLite has on it in this process.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use crate::private_file;
use crate::store::StoreError;

/// A database that is ours until this is dropped.
#[derive(Debug)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    _lock: File,
}

impl DatabaseFile {
    /// Claims the database at `path`, and makes an empty one if there is none. Whatever name it goes
    /// by, a link or a relative path, it is the same database.
    pub(super) fn claim(path: &Path) -> Result<DatabaseFile, StoreError> {
        let cannot_open = |error: io::Error| {
            StoreError::Unavailable(format!(
                "the database file {} cannot be opened ({error}); does its directory exist, and may \
                 it be written?",
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
            // A file of somebody else that we may write is theirs to close; `askback doctor` says so.
            drop(private_file::restrict_to_owner(&beside(&path, ending)));
        }
        Ok(DatabaseFile { path, _lock: lock })
    }

    /// The one true name of the database.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// Tells others whose lock it is; only the lock itself counts.
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
        "the database {} is in use by another askback{owner}; stop that one, use its data directory, \
         or name another database",
        path.display()
    ))
}

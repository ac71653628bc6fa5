//! One server for each data directory: the lock, the token and where to find the server.
//!
//! Whoever holds the lock on `server.lock` is the server. It writes its address into
//! `server.json`. The lock goes with the process, however it ends, so a dead server never keeps the
//! next one out, and a stale `server.json` is recognised by the free lock. Everything in here is
//! readable by its owner only.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use askback_store::private_file;
use askback_wire::discovery::Discovery;

use crate::auth::{Token, TokenError};

/// Why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirError {
    /// Another server has it.
    #[error("another askback server uses {}", .0.display())]
    InUse(PathBuf),
    /// The directory cannot be read or written.
    #[error("cannot use {}", path.display())]
    Unusable {
        /// What.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The token cannot be made or taken.
    #[error(transparent)]
    Token(#[from] TokenError),
}

/// A data directory that is ours until this is dropped.
#[derive(Debug)]
pub struct DataDir {
    path: PathBuf,
    /// What we wrote into `server.json`.
    announced: Mutex<Option<String>>,
    lock: File,
}

/// The database of a directory; its log, index and lock have longer names.
const DATABASE: &str = "askback.db";
const TOKEN: &str = "token";
/// What a data directory of ours holds; `demo` is the directory of the demonstration.
const OUR_FILES: &[&str] = &[DATABASE, TOKEN, "server.", "webhook-secret.", "demo"];

impl DataDir {
    /// Takes the directory, making it if need be.
    pub fn acquire(path: &Path) -> Result<DataDir, DataDirError> {
        let unusable = |source| DataDirError::Unusable {
            path: path.to_owned(),
            source,
        };
        create_directory(path).map_err(unusable)?;
        let lock =
            private_file::open_or_create(&path.join(Discovery::LOCK_FILE)).map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DataDirError::InUse(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        // Whoever wrote it is gone, and others may listen at its address by now.
        remove(&path.join(Discovery::FILE)).map_err(unusable)?;
        restrict_to_owner(path);
        Ok(DataDir {
            path: path.to_owned(),
            announced: Mutex::default(),
            lock,
        })
    }

    /// Whether the directory still lies where it was taken. One that was removed or replaced belongs
    /// to whoever takes it next, and nothing that we write is found there.
    pub fn is_in_place(&self) -> bool {
        let found = fs::metadata(self.path.join(Discovery::LOCK_FILE));
        match (found, self.lock.metadata()) {
            (Ok(found), Ok(ours)) => is_same_file(&found, &ours),
            (Err(error), _) => error.kind() != io::ErrorKind::NotFound,
            (Ok(_), Err(_)) => true,
        }
    }

    /// Where the database lies.
    pub fn database(&self) -> PathBuf {
        database(&self.path)
    }

    /// The token of this directory: the one that is configured, the one that was made before, or a
    /// new one.
    pub fn token(&self, configured: Option<&str>) -> Result<Token, DataDirError> {
        if let Some(token) = configured {
            return Ok(Token::chosen(token)?);
        }
        let path = self.path.join(TOKEN);
        match fs::read_to_string(&path) {
            Ok(kept) => Ok(Token::chosen(&kept)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let token = Token::random()?;
                write_private(&self.path, TOKEN, token.reveal())?;
                Ok(token)
            }
            Err(source) => Err(DataDirError::Unusable { path, source }),
        }
    }

    /// Tells others where the server is.
    pub fn announce(&self, discovery: &Discovery) -> Result<(), DataDirError> {
        let json = serde_json::to_string_pretty(discovery).unwrap_or_default();
        write_private(&self.path, Discovery::FILE, &json)?;
        *self.lock_announced() = Some(json);
        Ok(())
    }

    /// Tells nobody any more where the server is: it is about to stop. What another server wrote,
    /// after the directory was removed and made again, stays.
    pub fn withdraw(&self) {
        let Some(ours) = self.lock_announced().take() else {
            return;
        };
        let path = self.path.join(Discovery::FILE);
        if fs::read_to_string(&path).is_ok_and(|found| found == ours)
            && let Err(error) = remove(&path)
        {
            tracing::debug!(%error, "cannot remove the announcement");
        }
    }

    fn lock_announced(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.announced
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a file of a data directory that only its owner can read, whole or not at all, also if the
/// power fails.
pub(crate) fn write_private(
    directory: &Path,
    name: &str,
    content: &str,
) -> Result<(), DataDirError> {
    let path = directory.join(name);
    let fresh = directory.join(format!("{name}.new"));
    let write = || -> io::Result<()> {
        // One that is left over may be open to others.
        remove(&fresh)?;
        let mut file = private_file::create_new(&fresh)?;
        file.write_all(content.as_bytes())?;
        file.sync_all()?;
        fs::rename(&fresh, &path)?;
        sync_directory(directory)
    };
    write().map_err(|source| DataDirError::Unusable {
        path: path.clone(),
        source,
    })
}

impl Drop for DataDir {
    fn drop(&mut self) {
        self.withdraw();
    }
}

/// Where the database of a data directory lies.
pub fn database(path: &Path) -> PathBuf {
    path.join(DATABASE)
}

/// What in a data directory others than the owner can use, each with its permission bits.
pub fn files_open_to_others(path: &Path) -> io::Result<Vec<(PathBuf, u32)>> {
    let mut found = Vec::new();
    let mut look = |path: PathBuf, metadata: &fs::Metadata| {
        found.extend(private_file::shared_mode(metadata).map(|mode| (path, mode)));
    };
    look(path.to_owned(), &fs::metadata(path)?);
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if is_ours(&entry) {
            look(entry.path(), &entry.metadata()?);
        }
    }
    found.sort();
    Ok(found)
}

fn is_ours(entry: &fs::DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    OUR_FILES.iter().any(|ours| name.starts_with(ours))
}

/// Makes a directory that only its owner can use, with those above it.
pub(crate) fn create_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Closes what is ours to others. A directory that holds other things is its owner's business, and
/// is only complained about: the files in it are closed all the same.
fn restrict_to_owner(path: &Path) {
    let tightened = || -> io::Result<()> {
        let mut only_ours = true;
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            if !is_ours(&entry) {
                only_ours = false;
            } else if private_file::restrict_to_owner(&entry.path())? {
                tracing::info!(file = %entry.path().display(), "closed to other users");
            }
        }
        if only_ours {
            if private_file::restrict_to_owner(path)? {
                tracing::info!(directory = %path.display(), "closed to other users");
            }
        } else if let Some(mode) = private_file::shared_mode(&fs::metadata(path)?) {
            let mode = format!("{mode:o}");
            tracing::warn!(directory = %path.display(), mode, "other users can look into the data directory; it \
                 holds other files too, so its mode is left as it is");
        }
        Ok(())
    };
    if let Err(error) = tightened() {
        tracing::warn!(%error, directory = %path.display(), "cannot check who may read the data directory");
    }
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(unix)]
fn is_same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Elsewhere a directory with an open file in it cannot be removed.
#[cfg(not(unix))]
fn is_same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Makes a rename survive a power failure.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Elsewhere a directory cannot be opened, and a rename is on disk when it returns.
#[cfg(not(unix))]
fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[path = "data_dir_tests.rs"]
mod tests;

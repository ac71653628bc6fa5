//! The data directory: its lock, its token, and `server.json` by which clients find the server.
//!
//! The process that holds the lock on `server.lock` is the server. It writes its URL to `server.json`. The
//! system releases the lock when the process ends, so a crashed server never blocks the next one, and a
//! stale `server.json` is recognised by the free lock. Only the owner can read the files.

use parking_lot::Mutex;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use askback_store::private_file;
use askback_wire::discovery::Discovery;

use crate::token::{Token, TokenError};
use crate::trusted_file::{self, UntrustedFile};

/// Why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirError {
    /// Another server is running in it.
    #[error("another askback server uses {}", .0.display())]
    InUse(PathBuf),
    /// The directory cannot be read or written.
    #[error("cannot use {}", path.display())]
    Unusable {
        /// The file or directory.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Somebody else may have written its files.
    #[error(transparent)]
    Untrusted(#[from] UntrustedFile),
    /// The token is unusable.
    #[error(transparent)]
    Token(#[from] TokenError),
}

/// A locked data directory. Dropping it releases the lock.
#[derive(Debug)]
pub struct DataDir {
    path: PathBuf,
    /// What this process wrote to `server.json`.
    announced: Mutex<Option<String>>,
    lock: File,
}

/// Files of the database start with this name.
const DATABASE: &str = "askback.db";
const TOKEN: &str = "token";
/// How the names of our files start. `demo` is the directory of `askback demo`, `agents` has sessions over HTTP.
const OUR_FILES: &[&str] = &[
    DATABASE,
    TOKEN,
    "server.",
    "webhook-secret.",
    "channels.toml",
    "last-port",
    "agents",
    "demo",
];

impl DataDir {
    /// Creates the directory if needed, and locks it.
    pub fn acquire(path: &Path) -> Result<DataDir, DataDirError> {
        let unusable = |source| DataDirError::Unusable {
            path: path.to_owned(),
            source,
        };
        create_directory(path).map_err(unusable)?;
        check_trusted(path)?;
        let lock =
            private_file::open_or_create(&path.join(Discovery::LOCK_FILE)).map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DataDirError::InUse(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        // It is stale, since we hold the lock. Another program may use its port by now.
        remove(&path.join(Discovery::FILE)).map_err(unusable)?;
        restrict_to_owner(path);
        Ok(DataDir {
            path: path.to_owned(),
            announced: Mutex::default(),
            lock,
        })
    }

    /// Whether the path still leads to the locked directory. If it was deleted or replaced, another server may
    /// lock the new one, and clients cannot find ours.
    pub fn is_in_place(&self) -> bool {
        let found = fs::metadata(self.path.join(Discovery::LOCK_FILE));
        match (found, self.lock.metadata()) {
            (Ok(found), Ok(ours)) => is_same_file(&found, &ours),
            (Err(error), _) => error.kind() != io::ErrorKind::NotFound,
            (Ok(_), Err(_)) => true,
        }
    }

    /// As the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of the database.
    pub fn database(&self) -> PathBuf {
        database(&self.path)
    }

    /// The configured token, the stored one, or a new one.
    pub fn token(&self, configured: Option<&str>) -> Result<Token, DataDirError> {
        if let Some(token) = configured {
            return Ok(Token::chosen(token)?);
        }
        let path = self.path.join(TOKEN);
        match fs::read_to_string(&path) {
            Ok(kept) => Token::chosen(&kept).map_err(|_| {
                let why = "it holds no token; remove it to get a new one";
                DataDirError::Unusable {
                    path,
                    source: io::Error::other(why),
                }
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let token = Token::random()?;
                write_private(&self.path, TOKEN, token.reveal())?;
                Ok(token)
            }
            Err(source) => Err(DataDirError::Unusable { path, source }),
        }
    }

    /// Writes `server.json`.
    pub fn announce(&self, discovery: &Discovery) -> Result<(), DataDirError> {
        let json = serde_json::to_string_pretty(discovery).unwrap_or_default();
        write_private(&self.path, Discovery::FILE, &json)?;
        *self.announced.lock() = Some(json);
        Ok(())
    }

    /// Removes `server.json`, unless another server wrote it after the directory was replaced.
    pub fn withdraw(&self) {
        let Some(ours) = self.announced.lock().take() else {
            return;
        };
        let path = self.path.join(Discovery::FILE);
        if fs::read_to_string(&path).is_ok_and(|found| found == ours)
            && let Err(error) = remove(&path)
        {
            tracing::debug!(%error, "cannot remove server.json");
        }
    }
}

/// Writes a file that only its owner can read, atomically and durably.
pub(crate) fn write_private(
    directory: &Path,
    name: &str,
    content: &str,
) -> Result<(), DataDirError> {
    let path = directory.join(name);
    let fresh = directory.join(format!("{name}.new"));
    let write = || -> io::Result<()> {
        // A leftover file may be readable by others.
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
    /// Closing the lock file is not enough: a child process that was started just now has it open until it
    /// executes its program.
    fn drop(&mut self) {
        self.withdraw();
        drop(self.lock.unlock());
    }
}

/// The path of the database in a data directory.
pub fn database(path: &Path) -> PathBuf {
    path.join(DATABASE)
}

/// A data directory and its files, sorted.
pub fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![path.to_owned()];
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if is_ours(&entry) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Fails if somebody else may have written something in a data directory, such as the token, or can. A missing
/// directory is no error. An empty one may be open to others: it is restricted before anything is written.
pub fn check_trusted(path: &Path) -> Result<(), DataDirError> {
    trusted_file::check_owner(path)?;
    let unusable = |source| DataDirError::Unusable {
        path: path.to_owned(),
        source,
    };
    let is_empty = match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(source) => return Err(unusable(source)),
    };
    if is_empty && private_file::restrict_to_owner(path).is_ok() {
        return Ok(());
    }
    for file in files(path).map_err(unusable)? {
        trusted_file::check_trusted(&file)?;
    }
    Ok(())
}

fn is_ours(entry: &fs::DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    OUR_FILES.iter().any(|ours| name.starts_with(ours))
}

/// Creates a directory that only its owner can read, and its parents.
pub fn create_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(path)
}

/// Removes access of other users to our files. If the directory has other files too, its own mode is left
/// alone, with a warning.
fn restrict_to_owner(path: &Path) {
    let restrict = || -> io::Result<()> {
        let mut only_ours = true;
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            if !is_ours(&entry) {
                only_ours = false;
            } else if private_file::restrict_to_owner(&entry.path())? {
                tracing::info!(file = %entry.path().display(), "removed access of other users");
            }
        }
        if only_ours {
            if private_file::restrict_to_owner(path)? {
                tracing::info!(directory = %path.display(), "removed access of other users");
            }
        } else if let Some(mode) = private_file::shared_mode(&fs::metadata(path)?) {
            let mode = format!("{mode:o}");
            tracing::warn!(directory = %path.display(), mode, "other users can list the data directory; it \
                 has other files too, so its mode is not changed");
        }
        Ok(())
    };
    if let Err(error) = restrict() {
        tracing::warn!(%error, directory = %path.display(), "cannot check the permissions of the data directory");
    }
}

/// Removes a file if it exists.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn is_same_file(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Makes a rename durable.
fn sync_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

#[cfg(test)]
#[path = "data_dir_tests.rs"]
mod tests;

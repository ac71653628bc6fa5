//! One server for each data directory: the lock, the token and where to find the server.
//!
//! Whoever holds the lock on `server.lock` is the server. It writes its address into
//! `server.json`, readable by its owner only. The lock goes with the process, however it ends, so
//! a dead server never keeps the next one out, and a stale `server.json` is recognised by the free
//! lock.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use askback_api::client::Discovery;

use crate::auth::{Token, TokenError};

/// Why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirError {
    /// Another server has it.
    #[error("another askback server uses {}", .0.display())]
    Taken(PathBuf),
    /// The directory cannot be read or written.
    #[error("cannot use {}: {source}", path.display())]
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
    _lock: File,
}

impl DataDir {
    /// Takes the directory, making it if need be.
    pub fn take(path: &Path) -> Result<DataDir, DataDirError> {
        let unusable = |source| DataDirError::Unusable {
            path: path.to_owned(),
            source,
        };
        fs::create_dir_all(path).map_err(unusable)?;
        let lock = private(OpenOptions::new().create(true).truncate(false).write(true))
            .open(path.join("server.lock"))
            .map_err(unusable)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(DataDirError::Taken(path.to_owned())),
            Err(TryLockError::Error(source)) => return Err(unusable(source)),
        }
        Ok(DataDir {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// Where the database lies.
    pub fn database(&self) -> PathBuf {
        self.path.join("askback.db")
    }

    /// The token of this directory: the one that is configured, the one that was made before, or a
    /// new one.
    pub fn token(&self, configured: Option<&str>) -> Result<Token, DataDirError> {
        if let Some(token) = configured {
            return Ok(Token::chosen(token)?);
        }
        let path = self.path.join("token");
        match fs::read_to_string(&path) {
            Ok(kept) => Ok(Token::chosen(&kept)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let token = Token::random()?;
                self.write_private("token", token.reveal())?;
                Ok(token)
            }
            Err(source) => Err(DataDirError::Unusable { path, source }),
        }
    }

    /// Tells others where the server is.
    pub fn announce(&self, discovery: &Discovery) -> Result<(), DataDirError> {
        let json = serde_json::to_string_pretty(discovery).unwrap_or_default();
        self.write_private(Discovery::FILE, &json)
    }

    /// Writes a file that only its owner can read, whole or not at all.
    fn write_private(&self, name: &str, content: &str) -> Result<(), DataDirError> {
        let path = self.path.join(name);
        let fresh = self.path.join(format!("{name}.new"));
        let write = || -> io::Result<()> {
            let mut file =
                private(OpenOptions::new().create(true).truncate(true).write(true)).open(&fresh)?;
            file.write_all(content.as_bytes())?;
            file.sync_all()?;
            fs::rename(&fresh, &path)
        };
        write().map_err(|source| DataDirError::Unusable {
            path: path.clone(),
            source,
        })
    }
}

impl Drop for DataDir {
    fn drop(&mut self) {
        let announced = self.path.join(Discovery::FILE);
        if let Err(error) = fs::remove_file(&announced)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::debug!(%error, "cannot remove the announcement");
        }
    }
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

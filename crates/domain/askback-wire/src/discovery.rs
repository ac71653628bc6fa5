//! How programs find a running server: `server.json` in the data directory, with its URL and token.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::server_process::ServerRole;
use crate::token::Token;

/// The content of `server.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discovery {
    /// `http://127.0.0.1:7777`, or the same without the scheme.
    pub address: String,
    /// What to send as bearer token.
    pub token: Token,
    /// The process id of the server.
    pub pid: u32,
    /// The version of the server.
    pub version: String,
    /// Whether it is a dedicated server or embedded in another command.
    #[serde(default)]
    pub role: ServerRole,
}

/// Why `server.json` cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DiscoveryError {
    /// Reading the file failed.
    #[error("server.json cannot be read")]
    Unreadable(#[from] io::Error),
    /// Other users can read it, so its token is not secret.
    #[error("other users can read server.json: make it private (mode 600) or restart the server")]
    NotPrivate,
    /// The file has another format.
    #[error("server.json does not have the expected format")]
    Damaged,
}

impl Discovery {
    /// The file in the data directory.
    pub const FILE: &'static str = "server.json";

    /// A running server holds a lock on this file.
    pub const LOCK_FILE: &'static str = "server.lock";

    /// Bytes to read. A valid file is far smaller.
    const BYTES_MAX: u64 = 64 * 1024;

    /// The running server of `data_dir`. Ignores a file that a dead server left behind, since another
    /// program may use its port by now.
    pub fn of_running(data_dir: &Path) -> Result<Option<Discovery>, DiscoveryError> {
        if is_locked(data_dir)? {
            Discovery::read(data_dir)
        } else {
            Ok(None)
        }
    }

    /// The content of the file, even if the server has died since. See
    /// [`of_running`](Discovery::of_running).
    pub fn read(data_dir: &Path) -> Result<Option<Discovery>, DiscoveryError> {
        use std::io::Read as _;
        let file = match std::fs::File::open(data_dir.join(Discovery::FILE)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        if !is_private(&file.metadata()?) {
            return Err(DiscoveryError::NotPrivate);
        }
        let mut json = String::new();
        file.take(Discovery::BYTES_MAX).read_to_string(&mut json)?;
        Discovery::parse(&json).map(Some)
    }

    /// Parses the content of the file.
    pub fn parse(json: &str) -> Result<Discovery, DiscoveryError> {
        let discovery: Discovery =
            serde_json::from_str(json).map_err(|_| DiscoveryError::Damaged)?;
        if discovery.address.is_empty() {
            return Err(DiscoveryError::Damaged);
        }
        Ok(discovery)
    }

    /// The URL, with a scheme.
    pub fn base_url(&self) -> String {
        if self.address.contains("://") {
            self.address.clone()
        } else {
            format!("http://{}", self.address)
        }
    }
}

/// Whether a server is running for `data_dir`. The system releases the lock when its process ends.
fn is_locked(data_dir: &Path) -> io::Result<bool> {
    use std::fs::{File, TryLockError};
    let lock = match File::open(data_dir.join(Discovery::LOCK_FILE)) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    // This takes a free lock for a moment, so a starting server must try more than once.
    match lock.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

#[cfg(unix)]
fn is_private(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    let others = metadata.permissions().mode() & 0o077;
    others == 0
}

#[cfg(not(unix))]
fn is_private(_: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
#[path = "discovery_tests.rs"]
mod tests;

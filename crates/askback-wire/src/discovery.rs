//! Where a running server is: a file in the data directory that names its address and token.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::server_process::ServerRole;
use crate::token::Token;

/// What a running server tells about itself in its data directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Discovery {
    /// Its address: `http://127.0.0.1:7777`, or without the scheme.
    pub address: String,
    /// What to show it.
    pub token: Token,
    /// Its process.
    pub pid: u32,
    /// Its version.
    pub version: String,
    /// What kind of process it is.
    #[serde(default)]
    pub role: ServerRole,
}

/// Why the file of a server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DiscoveryError {
    /// It cannot be read.
    #[error("server.json cannot be read")]
    Unreadable(#[from] io::Error),
    /// Others can read it, so its token is no secret.
    #[error("server.json can be read by others; make it private (mode 600) or restart the server")]
    NotPrivate,
    /// It is not what a server writes.
    #[error("server.json is not what a server writes")]
    Damaged,
}

impl Discovery {
    /// The name of the file in the data directory.
    pub const FILE: &'static str = "server.json";

    /// The name of the file beside it that a running server holds locked.
    pub const LOCK_FILE: &'static str = "server.lock";

    /// Bytes of the file that are read; a whole one is far smaller.
    const BYTES_MAX: u64 = 64 * 1024;

    /// What the server that runs for `data_dir` tells. A file that a dead server left behind is not
    /// believed: others may listen at its address by now.
    pub fn of_running(data_dir: &Path) -> Result<Option<Discovery>, DiscoveryError> {
        if is_locked(data_dir)? {
            Discovery::read(data_dir)
        } else {
            Ok(None)
        }
    }

    /// What a server of `data_dir` has told. It may have died since: see
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

    /// Reads the content of the file.
    pub fn parse(json: &str) -> Result<Discovery, DiscoveryError> {
        let discovery: Discovery =
            serde_json::from_str(json).map_err(|_| DiscoveryError::Damaged)?;
        if discovery.address.is_empty() {
            return Err(DiscoveryError::Damaged);
        }
        Ok(discovery)
    }

    /// The address with its scheme.
    pub fn base_url(&self) -> String {
        if self.address.contains("://") {
            self.address.clone()
        } else {
            format!("http://{}", self.address)
        }
    }
}

/// Whether a server runs for `data_dir`. The lock goes with its process, however that ends.
fn is_locked(data_dir: &Path) -> io::Result<bool> {
    use std::fs::{File, TryLockError};
    let lock = match File::open(data_dir.join(Discovery::LOCK_FILE)) {
        Ok(lock) => lock,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    // A free lock is held for this moment, so that whoever takes it must try more than once.
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

//! The key that seals request states. One for each data directory, so that a state outlives the process.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use uuid::Uuid;

use crate::http::sessions::private_file;
use crate::session::lock::create_private_directory;

const FILE_NAME: &str = "request-state.key";
const KEY_BYTES: usize = 32;

/// The key that seals request states.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct RequestStateKey([u8; KEY_BYTES]);

impl RequestStateKey {
    /// Reads the key of a directory, or creates it.
    pub(crate) fn load(directory: &Path) -> io::Result<RequestStateKey> {
        let path = directory.join(FILE_NAME);
        if let Some(key) = read(&path)? {
            return Ok(key);
        }
        create_private_directory(directory)?;
        let mut bytes = [0; KEY_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let own = directory.join(format!("{FILE_NAME}.{}", Uuid::now_v7().simple()));
        private_file(&own)?.write_all(&bytes)?;
        // Many processes may start at once. A hard link never replaces an existing file.
        let linked = fs::hard_link(&own, &path);
        fs::remove_file(&own)?;
        match linked {
            Ok(()) => Ok(RequestStateKey(bytes)),
            Err(error) => read(&path)?.ok_or(error),
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

fn read(path: &Path) -> io::Result<Option<RequestStateKey>> {
    match fs::read(path) {
        Ok(bytes) => {
            let invalid = || io::Error::other("the key file does not hold a key: delete it");
            let bytes = bytes.try_into().map_err(|_| invalid())?;
            Ok(Some(RequestStateKey(bytes)))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

impl fmt::Debug for RequestStateKey {
    /// Leaves out the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestStateKey")
    }
}

#[cfg(test)]
#[path = "request_state_key_tests.rs"]
mod tests;

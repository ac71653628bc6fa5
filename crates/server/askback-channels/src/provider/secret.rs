//! Where the token of a channel comes from. It is read anew for each use, and is in no log.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use askback_store::private_file::shared_mode;
use serde::Deserialize;

use crate::contract::channel::SendError;

/// A value of the configuration that is a secret, or may contain one. Its `Debug` output is hidden, so that a
/// configuration can be logged.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

askback_core::debug_only!(Secret);

impl From<&str> for Secret {
    fn from(value: &str) -> Secret {
        Secret(value.to_owned())
    }
}

/// Where a token comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// An environment variable.
    Variable(String),
    /// A file that only its owner can read.
    File(PathBuf),
    /// The configuration itself.
    Value(Secret),
}

impl TokenSource {
    /// The token. The error says what to do, and contains nothing of it.
    pub fn read(&self) -> Result<String, String> {
        let token = match self {
            TokenSource::Variable(name) => std::env::var(name)
                .map_err(|_| format!("the environment variable {name} is not set"))?,
            TokenSource::File(path) => {
                let shown = path.display();
                let failed = |error| format!("cannot read the token file {shown}: {error}");
                let metadata = std::fs::metadata(path).map_err(failed)?;
                if let Some(mode) = shared_mode(&metadata)
                    && !is_mounted_secret(path, &metadata)
                {
                    return Err(format!(
                        "others can read the token file {shown} (mode {mode:o}): run chmod 600 {shown}"
                    ));
                }
                std::fs::read_to_string(path).map_err(failed)?
            }
            TokenSource::Value(token) => token.0.clone(),
        };
        let token = token.trim();
        if token.is_empty() {
            return Err("the token is empty".to_owned());
        }
        Ok(token.to_owned())
    }
}

/// Where a secret is: `NAME_env`, `NAME_file` or `NAME`, the first one that is set. `None` if no setting says so.
pub(crate) fn secret_source(
    env: Option<&str>,
    file: Option<&Path>,
    value: Option<&Secret>,
) -> Option<TokenSource> {
    match (env, file, value) {
        (Some(variable), _, _) => Some(TokenSource::Variable(variable.to_owned())),
        (None, Some(path), _) => Some(TokenSource::File(path.to_owned())),
        (None, None, Some(value)) => Some(TokenSource::Value(value.clone())),
        (None, None, None) => None,
    }
}

/// Reads a secret for a request. Without it the whole channel waits.
pub(crate) fn read_secret(source: &TokenSource) -> Result<String, SendError> {
    source.read().map_err(SendError::unauthorized)
}

/// Where runtimes mount secrets unless they are told otherwise.
const DIRECTORIES: [&str; 2] = ["/run/secrets", "/var/run/secrets"];

/// Whether a container runtime has mounted this file as a secret. Podman, Docker and Kubernetes give them to root with mode
/// 0440, 0444 or 0644, in a place that only the container sees: root owns it, nobody else can write to it, and it is in
/// `/run/secrets` or on a file system that is mounted read-only. A file in a home directory is neither.
pub fn is_mounted_secret(path: &Path, metadata: &Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let is_of_root = metadata.uid() == 0;
    let is_writable_by_others = metadata.permissions().mode() & 0o022 != 0;
    is_of_root && !is_writable_by_others && (is_in_directory(path) || is_on_read_only_mount(path))
}

/// A link that leads elsewhere does not count.
fn is_in_directory(path: &Path) -> bool {
    let real = path.canonicalize();
    real.is_ok_and(|real| DIRECTORIES.iter().any(|it| real.starts_with(it)))
}

fn is_on_read_only_mount(path: &Path) -> bool {
    use rustix::fs::{StatVfsMountFlags, statvfs};
    statvfs(path).is_ok_and(|found| found.f_flag.contains(StatVfsMountFlags::RDONLY))
}

#[cfg(test)]
#[path = "secret_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "mounted_secret_tests.rs"]
mod mounted_secret_tests;

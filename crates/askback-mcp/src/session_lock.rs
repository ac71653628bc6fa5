//! Locks that show which sessions are still running.
//!
//! Every process holds a shared lock on a file named after its session. The operating system releases
//! it when the process ends, in whatever way. A session has ended if its lock file is in this
//! directory and not locked. Sessions of other machines never count as ended.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// The session of this process. It ends when this is dropped.
#[derive(Debug)]
pub struct SessionLock {
    session: String,
    /// The directory of the lock files and the prefix of its session names. `None` without a lock.
    directory: Option<(PathBuf, String)>,
    _lock: Option<File>,
}

/// Longer session ids of clients are cut.
const SESSION_CHARS_MAX: usize = 100;

impl SessionLock {
    /// Starts a session, or continues the one with the client's id. If the directory cannot be
    /// written, the session has no lock, and no session ever counts as ended.
    pub fn acquire(directory: &Path, session: Option<&str>) -> SessionLock {
        let named = session.map(file_name).filter(|name| !name.is_empty());
        let name = named.unwrap_or_else(|| Uuid::now_v7().simple().to_string());
        match lock(directory, &name) {
            Ok((machine, lock)) => SessionLock {
                session: format!("{machine}.{name}"),
                directory: Some((directory.to_owned(), machine)),
                _lock: Some(lock),
            },
            Err(error) => {
                tracing::warn!(%error, "cannot lock the session: ended sessions cannot be recognised");
                SessionLock::unlocked(&name)
            }
        }
    }

    pub(crate) fn unlocked(session: &str) -> SessionLock {
        SessionLock {
            session: session.to_owned(),
            directory: None,
            _lock: None,
        }
    }

    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// Whether no process holds the lock of another session.
    pub(crate) fn has_ended(&self, session: &str) -> bool {
        let Some((directory, machine)) = &self.directory else {
            return false;
        };
        let name = session.strip_prefix(machine.as_str());
        let Some(name) = name.and_then(|rest| rest.strip_prefix('.')) else {
            return false;
        };
        if session == self.session || file_name(name) != name {
            return false;
        }
        match OpenOptions::new()
            .write(true)
            .open(lock_path(directory, name))
        {
            // Dropping the file releases the lock again.
            Ok(file) => file.try_lock().is_ok(),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        }
    }
}

fn lock_path(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.lock"))
}

/// Replaces characters that are not safe in a file name.
fn file_name(session: &str) -> String {
    let chars = session.chars().map(|char| {
        let safe = char.is_ascii_alphanumeric() || char == '-' || char == '_';
        if safe { char } else { '_' }
    });
    chars.take(SESSION_CHARS_MAX).collect()
}

/// The prefix of the session names in this directory, and a lock on the session's file.
fn lock(directory: &Path, name: &str) -> std::io::Result<(String, File)> {
    create_private_directory(directory)?;
    let machine = machine_id(directory)?;
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(lock_path(directory, name))?;
    match file.try_lock_shared() {
        Ok(()) => {}
        // Another process is just checking whether the session has ended.
        Err(TryLockError::WouldBlock) => file.lock_shared()?,
        Err(TryLockError::Error(error)) => return Err(error),
    }
    Ok((machine, file))
}

pub(crate) fn create_private_directory(directory: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// The prefix of all session names in this directory. The first process creates it.
fn machine_id(directory: &Path) -> std::io::Result<String> {
    let path = directory.join("machine");
    if let Some(name) = read_machine_id(&path)? {
        return Ok(name);
    }
    let name = Uuid::now_v7().simple().to_string();
    let own = directory.join(format!("machine.{name}"));
    fs::write(&own, &name)?;
    // Many processes may start at once. A hard link never replaces an existing file.
    let linked = fs::hard_link(&own, &path);
    fs::remove_file(&own)?;
    match linked {
        Ok(()) => Ok(name),
        Err(error) => read_machine_id(&path)?.ok_or(error),
    }
}

fn read_machine_id(path: &Path) -> std::io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(name) => Ok(Some(file_name(name.trim()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[path = "session_lock_tests.rs"]
mod tests;

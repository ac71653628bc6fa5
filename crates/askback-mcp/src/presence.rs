//! Tells sessions whose process runs from those that are over.
//!
//! Every process holds a shared lock on a file named after its session, in a directory of this
//! machine; the system lets go of it when the process ends, however it ends. A session counts as over
//! only if its file lies in this directory and nobody holds it: sessions of other machines do not.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// The session of this process, for as long as it is kept.
#[derive(Debug)]
pub struct Presence {
    session: String,
    /// Where the sessions of this machine are, and what their names begin with.
    directory: Option<(PathBuf, String)>,
    _lock: Option<File>,
}

/// Characters of a client's own session id that are kept.
const SESSION_CHARS_MAX: usize = 100;

impl Presence {
    /// Begins a session in `directory`, or continues the one that the client names. A directory that
    /// cannot be written is done without: then no session counts as over.
    pub fn begin(directory: &Path, session: Option<&str>) -> Presence {
        let named = session.map(file_name).filter(|name| !name.is_empty());
        let name = named.unwrap_or_else(|| Uuid::now_v7().simple().to_string());
        match hold(directory, &name) {
            Ok((machine, lock)) => Presence {
                session: format!("{machine}.{name}"),
                directory: Some((directory.to_owned(), machine)),
                _lock: Some(lock),
            },
            Err(error) => {
                tracing::warn!(%error, "sessions that are over cannot be told from others");
                Presence::shared(&name)
            }
        }
    }

    /// A session that all connections of one kind share, and that is never over.
    pub fn shared(session: &str) -> Presence {
        Presence {
            session: session.to_owned(),
            directory: None,
            _lock: None,
        }
    }

    /// The name of the session.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Whether the process of a session is gone.
    pub(crate) fn is_over(&self, session: &str) -> bool {
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
            // Nobody holds it. Closing the file lets go of it again.
            Ok(file) => file.try_lock().is_ok(),
            Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        }
    }
}

fn lock_path(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.lock"))
}

/// A name that is safe as a file's.
fn file_name(session: &str) -> String {
    let safe = session.chars().map(|char| {
        let fits = char.is_ascii_alphanumeric() || char == '-' || char == '_';
        if fits { char } else { '_' }
    });
    safe.take(SESSION_CHARS_MAX).collect()
}

/// The name of this machine's directory, and a lock on the session's file in it.
fn hold(directory: &Path, name: &str) -> std::io::Result<(String, File)> {
    private_directory(directory)?;
    let machine = machine(directory)?;
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(lock_path(directory, name))?;
    match file.try_lock_shared() {
        Ok(()) => {}
        // Somebody looks whether it is over, for a moment.
        Err(TryLockError::WouldBlock) => file.lock_shared()?,
        Err(TryLockError::Error(error)) => return Err(error),
    }
    Ok((machine, file))
}

fn private_directory(directory: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// What the sessions of this directory begin with: made once, and the same for all processes.
fn machine(directory: &Path) -> std::io::Result<String> {
    let path = directory.join("machine");
    if let Some(name) = read_machine(&path)? {
        return Ok(name);
    }
    let name = Uuid::now_v7().simple().to_string();
    let own = directory.join(format!("machine.{name}"));
    fs::write(&own, &name)?;
    // Of many who start at once, one is first; a link never replaces what is there.
    let linked = fs::hard_link(&own, &path);
    fs::remove_file(&own)?;
    match linked {
        Ok(()) => Ok(name),
        Err(error) => read_machine(&path)?.ok_or(error),
    }
}

fn read_machine(path: &Path) -> std::io::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(name) => Ok(Some(file_name(name.trim()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[path = "presence_tests.rs"]
mod tests;

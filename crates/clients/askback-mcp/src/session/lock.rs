//! Locks that show which sessions are still running.
//!
//! Every process holds a shared lock on a file named after its session. The operating system releases
//! it when the process ends, in whatever way. A session has ended if its lock file is in this
//! directory and not locked. Sessions of other machines never count as ended.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use askback_wire::server_process::hex;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::session::Inheritance;

/// The session of this process. It ends when this is dropped.
#[derive(Debug)]
pub struct SessionLock {
    session: String,
    directory: Option<LockDirectory>,
    lock: Option<File>,
}

/// The directory of the lock files.
#[derive(Debug)]
struct LockDirectory {
    path: PathBuf,
    /// The prefix of its session names.
    machine: String,
    /// The name of the lock file of this session, without its extension.
    own_name: String,
    /// The sessions that had ended when this one started. Whether a session ended before or after that is
    /// decided without a clock.
    ended_before: BTreeSet<String>,
}

/// Longer session ids of clients are cut.
const SESSION_CHARS_MAX: usize = 60;

/// Of the hash in a name that was changed.
const HASH_BYTES: usize = 8;

/// What the names of sessions begin with that their client did not name.
const PROCESS_PREFIX: &str = "process-";

/// What the names of the sessions of hooks begin with.
const HOOK_PREFIX: &str = "hook-";

/// A session that its client names may come back under its name, or call the same hook again. For this long
/// after it last ran, no other session takes its questions over.
const NAMED_GRACE: Duration = Duration::from_mins(10);

/// The lock file of a session that has not run for this long is removed. What it left can then be taken over
/// by any session.
const KEPT: Duration = Duration::from_hours(7 * 24);

/// Lock files that are kept. Of more, those of the sessions that ended first are removed.
const LOCKS_MAX: usize = 1000;

/// How often a running session notes that it runs. Much less than [`NAMED_GRACE`].
pub(crate) const HEARTBEAT: Duration = Duration::from_mins(1);

impl SessionLock {
    /// Starts a session, or continues the one with the client's id. If the directory cannot be
    /// written, the session has no lock, and no session ever counts as ended.
    pub fn acquire(directory: &Path, session: Option<&str>) -> SessionLock {
        let named = session.filter(|name| !name.is_empty()).map(client_name);
        let name = named.unwrap_or_else(|| format!("{PROCESS_PREFIX}{}", Uuid::now_v7().simple()));
        SessionLock::acquire_named(directory, name)
    }

    /// Starts the session of one call of a hook. When it has ended, its question passes to the session of
    /// the client that called the hook.
    pub fn acquire_for_hook(directory: &Path, client_session: &str, call: &str) -> SessionLock {
        let name = hook_name(&client_name(client_session), &safe_name(call));
        SessionLock::acquire_named(directory, name)
    }

    fn acquire_named(directory: &Path, own_name: String) -> SessionLock {
        remove_old_locks(directory, &own_name);
        match lock(directory, &own_name) {
            Ok((machine, lock)) => SessionLock {
                session: format!("{machine}.{own_name}"),
                directory: Some(LockDirectory {
                    ended_before: ended_sessions(directory, &own_name),
                    path: directory.to_owned(),
                    machine,
                    own_name,
                }),
                lock: Some(lock),
            },
            Err(error) => {
                tracing::warn!(%error, "cannot lock the session: ended sessions cannot be recognised");
                SessionLock::unlocked(&own_name)
            }
        }
    }

    pub(crate) fn unlocked(session: &str) -> SessionLock {
        SessionLock {
            session: session.to_owned(),
            directory: None,
            lock: None,
        }
    }

    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// What the names of hooks begin with that the client of this session calls.
    pub(crate) fn hook_prefix(&self) -> Option<String> {
        let directory = self.directory.as_ref()?;
        let client_session = client_session(&directory.own_name)?;
        let prefix = hook_name(client_session, "");
        Some(format!("{}.{prefix}", directory.machine))
    }

    /// Whether the questions of another session pass to this one: if that one has ended, and had ended
    /// already when this one started. An agent that runs beside another one gets nothing of it. Those of a
    /// hook pass to the session that called it whenever it ends, and a hook takes over from hooks of that session
    /// only.
    pub(crate) fn inherits(&self, session: &str) -> Inheritance {
        let Some(directory) = &self.directory else {
            return Inheritance::Never;
        };
        let name = session.strip_prefix(directory.machine.as_str());
        let Some(name) = name.and_then(|rest| rest.strip_prefix('.')) else {
            return Inheritance::Never;
        };
        if session == self.session || !is_safe(name) {
            return Inheritance::Never;
        }
        let own_name = directory.own_name.as_str();
        let is_own_hook = is_hook(name) && client_session(name) == client_session(own_name);
        // A hook can return the outcome of its own call only.
        if is_hook(own_name) && !is_own_hook {
            return Inheritance::Never;
        }
        let file = match open_lock(&directory.path, name) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Inheritance::Now(None);
            }
            Err(_) => return Inheritance::Never,
        };
        if !is_own_hook && !directory.ended_before.contains(name) {
            return Inheritance::Never;
        }
        // It runs, or another process is just checking the same.
        let may_return = client_session(name).is_some() && !is_own_hook;
        if file.try_lock().is_err() || (may_return && age(&file) < NAMED_GRACE) {
            return Inheritance::Later;
        }
        // It was removed meanwhile, and the session may run with another file.
        if !is_file_at(&file, &lock_path(&directory.path, name)) {
            return Inheritance::Later;
        }
        Inheritance::Now(Some(file))
    }

    /// Notes that the session runs.
    #[expect(
        clippy::disallowed_methods,
        reason = "the age of a file is compared with the system's clock"
    )]
    pub(crate) fn touch(&self) {
        let Some(lock) = &self.lock else { return };
        if let Err(error) = lock.set_modified(SystemTime::now()) {
            tracing::debug!(%error, "cannot note that the session runs");
        }
    }
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        self.touch();
    }
}

fn lock_path(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.lock"))
}

fn open_lock(directory: &Path, name: &str) -> std::io::Result<File> {
    OpenOptions::new()
        .write(true)
        .open(lock_path(directory, name))
}

/// The time since the session ran. A time in the future counts as now: the clock was set back.
fn age(lock: &File) -> Duration {
    let modified = lock.metadata().and_then(|metadata| metadata.modified());
    let age = modified.map(|modified| modified.elapsed().unwrap_or_default());
    age.unwrap_or_default()
}

/// Whether the path still leads to this file. A process may lock a file that another one has just removed.
fn is_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(held), Ok(found)) => id(held) == id(found),
        (Ok(_) | Err(_), _) => false,
    }
}

/// Removes the lock files of sessions that ended long ago, and the oldest of too many. A file is removed only under an exclusive lock, and
/// whoever locks one checks that it is still there: so no running session loses its file.
fn remove_old_locks(directory: &Path, own_name: &str) {
    let mut names = lock_names(directory);
    names.retain(|name| name != own_name);
    let excess = names.len().saturating_sub(LOCKS_MAX);
    if excess > 0 {
        let age_of =
            |name: &String| open_lock(directory, name).map_or(Duration::ZERO, |it| age(&it));
        names.sort_by_cached_key(|name| std::cmp::Reverse(age_of(name)));
    }
    for (index, name) in names.into_iter().enumerate() {
        let path = lock_path(directory, &name);
        let Ok(file) = open_lock(directory, &name) else {
            continue;
        };
        let is_old = || index < excess || age(&file) >= KEPT;
        if is_old() && file.try_lock().is_ok() && is_file_at(&file, &path) && is_old() {
            let removed = fs::remove_file(&path);
            tracing::debug!(?removed, name, "removed the lock of an ended session");
        }
    }
}

/// The name of a session that its client named.
fn client_name(session: &str) -> String {
    let name = safe_name(session);
    let prefixes = [PROCESS_PREFIX, HOOK_PREFIX, "_"];
    let is_reserved = prefixes.iter().any(|prefix| name.starts_with(prefix));
    if is_reserved {
        format!("_{name}")
    } else {
        name
    }
}

fn is_hook(name: &str) -> bool {
    name.starts_with(HOOK_PREFIX)
}

/// The session as its client named it: of a hook, the one that called it.
fn client_session(name: &str) -> Option<&str> {
    if name.starts_with(PROCESS_PREFIX) {
        return None;
    }
    let hook = name.strip_prefix(HOOK_PREFIX);
    let called_in = hook.and_then(|hook| hook.split_once('.'));
    Some(called_in.map_or(name, |(session, _)| session))
}

/// The full stop is in no other name, so that no session is taken for the beginning of another one.
fn hook_name(client_session: &str, call: &str) -> String {
    format!("{HOOK_PREFIX}{client_session}.{call}")
}

/// Replaces characters that are not safe in a file name, and cuts long names. A name that was changed gets
/// a hash, so that two never become the same. Processes of other versions find the same name.
fn safe_name(name: &str) -> String {
    let chars = name
        .chars()
        .map(|char| if is_safe_char(char) { char } else { '_' });
    let safe: String = chars.take(SESSION_CHARS_MAX).collect();
    if safe == name {
        return safe;
    }
    let hash = hex(&Sha256::digest(name)[..HASH_BYTES]);
    format!("{safe}-{hash}")
}

fn is_safe_char(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '-' || char == '_'
}

/// Whether a name is that of a file in the directory.
fn is_safe(name: &str) -> bool {
    let mut parts = name.split('.');
    parts.all(|part| !part.is_empty() && part.chars().all(is_safe_char))
}

/// The sessions in a directory that no process holds.
fn ended_sessions(directory: &Path, own_name: &str) -> BTreeSet<String> {
    const ATTEMPTS: usize = 20;
    let mut unknown = lock_names(directory);
    unknown.retain(|name| name != own_name);
    let mut ended = BTreeSet::new();
    // Other processes that start at the same time check the same files, each for some microseconds.
    for _ in 0..ATTEMPTS {
        unknown.retain(|name| {
            let is_free = open_lock(directory, name).is_ok_and(|file| file.try_lock().is_ok());
            if is_free {
                ended.insert(name.clone());
            }
            !is_free
        });
        std::thread::yield_now();
    }
    ended
}

fn lock_names(directory: &Path) -> Vec<String> {
    let Ok(files) = fs::read_dir(directory) else {
        return Vec::new();
    };
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    names
        .filter_map(|name| name.strip_suffix(".lock").map(str::to_owned))
        .collect()
}

/// The prefix of the session names in this directory, and a lock on the session's file.
fn lock(directory: &Path, name: &str) -> std::io::Result<(String, File)> {
    create_private_directory(directory)?;
    let machine = machine_id(directory)?;
    let path = lock_path(directory, name);
    loop {
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)?;
        match file.try_lock_shared() {
            Ok(()) => {}
            // Another process is just checking whether the session has ended, or takes its questions over.
            Err(TryLockError::WouldBlock) => file.lock_shared()?,
            Err(TryLockError::Error(error)) => return Err(error),
        }
        // Otherwise another process has removed it between the two.
        if is_file_at(&file, &path) {
            return Ok((machine, file));
        }
    }
}

pub(crate) fn create_private_directory(directory: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(directory)
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
        Ok(name) => Ok(Some(safe_name(name.trim()))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;

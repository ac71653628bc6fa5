//! The sessions of the `initialize` era over HTTP, one file for each.
//!
//! A client keeps its session id for as long as it runs and rarely knows how to get another one. So a
//! session outlives the server: the file has what the client said in `initialize`, and the next server
//! on the same data directory restores the session from it.
//!
//! Whoever has the id can act for the client, so nobody else sees it: files and questions have a digest of it. And it
//! works only with the token that the session was started with.

use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use askback_wire::server_process::hex;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::{
    SessionId, SessionManager as _, SessionState, SessionStore, SessionStoreError,
};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use crate::http::exchange::HttpCaller;
use crate::session::lock::create_private_directory;
use crate::session::order::SessionOrder;

/// What the names of these sessions begin with.
const PREFIX: &str = "http.";

/// A session without a call for this long has ended.
const IDLE_MAX: Duration = Duration::from_hours(7 * 24);

/// Session files that are kept. Of more, a tenth is removed, those first that were not used for the longest time.
const FILES_MAX: usize = 10_000;

/// Sessions that one server keeps in memory. Each has a task and some buffers.
const LIVE_MAX: usize = 1000;

/// The sessions of one data directory.
#[derive(Clone)]
pub(crate) struct HttpSessions {
    directory: PathBuf,
    live: Arc<LocalSessionManager>,
    live_max: usize,
    files_max: usize,
    /// How many files there are at most: some may have been removed since they were counted.
    files: Arc<AtomicUsize>,
    activity: Arc<Mutex<HashMap<String, SessionActivity>>>,
    order: Arc<Mutex<SessionOrder>>,
}

/// How a session in memory is used.
struct SessionActivity {
    open_calls: usize,
    last_used: Instant,
    /// Whose it is, if that is known already.
    owner: Option<Owner>,
}

/// The name of the token that started a session. Without one it was the server's.
type Owner = Option<String>;

/// What the file of a session has.
#[derive(Serialize, Deserialize)]
struct SessionFile {
    #[serde(flatten)]
    state: SessionState,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    token: Owner,
}

/// Enough to tell sessions apart.
const DIGEST_CHARS: usize = 32;

/// What files and names have in place of the id of a session.
fn digest(id: &str) -> String {
    hex(&Sha256::digest(id)[..DIGEST_CHARS / 2])
}

/// A call of a session. The session stays in memory until this is dropped.
pub(crate) struct SessionUse {
    sessions: HttpSessions,
    id: String,
}

impl Drop for SessionUse {
    fn drop(&mut self) {
        let mut activity = self.sessions.activity.lock();
        let Some(used) = activity.get_mut(&self.id) else {
            return;
        };
        used.open_calls -= 1;
        used.last_used = Instant::now();
        let is_live = self.sessions.is_live(&self.id);
        if used.open_calls == 0 && !is_live {
            activity.remove(&self.id);
        }
    }
}

impl HttpSessions {
    /// Removes the files of sessions that have ended.
    pub(crate) fn open(directory: &Path, live: Arc<LocalSessionManager>) -> HttpSessions {
        let sessions = HttpSessions {
            directory: directory.to_owned(),
            live,
            live_max: LIVE_MAX,
            files_max: FILES_MAX,
            files: Arc::default(),
            activity: Arc::default(),
            order: Arc::default(),
        };
        sessions.remove_old();
        sessions
    }

    /// Removes the files of sessions that have ended, and of those that were not used for the longest time if there are too
    /// many. Their clients are told that the session is unknown, and begin another one.
    fn remove_old(&self) {
        if let Err(error) = self.try_remove_old() {
            tracing::warn!(%error, "cannot remove old sessions of agents");
        }
    }

    /// The name under which a session asks.
    pub(crate) fn name(id: &str) -> String {
        format!("{PREFIX}{}", digest(id))
    }

    /// Notes that a session is in use.
    #[expect(
        clippy::disallowed_methods,
        reason = "the age of a file is compared with the system's clock"
    )]
    pub(crate) fn touch(&self, caller: &HttpCaller) {
        let path = caller.session_id.as_deref().and_then(|id| self.path(id));
        let Some(path) = path else { return };
        let file = File::options().append(true).open(path);
        let touched = file.and_then(|file| file.set_modified(SystemTime::now()));
        if let Err(error) = touched {
            tracing::debug!(%error, "cannot note that a session is in use");
        }
    }

    /// Whether a client ended its session, or has not used it for a long time. A session that could
    /// not be written down does not count as ended while it is in memory.
    pub(crate) fn has_ended(&self, session: &str) -> bool {
        let digest = session.strip_prefix(PREFIX).unwrap_or_default();
        let is_hex = |char: char| char.is_ascii_hexdigit();
        if digest.len() != DIGEST_CHARS || !digest.chars().all(is_hex) {
            return false;
        }
        let file = fs::metadata(self.file(digest));
        let gone = file.is_err_and(|error| error.kind() == ErrorKind::NotFound);
        gone && self
            .live_digests()
            .is_some_and(|live| !live.contains(digest))
    }

    /// Whether the questions of an ended session pass to another one: if that one started after the end. Of a
    /// session that an earlier server began, it is not known.
    pub(crate) fn inherits(&self, session: &str, from: &str) -> bool {
        self.has_ended(from) && self.order.lock().started_after_end(session, from)
    }

    /// A call of a session begins.
    pub(crate) fn begin_call(&self, id: &str) -> SessionUse {
        self.note_use(id, 1);
        SessionUse {
            sessions: self.clone(),
            id: id.to_owned(),
        }
    }

    /// Makes room for a session that is about to be created, or restored if it has an id, by dropping
    /// those from memory that were idle for the longest time. They are restored when they are used
    /// again. Returns whether there is room: a session with an open call is never dropped.
    pub(crate) async fn make_room(&self, id: Option<&str>) -> bool {
        loop {
            let live: Vec<SessionId> = {
                let live = self.live.sessions.read().await;
                if live.len() < self.live_max || id.is_some_and(|id| live.contains_key(id)) {
                    return true;
                }
                live.keys().cloned().collect()
            };
            let Some(idle) = self.longest_idle(&live) else {
                return false;
            };
            tracing::debug!(
                session = digest(&idle),
                "too many sessions; dropping an idle one from memory"
            );
            if let Err(error) = self.live.close_session(&idle).await {
                tracing::warn!(%error, "cannot drop a session from memory");
            }
        }
    }

    fn longest_idle(&self, live: &[SessionId]) -> Option<SessionId> {
        let activity = self.activity.lock();
        let idle = live.iter().filter(|id| {
            let activity = activity.get(&***id);
            activity.is_none_or(|activity| activity.open_calls == 0)
        });
        let last_used = |id: &&SessionId| activity.get(&***id).map(|activity| activity.last_used);
        idle.min_by_key(last_used).cloned()
    }

    /// A session is used, now and by this many more calls.
    fn note_use(&self, id: &str, calls: usize) {
        let mut activity = self.activity.lock();
        let activity = activity
            .entry(id.to_owned())
            .or_insert_with(|| SessionActivity {
                open_calls: 0,
                last_used: Instant::now(),
                owner: None,
            });
        activity.open_calls += calls;
        activity.last_used = Instant::now();
    }

    /// Whether a session is in memory or in a file, and was started with the token of this name.
    pub(crate) fn is_of(&self, id: &str, token: Option<&str>) -> bool {
        let known = self
            .activity
            .lock()
            .get(id)
            .and_then(|used| used.owner.clone());
        let owner = known.or_else(|| Some(self.read(id).ok()??.token));
        owner.is_some_and(|owner| owner.as_deref() == token)
    }

    /// A session was started with the token of this name. Its client does not know the id yet.
    pub(crate) fn bind(&self, id: &str, token: Option<&str>) {
        let token = token.map(str::to_owned);
        if let Some(activity) = self.activity.lock().get_mut(id) {
            activity.owner = Some(token.clone());
        }
        let bound = match self.read(id) {
            Ok(Some(file)) if token.is_some() => self.write(id, &SessionFile { token, ..file }),
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = bound {
            tracing::warn!(%error, "cannot store whose a session is: the next server will not know it");
        }
    }

    #[cfg(test)]
    pub(crate) fn set_live_max(&mut self, live_max: usize) {
        self.live_max = live_max;
    }

    #[cfg(test)]
    pub(crate) async fn live_count(&self) -> usize {
        self.live.sessions.read().await.len()
    }

    fn is_live(&self, id: &str) -> bool {
        let live = self.live.sessions.try_read();
        live.map_or(true, |live| live.contains_key(id))
    }

    /// `None` if the sessions in memory are just changing.
    fn live_digests(&self) -> Option<HashSet<String>> {
        let live = self.live.sessions.try_read().ok()?;
        Some(live.keys().map(|id| digest(id)).collect())
    }

    /// The file of a session. `None` for an id that no server made, and for another spelling of one: it
    /// would be another session with the same file.
    fn path(&self, id: &str) -> Option<PathBuf> {
        let made = uuid::Uuid::try_parse(id).ok()?.hyphenated().to_string();
        (made == id).then(|| self.file(&digest(id)))
    }

    fn file(&self, digest: &str) -> PathBuf {
        self.directory.join(format!("{digest}.json"))
    }

    fn try_remove_old(&self) -> io::Result<()> {
        let files = match fs::read_dir(&self.directory) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            files => files?,
        };
        let mut by_age = Vec::new();
        for file in files {
            let file = file?;
            let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
            by_age.push((age, file.path()));
        }
        by_age.sort_by(|one, other| other.cmp(one));
        let excess = match (by_age.len() + 1).checked_sub(self.files_max) {
            None | Some(0) => 0,
            Some(excess) => excess + self.files_max / 10,
        };
        let mut kept = 0;
        let live = self.live_digests();
        for (index, (age, path)) in by_age.into_iter().enumerate() {
            let digest = path.file_stem().and_then(|stem| stem.to_str());
            let is_live =
                digest.is_some_and(|digest| live.as_ref().is_none_or(|live| live.contains(digest)));
            if age > IDLE_MAX || (index < excess && !is_live) {
                fs::remove_file(path)?;
            } else {
                kept += 1;
            }
        }
        self.files.store(kept, Ordering::Relaxed);
        Ok(())
    }

    fn read(&self, id: &str) -> io::Result<Option<SessionFile>> {
        let Some(path) = self.path(id) else {
            return Ok(None);
        };
        match fs::read(path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, id: &str, file: &SessionFile) -> io::Result<()> {
        let Some(path) = self.path(id) else {
            return Ok(());
        };
        create_private_directory(&self.directory)?;
        let partial = path.with_extension("partial");
        let mut written = private_file(&partial)?;
        written.write_all(&serde_json::to_vec(file)?)?;
        fs::rename(partial, path)
    }

    fn remove(&self, id: &str) -> io::Result<()> {
        let Some(path) = self.path(id) else {
            return Ok(());
        };
        match fs::remove_file(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

/// Creates a file that other users cannot read.
fn private_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path)
}

type Stored<'a, T> = Pin<Box<dyn Future<Output = Result<T, SessionStoreError>> + Send + 'a>>;

/// The files are small and local, so they are read and written in place.
impl SessionStore for HttpSessions {
    fn load<'a, 'b, 'c>(&'a self, id: &'b str) -> Stored<'c, Option<SessionState>>
    where
        'a: 'c,
        'b: 'c,
        Self: 'c,
    {
        let read = self.read(id).map_err(SessionStoreError::from);
        let state = read.map(|file| {
            let file = file?;
            self.note_use(id, 0);
            if let Some(activity) = self.activity.lock().get_mut(id) {
                activity.owner = Some(file.token);
            }
            Some(file.state)
        });
        Box::pin(std::future::ready(state))
    }

    fn store<'a, 'b, 'c, 'd>(&'a self, id: &'b str, state: &'c SessionState) -> Stored<'d, ()>
    where
        'a: 'd,
        'b: 'd,
        'c: 'd,
        Self: 'd,
    {
        self.activity
            .lock()
            .retain(|id, activity| activity.open_calls > 0 || self.is_live(id));
        self.note_use(id, 0);
        self.order.lock().note_start(&HttpSessions::name(id));
        if self.files.load(Ordering::Relaxed) >= self.files_max {
            self.remove_old();
        }
        self.files.fetch_add(1, Ordering::Relaxed);
        let file = SessionFile {
            state: state.clone(),
            token: None,
        };
        let written = self.write(id, &file).map_err(SessionStoreError::from);
        Box::pin(std::future::ready(written))
    }

    fn delete<'a, 'b, 'c>(&'a self, id: &'b str) -> Stored<'c, ()>
    where
        'a: 'c,
        'b: 'c,
        Self: 'c,
    {
        self.order.lock().note_end(&HttpSessions::name(id));
        let removed = self.remove(id).map_err(SessionStoreError::from);
        Box::pin(std::future::ready(removed))
    }
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;

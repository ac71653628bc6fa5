//! The sessions of the `initialize` era over HTTP, one file for each.
//!
//! A client keeps its session id for as long as it runs and rarely knows how to get another one. So a
//! session outlives the server: the file has what the client said in `initialize`, and the next server
//! on the same data directory restores the session from it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::session::{
    SessionState, SessionStore, SessionStoreError,
};

use crate::http_exchange::HttpCaller;
use crate::session_lock::create_private_directory;

/// What the names of these sessions begin with.
const PREFIX: &str = "http.";

/// A session without a call for this long has ended.
const IDLE_MAX: Duration = Duration::from_hours(7 * 24);

/// Sessions that one server keeps in memory. Each has a task and some buffers.
const LIVE_MAX: usize = 1000;

/// The sessions of one data directory.
#[derive(Clone)]
pub(crate) struct HttpSessions {
    directory: PathBuf,
    live: Arc<LocalSessionManager>,
}

impl HttpSessions {
    /// Removes the files of sessions that have ended.
    pub(crate) fn open(directory: &Path, live: Arc<LocalSessionManager>) -> HttpSessions {
        let sessions = HttpSessions {
            directory: directory.to_owned(),
            live,
        };
        if let Err(error) = sessions.remove_idle() {
            tracing::warn!(%error, "cannot read the sessions of agents");
        }
        sessions
    }

    /// The name under which a session asks.
    pub(crate) fn name(id: &str) -> String {
        format!("{PREFIX}{id}")
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
        let Some(id) = session.strip_prefix(PREFIX) else {
            return false;
        };
        let Some(path) = self.path(id) else {
            return false;
        };
        let gone = fs::metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound);
        let live = self.live.sessions.try_read();
        gone && live.is_ok_and(|live| !live.contains_key(id))
    }

    /// Whether one more session would be too many.
    pub(crate) async fn are_full(&self) -> bool {
        self.live.sessions.read().await.len() >= LIVE_MAX
    }

    /// The file of a session. `None` for an id that no server made.
    fn path(&self, id: &str) -> Option<PathBuf> {
        let id = uuid::Uuid::try_parse(id).ok()?;
        Some(self.directory.join(format!("{}.json", id.hyphenated())))
    }

    fn remove_idle(&self) -> io::Result<()> {
        let files = match fs::read_dir(&self.directory) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            files => files?,
        };
        for file in files {
            let file = file?;
            let age = file.metadata()?.modified()?.elapsed().unwrap_or_default();
            if age > IDLE_MAX {
                fs::remove_file(file.path())?;
            }
        }
        Ok(())
    }

    fn read(&self, id: &str) -> io::Result<Option<SessionState>> {
        let Some(path) = self.path(id) else {
            return Ok(None);
        };
        match fs::read(path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&self, id: &str, state: &SessionState) -> io::Result<()> {
        let Some(path) = self.path(id) else {
            return Ok(());
        };
        create_private_directory(&self.directory)?;
        let partial = path.with_extension("partial");
        let mut file = private_file(&partial)?;
        file.write_all(&serde_json::to_vec(state)?)?;
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
pub(crate) fn private_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
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
        Box::pin(std::future::ready(read))
    }

    fn store<'a, 'b, 'c, 'd>(&'a self, id: &'b str, state: &'c SessionState) -> Stored<'d, ()>
    where
        'a: 'd,
        'b: 'd,
        'c: 'd,
        Self: 'd,
    {
        let written = self.write(id, state).map_err(SessionStoreError::from);
        Box::pin(std::future::ready(written))
    }

    fn delete<'a, 'b, 'c>(&'a self, id: &'b str) -> Stored<'c, ()>
    where
        'a: 'c,
        'b: 'c,
        Self: 'c,
    {
        let removed = self.remove(id).map_err(SessionStoreError::from);
        Box::pin(std::future::ready(removed))
    }
}

#[cfg(test)]
#[path = "http_sessions_tests.rs"]
mod tests;

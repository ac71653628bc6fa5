//! Sessions: which calls come from the same agent, and which agents have gone.

pub(crate) mod asker;
pub(crate) mod attachment;
pub(crate) mod lock;
pub(crate) mod order;
pub(crate) mod takeover;

use std::fs::File;

use uuid::Uuid;

use crate::http::sessions::HttpSessions;
use crate::session::lock::{HEARTBEAT, SessionLock};

/// The session of calls without one. Together with client and project it says who asks.
const STATELESS: &str = "stateless";

/// The session that a call belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CallSession {
    pub(crate) name: String,
    pub(crate) scope: SessionScope,
}

/// Who shares a session. Late answers are delivered unasked only within [`SessionScope::Agent`]:
/// elsewhere the next call may come from another agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionScope {
    /// One agent.
    Agent,
    /// All agents that run the same client in the same project, without sessions.
    Project,
    /// Nobody: neither a session nor a project is known, so every call has a session of its own.
    Call,
}

impl CallSession {
    pub(crate) fn agent(name: &str) -> CallSession {
        CallSession {
            name: name.to_owned(),
            scope: SessionScope::Agent,
        }
    }

    /// The session of a call of which nothing is known.
    pub(crate) fn unknown() -> CallSession {
        CallSession {
            name: format!("{STATELESS}.{}", Uuid::now_v7().simple()),
            scope: SessionScope::Call,
        }
    }

    /// Without a session, agents of the same client in the same project cannot be told apart.
    pub(crate) fn stateless(project: Option<&str>) -> CallSession {
        match project {
            Some(_) => CallSession {
                name: STATELESS.to_owned(),
                scope: SessionScope::Project,
            },
            None => CallSession::unknown(),
        }
    }
}

/// Whether calls without a session asked under this name.
pub(crate) fn is_stateless(session: &str) -> bool {
    let rest = session.strip_prefix(STATELESS);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Whether a session gets the questions of another one of the same client in the same project.
#[derive(Debug)]
pub(crate) enum Inheritance {
    /// Yes. While the file is held, the other session cannot start again.
    Now(Option<File>),
    /// Not yet.
    Later,
    Never,
}

/// Knows which sessions have ended, and before which others started. Their questions pass to one of those.
pub(crate) enum Sessions {
    /// The server on standard input and output has one session.
    Process(SessionLock),
    /// The HTTP endpoint has many.
    Http(HttpSessions),
}

impl Sessions {
    /// Whether `session` gets the questions of `from`.
    pub(crate) fn inherits(&self, session: &str, from: &str) -> Inheritance {
        match self {
            Sessions::Process(lock) => lock.inherits(from),
            Sessions::Http(sessions) if sessions.inherits(session, from) => Inheritance::Now(None),
            Sessions::Http(_) => Inheritance::Never,
        }
    }

    /// Notes again and again that the session of this process runs. Never returns.
    pub(crate) async fn note_that_it_runs(&self) {
        let mut interval = tokio::time::interval(HEARTBEAT);
        loop {
            interval.tick().await;
            if let Sessions::Process(lock) = self {
                lock.touch();
            }
        }
    }

    /// What the names of sessions begin with whose questions pass to this one whenever they end.
    pub(crate) fn hook_prefix(&self) -> Option<String> {
        match self {
            Sessions::Process(lock) => lock.hook_prefix(),
            Sessions::Http(_) => None,
        }
    }
}

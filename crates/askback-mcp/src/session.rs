//! Sessions: which calls come from the same agent, and which agents have gone.

use uuid::Uuid;

use crate::http_sessions::HttpSessions;
use crate::session_lock::SessionLock;

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

/// Knows which sessions have ended. Their questions pass to the next session of the same client in the
/// same project.
pub(crate) enum Sessions {
    /// The server on standard input and output has one session.
    Process(SessionLock),
    /// The HTTP endpoint has many.
    Http(HttpSessions),
}

impl Sessions {
    pub(crate) fn has_ended(&self, session: &str) -> bool {
        match self {
            Sessions::Process(lock) => lock.has_ended(session),
            Sessions::Http(sessions) => sessions.has_ended(session),
        }
    }
}

//! Takes over the questions of sessions that have ended.
//!
//! Which ones can be is fixed when a session starts: they had ended before. So their names are read once for
//! each session, and a call reads only the questions of its own.

use parking_lot::Mutex;
use std::collections::HashMap;

use askback_client::ClientError;
use askback_wire::asker::{ListAskerSessionsParams, TakeoverParams};

use crate::call::executor::ToolExecutor;
use crate::call::retry::retry_while_unreachable;
use crate::session::asker::Asker;
use crate::session::{Inheritance, SessionScope};

/// Sessions that are taken over at once. For each one, a file is open.
const TAKEOVER_MAX: usize = 50;

/// Sessions whose predecessors are known. Beyond that, they are read again.
const SESSIONS_MAX: usize = 10_000;

/// Whose questions are taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heir {
    /// Those of the same session of the client: the same call gets their outcomes.
    SameSession,
    /// Those of another one: its outcomes are told, and its calls are asked anew.
    OtherSession,
}

/// Session, client and project.
type AgentKey = (String, String, Option<String>);

/// For each session that has made a call: the ended sessions that it cannot take over yet.
#[derive(Default)]
pub(crate) struct Predecessors(Mutex<HashMap<AgentKey, Vec<String>>>);

impl Predecessors {
    fn get(&self, key: &AgentKey) -> Option<Vec<String>> {
        let known = self.0.lock();
        known.get(key).cloned()
    }

    fn set(&self, key: AgentKey, left: Vec<String>) {
        let mut known = self.0.lock();
        if known.len() >= SESSIONS_MAX {
            known.clear();
        }
        known.insert(key, left);
    }
}

impl ToolExecutor {
    /// Takes over what the sessions have left that had ended when this one started, and ended hooks of this
    /// session. Of several sessions that try at once, one gets the questions.
    pub(crate) async fn take_over(&self, asker: &Asker) -> Result<(), ClientError> {
        if asker.scope != SessionScope::Agent {
            return Ok(());
        }
        let key = (
            asker.session.clone(),
            asker.client.to_string(),
            asker.project.clone().map(String::from),
        );
        let mut candidates = match self.predecessors.get(&key) {
            Some(left) => left,
            None => self.sessions_of(asker, None).await?,
        };
        let mut left = Vec::new();
        if let Some(prefix) = self.sessions.hook_prefix() {
            // The same session of the client under another name.
            candidates.retain(|session| !session.starts_with(&prefix));
            let hooks = self.sessions_of(asker, Some(prefix)).await?;
            for some in hooks.chunks(TAKEOVER_MAX) {
                self.take_over_from(asker, some, Heir::SameSession).await?;
            }
        }
        for some in candidates.chunks(TAKEOVER_MAX) {
            let others = self.take_over_from(asker, some, Heir::OtherSession).await?;
            left.extend(others);
        }
        self.predecessors.set(key, left);
        Ok(())
    }

    /// Returns the sessions that cannot be taken over yet.
    async fn take_over_from(
        &self,
        asker: &Asker,
        candidates: &[String],
        heir: Heir,
    ) -> Result<Vec<String>, ClientError> {
        let (mut from, mut locks, mut left) = (Vec::new(), Vec::new(), Vec::new());
        for session in candidates {
            match self.sessions.inherits(&asker.session, session) {
                Inheritance::Now(lock) => {
                    from.push(session.clone());
                    locks.extend(lock);
                }
                Inheritance::Later => left.push(session.clone()),
                Inheritance::Never => {}
            }
        }
        if from.is_empty() {
            return Ok(left);
        }
        let params = TakeoverParams {
            client: asker.client.to_string(),
            project: asker.project.clone().map(String::from),
            session: asker.session.clone(),
            from,
            resumes: heir == Heir::SameSession,
        };
        let client = self.client_of(asker);
        let taken = retry_while_unreachable(|| client.take_over(&params)).await?;
        tracing::info!(questions = taken.questions, "took over from ended sessions");
        // Until here, none of them could start again.
        drop(locks);
        Ok(left)
    }

    /// The sessions of this client in this project that have something left.
    async fn sessions_of(
        &self,
        asker: &Asker,
        prefix: Option<String>,
    ) -> Result<Vec<String>, ClientError> {
        let mut params = ListAskerSessionsParams {
            client: asker.client.to_string(),
            project: asker.project.clone().map(String::from),
            prefix,
            cursor: None,
        };
        let client = self.client_of(asker);
        let mut sessions = Vec::new();
        loop {
            let page = retry_while_unreachable(|| client.asker_sessions(&params)).await?;
            sessions.extend(page.items.into_iter().map(|item| item.session));
            params.cursor = page.next;
            if params.cursor.is_none() {
                sessions.retain(|session| *session != asker.session);
                return Ok(sessions);
            }
        }
    }
}

//! How many questions a session may ask with a tool that has a limit.

use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};

use askback_core::dialect::Dialect;
use askback_core::id::InquiryId;
use askback_core::limits;

use crate::session::SessionScope;
use crate::session::asker::Asker;

/// Sessions whose questions are counted. Beyond that, counting starts anew.
const SESSIONS_MAX: usize = 10_000;

/// The questions of each session that count. Where sessions are not known, none do.
#[derive(Default)]
pub(crate) struct AskLimit(Mutex<HashMap<String, HashSet<InquiryId>>>);

impl AskLimit {
    pub(crate) fn is_reached(&self, dialect: Dialect, asker: &Asker) -> bool {
        let count = self
            .0
            .lock()
            .get(&asker.session_key())
            .map_or(0, HashSet::len);
        counts(dialect, asker) && count >= limits::ASK_USER_PER_CONVERSATION as usize
    }

    /// A question that is asked again counts once.
    pub(crate) fn count(&self, dialect: Dialect, asker: &Asker, id: &InquiryId) {
        if !counts(dialect, asker) {
            return;
        }
        let mut sessions = self.0.lock();
        if sessions.len() > SESSIONS_MAX {
            sessions.clear();
        }
        let questions = sessions.entry(asker.session_key()).or_default();
        questions.insert(id.clone());
    }
}

fn counts(dialect: Dialect, asker: &Asker) -> bool {
    dialect == Dialect::AskUser && asker.scope == SessionScope::Agent
}

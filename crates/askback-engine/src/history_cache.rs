//! Histories of conversations that are at work, kept so that a request reads nothing twice.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use askback_core::conversation::event::Event;
use askback_core::conversation::history::{Entry, History};
use askback_core::id::ConversationId;
use askback_store::{Sequence, Store, StoreError};

use crate::listener;
use crate::storage_format::{self, STATE_CHANGE};

/// Stored bytes of all histories that are kept. With more, all are read anew: rarely reached, and
/// bounded.
const BYTES_MAX: usize = 32 << 20;

/// Histories, each as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct Histories {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    histories: HashMap<ConversationId, Known>,
    /// What all of them came to.
    bytes: usize,
}

/// A history up to a place in the log.
#[derive(Debug, Default)]
struct Known {
    /// How many events it has taken: the version of the conversation.
    version: u64,
    /// The place of the last of them.
    last: Sequence,
    history: History,
    bytes: usize,
}

/// What one commit has added to a conversation.
pub(crate) struct Added<'a> {
    pub(crate) events: &'a [Event],
    /// The version on which it was decided.
    pub(crate) before: u64,
    /// The sequence of the first event.
    pub(crate) first: Sequence,
    /// How long they are as they are stored.
    pub(crate) bytes: usize,
}

impl Histories {
    /// The whole rounds of a conversation, at least up to the version that is asked for.
    pub(crate) async fn read(
        &self,
        store: &dyn Store,
        id: &ConversationId,
        version: u64,
    ) -> Result<Arc<Vec<Entry>>, StoreError> {
        let mut known = self.take(id);
        while known.version < version {
            let rows = store.events(Some(id), known.last, listener::PAGE).await?;
            for row in &rows {
                known.last = row.sequence;
                if row.kind == STATE_CHANGE {
                    continue;
                }
                known.version += 1;
                known.bytes += row.json.len();
                // They say nothing to a provider, and leave out what stands elsewhere.
                if row.kind != "started" && row.kind != "inquiry_asked" {
                    known.history.take(&storage_format::parse(&row.json)?);
                }
            }
            if rows.is_empty() {
                break;
            }
        }
        let entries = Arc::clone(known.history.entries());
        self.keep(id, known);
        Ok(entries)
    }

    /// Takes along what was just committed, if the history is known up to there.
    pub(crate) fn grow(&self, id: &ConversationId, added: &Added<'_>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(known) = kept.histories.get_mut(id) else {
            return;
        };
        if known.version != added.before {
            return;
        }
        for (event, sequence) in added.events.iter().zip(added.first..) {
            known.version += 1;
            known.last = sequence;
            known.history.take(event);
        }
        known.bytes += added.bytes;
        kept.bytes += added.bytes;
        kept.stay_bounded();
    }

    /// Forgets a conversation that is gone.
    pub(crate) fn forget(&self, id: &ConversationId) {
        self.take(id);
    }

    fn take(&self, id: &ConversationId) -> Known {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.histories.remove(id).unwrap_or_default();
        kept.bytes -= known.bytes;
        known
    }

    fn keep(&self, id: &ConversationId, known: Known) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += known.bytes;
        if let Some(other) = kept.histories.insert(id.clone(), known) {
            kept.bytes -= other.bytes;
        }
        kept.stay_bounded();
    }
}

impl Kept {
    fn stay_bounded(&mut self) {
        if self.bytes > BYTES_MAX {
            self.histories.clear();
            self.bytes = 0;
        }
    }
}

//! Histories of conversations that are at work, kept so that a request reads only what is new.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use askback_core::conversation::history::{Entry, History};
use askback_core::id::ConversationId;
use askback_store::{Sequence, Store, StoreError};

use crate::replay;
use crate::stored::{self, STATE_CHANGE};

/// Entries of all histories that are kept. With more, all are read anew: rarely reached, and bounded.
const ENTRIES_MAX: usize = 16_384;

/// Histories, each as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct Histories {
    kept: Mutex<HashMap<ConversationId, (Sequence, History)>>,
}

impl Histories {
    /// The whole rounds of a conversation, up to what the store holds now.
    pub(crate) async fn read(
        &self,
        store: &dyn Store,
        id: &ConversationId,
    ) -> Result<Vec<Entry>, StoreError> {
        let (mut after, mut history) = self.take(id);
        loop {
            let rows = store.events(Some(id), after, replay::PAGE).await?;
            for row in &rows {
                after = row.sequence;
                // Neither says anything to a provider, and both leave their questions out.
                if row.kind != STATE_CHANGE && row.kind != "inquiry_asked" {
                    history.take(&stored::parse(&row.json)?);
                }
            }
            if rows.len() < replay::PAGE {
                break;
            }
        }
        let entries = history.entries().to_vec();
        self.keep(id, after, history);
        Ok(entries)
    }

    /// Forgets a conversation that is gone.
    pub(crate) fn forget(&self, id: &ConversationId) {
        self.take(id);
    }

    fn take(&self, id: &ConversationId) -> (Sequence, History) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.remove(id).unwrap_or_default()
    }

    fn keep(&self, id: &ConversationId, read: Sequence, history: History) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let entries: usize = kept.values().map(|(_, kept)| kept.entries().len()).sum();
        if entries + history.entries().len() + kept.len() > ENTRIES_MAX {
            kept.clear();
        }
        if history.entries().len() < ENTRIES_MAX {
            kept.insert(id.clone(), (read, history));
        }
    }
}

//! Provider histories kept in memory, so that each request reads only the events that are new.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

use askback_core::conversation::history::{History, HistoryEntry};
use askback_core::id::ConversationId;
use askback_store::{RecordRow, Sequence, StoreError};
use askback_stored::StoredEvent;

use crate::listener;
use crate::record::Record;
use crate::record_log::{RecordLog, parse_record, restore_event};

/// Stored bytes of all cached histories. Beyond that the cache is cleared: this is rare, and reading
/// a history again is cheap.
const BYTES_MAX: usize = 32 << 20;

#[derive(Debug, Default)]
pub(crate) struct HistoryCache {
    contents: Mutex<Contents>,
}

#[derive(Debug, Default)]
struct Contents {
    histories: HashMap<ConversationId, CachedHistory>,
    bytes: usize,
}

/// A history up to an event. It may be older than the conversation.
#[derive(Debug, Default)]
struct CachedHistory {
    /// The number of events applied, which is the version of the conversation.
    version: u64,
    last: Sequence,
    history: History,
    bytes: usize,
}

/// One commit that was appended to a conversation.
pub(crate) struct Appended<'a> {
    pub(crate) record: &'a Record,
    /// The version of the conversation before the commit.
    pub(crate) version_before: u64,
    /// The size of the record as it is stored.
    pub(crate) bytes: usize,
}

impl HistoryCache {
    /// The complete rounds of a conversation, at least up to `version`, and the last position of its
    /// records so far.
    pub(crate) async fn entries(
        &self,
        log: &RecordLog,
        id: &ConversationId,
        version: u64,
    ) -> Result<(Arc<Vec<HistoryEntry>>, Sequence), StoreError> {
        let mut cached = self.take(id);
        while cached.version < version {
            let store = log.store();
            let rows = store
                .records(Some(id), cached.last, listener::PAGE_RECORDS_MAX)
                .await?;
            for row in &rows {
                cached.apply(log, row).await?;
            }
            if rows.is_empty() {
                break;
            }
        }
        let history = (Arc::clone(cached.history.entries()), cached.last);
        self.put(id, cached);
        Ok(history)
    }

    /// Applies new events. Does nothing unless the cached history ends right before them.
    pub(crate) fn append(&self, appended: &Appended<'_>) {
        let record = appended.record;
        let mut contents = self.contents.lock();
        let Some(cached) = contents.histories.get_mut(&record.conversation) else {
            return;
        };
        if cached.version != appended.version_before {
            return;
        }
        for (_, event) in &record.events {
            cached.version += 1;
            cached.history.take(event);
        }
        cached.last = record.last;
        cached.bytes += appended.bytes;
        contents.bytes += appended.bytes;
        contents.enforce_limit();
    }

    pub(crate) fn evict(&self, id: &ConversationId) {
        self.take(id);
    }

    fn take(&self, id: &ConversationId) -> CachedHistory {
        let mut contents = self.contents.lock();
        let cached = contents.histories.remove(id).unwrap_or_default();
        contents.bytes -= cached.bytes;
        cached
    }

    fn put(&self, id: &ConversationId, cached: CachedHistory) {
        let mut contents = self.contents.lock();
        contents.bytes += cached.bytes;
        if let Some(replaced) = contents.histories.insert(id.clone(), cached) {
            contents.bytes -= replaced.bytes;
        }
        contents.enforce_limit();
    }
}

impl CachedHistory {
    /// Applies the events of a record that a history follows from.
    async fn apply(&mut self, log: &RecordLog, row: &RecordRow) -> Result<(), StoreError> {
        let record = parse_record(row)?;
        self.last = row.last;
        self.version += record.events.len() as u64;
        self.bytes += row.body.len();
        for event in record.events {
            let matters = matches!(
                event,
                StoredEvent::MessageReceived { .. }
                    | StoredEvent::AssistantReplied { .. }
                    | StoredEvent::CallFinished { .. }
                    | StoredEvent::RoundFinished
            );
            if !matters {
                continue;
            }
            let view = log.inquiry_of(&event).await?;
            if let Some(event) = restore_event(row, event, view.as_ref())? {
                self.history.take(&event);
            }
        }
        Ok(())
    }
}

impl Contents {
    fn enforce_limit(&mut self) {
        if self.bytes > BYTES_MAX {
            self.histories.clear();
            self.bytes = 0;
        }
    }
}

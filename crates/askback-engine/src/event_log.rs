//! Reads the event log in pages of bounded size.
//!
//! Event rows leave out the questions, which are stored once, in the row of the inquiry. They are
//! put back here from a shared cache: twenty feeds over the same questions hold them once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use askback_core::id::{ConversationId, InquiryId};
use askback_store::{EventRow, PAGE_BYTES_MAX, Sequence, Store, StoreError};

use crate::feed::LogEntry;
use crate::listener::PAGE_EVENTS_MAX;
use crate::storage_format::{self, Record, STATE_CHANGE, StoredInquiry};

/// Bytes of cached questions. Beyond that the cache is cleared.
const CACHED_BYTES_MAX: usize = 16 << 20;

pub(crate) struct EventLog {
    store: Arc<dyn Store>,
    cache: Mutex<InquiryCache>,
}

/// Inquiries that were read recently. What is cached of them never changes.
#[derive(Default)]
struct InquiryCache {
    inquiries: HashMap<InquiryId, StoredInquiry>,
    bytes: usize,
}

/// The newest events of a conversation below a sequence number.
#[derive(Debug)]
pub struct EventPage {
    /// Oldest first, without state changes.
    pub entries: Vec<LogEntry>,
    /// Where the next older page ends; absent at the beginning of the conversation.
    pub before: Option<Sequence>,
}

impl EventLog {
    pub(crate) fn new(store: Arc<dyn Store>) -> EventLog {
        EventLog {
            store,
            cache: Mutex::default(),
        }
    }

    pub(crate) fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// Entries with a sequence number above `after`, oldest first: as many as fit a page. Empty only
    /// after the last entry.
    pub(crate) async fn entries_after(
        &self,
        conversation: Option<&ConversationId>,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<LogEntry>, StoreError> {
        let rows = self.store.events(conversation, after, limit).await?;
        let mut found = Vec::new();
        let mut bytes = 0;
        for row in rows {
            let entry = self.restore(row).await?;
            bytes += entry.bytes;
            if bytes > PAGE_BYTES_MAX && !found.is_empty() {
                break;
            }
            found.push(entry);
        }
        Ok(found)
    }

    /// The newest events of a conversation below `before`, or of all: as many as fit a page.
    pub(crate) async fn page_before(
        &self,
        id: &ConversationId,
        before: Option<Sequence>,
        limit: usize,
    ) -> Result<EventPage, StoreError> {
        let rows = self.store.events_before(id, before, limit).await?;
        let mut entries = Vec::new();
        let mut bytes = 0;
        let mut oldest = None;
        for row in rows.into_iter().rev() {
            let sequence = row.sequence;
            if row.kind != STATE_CHANGE {
                let entry = self.restore(row).await?;
                bytes += entry.bytes;
                if bytes > PAGE_BYTES_MAX && !entries.is_empty() {
                    break;
                }
                entries.push(entry);
            }
            oldest = Some(sequence);
        }
        entries.reverse();
        Ok(EventPage {
            entries,
            before: oldest,
        })
    }

    /// The `inquiry_asked` event of an inquiry, if it is below `before`.
    pub(crate) async fn find_asked_event(
        &self,
        id: &ConversationId,
        inquiry: &InquiryId,
        mut before: Option<Sequence>,
    ) -> Result<Option<LogEntry>, StoreError> {
        loop {
            let rows = self
                .store
                .events_before(id, before, PAGE_EVENTS_MAX)
                .await?;
            let Some(oldest) = rows.first() else {
                return Ok(None);
            };
            before = Some(oldest.sequence);
            for row in rows.into_iter().rev() {
                let asks = |ids: Vec<InquiryId>| ids.contains(inquiry);
                if row.kind == "inquiry_asked"
                    && storage_format::missing_inquiries(&row).is_ok_and(asks)
                {
                    return self.restore(row).await.map(Some);
                }
            }
        }
    }

    /// The entry of a row, with the questions that the row leaves out. A damaged row is logged and
    /// becomes [`Record::Unreadable`], so that readers continue after it. Fails only if the store
    /// cannot be read now.
    async fn restore(&self, row: EventRow) -> Result<LogEntry, StoreError> {
        let json = row.json.len();
        let record = match self.record(&row).await {
            Err(StoreError::Corrupt(why)) => {
                tracing::error!(sequence = row.sequence, why, "an event cannot be read");
                Record::Unreadable
            }
            record => record?,
        };
        Ok(LogEntry {
            resolved_inquiry: None,
            sequence: row.sequence,
            at: row.at,
            bytes: json + storage_format::question_bytes(&record),
            record,
            conversation: row.conversation,
        })
    }

    async fn record(&self, row: &EventRow) -> Result<Record, StoreError> {
        let mut inquiries = Vec::new();
        for id in storage_format::missing_inquiries(row)? {
            inquiries.push(self.inquiry(&id).await?);
        }
        storage_format::parse_record(row, &inquiries)
    }

    async fn inquiry(&self, id: &InquiryId) -> Result<StoredInquiry, StoreError> {
        if let Some(cached) = self.cache().inquiries.get(id) {
            return Ok(cached.clone());
        }
        let row = self.store.inquiry(id).await?;
        let row = row.ok_or_else(|| StoreError::Corrupt(format!("inquiry {id} has no row")))?;
        let inquiry = StoredInquiry::from_row(&row)?;
        self.cache().insert(inquiry.clone());
        Ok(inquiry)
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, InquiryCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl InquiryCache {
    fn insert(&mut self, inquiry: StoredInquiry) {
        let bytes = inquiry.inquiry.bytes();
        if self.bytes + bytes > CACHED_BYTES_MAX {
            self.inquiries.clear();
            self.bytes = 0;
        }
        if self.inquiries.insert(inquiry.id.clone(), inquiry).is_none() {
            self.bytes += bytes;
        }
    }
}

#[cfg(test)]
#[path = "event_log_tests.rs"]
mod tests;

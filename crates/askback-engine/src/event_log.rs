//! Reads the log back in pages that are bounded by bytes.
//!
//! Rows leave out what is asked, which stands in the row of the inquiry. It is put back here, and
//! everyone who reads back shares it: twenty feeds over the same questions hold them once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use askback_core::id::{ConversationId, InquiryId};
use askback_store::{EventRow, PAGE_BYTES_MAX, Sequence, Store, StoreError};

use crate::feed::Recorded;
use crate::listener::PAGE;
use crate::storage_format::{self, KnownInquiry, Record, STATE_CHANGE};

/// Bytes of the questions that are kept for those who read back. With more, all are read anew.
const QUESTIONS_BYTES_MAX: usize = 16 << 20;

/// The log of a store.
pub(crate) struct Log {
    store: Arc<dyn Store>,
    known: Mutex<KnownInquiries>,
}

/// What was read lately of inquiries. Neither changes once it is asked.
#[derive(Default)]
struct KnownInquiries {
    inquiries: HashMap<InquiryId, KnownInquiry>,
    bytes: usize,
}

/// Events of a conversation, read backwards.
#[derive(Debug)]
pub struct Earlier {
    /// The events, oldest first; changes of state are left out.
    pub records: Vec<Recorded>,
    /// Older ones lie below this; none if the beginning was reached.
    pub before: Option<Sequence>,
}

impl Log {
    pub(crate) fn new(store: Arc<dyn Store>) -> Log {
        Log {
            store,
            known: Mutex::default(),
        }
    }

    pub(crate) fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// Records with a sequence above `after`, oldest first: as many as fit a page, at least one. None
    /// only behind the last.
    pub(crate) async fn after(
        &self,
        conversation: Option<&ConversationId>,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Recorded>, StoreError> {
        let rows = self.store.events(conversation, after, limit).await?;
        let mut found = Vec::new();
        let mut bytes = 0;
        for row in rows {
            let recorded = self.restore(row).await?;
            bytes += recorded.bytes;
            if bytes > PAGE_BYTES_MAX && !found.is_empty() {
                break;
            }
            found.push(recorded);
        }
        Ok(found)
    }

    /// The last events of a conversation below `before`: as many as fit a page, at least one row.
    pub(crate) async fn before(
        &self,
        id: &ConversationId,
        before: Option<Sequence>,
        limit: usize,
    ) -> Result<Earlier, StoreError> {
        let rows = self.store.events_before(id, before, limit).await?;
        let mut records = Vec::new();
        let mut bytes = 0;
        let mut oldest = None;
        for row in rows.into_iter().rev() {
            let sequence = row.sequence;
            if row.kind != STATE_CHANGE {
                let recorded = self.restore(row).await?;
                bytes += recorded.bytes;
                if bytes > PAGE_BYTES_MAX && !records.is_empty() {
                    break;
                }
                records.push(recorded);
            }
            oldest = Some(sequence);
        }
        records.reverse();
        Ok(Earlier {
            records,
            before: oldest,
        })
    }

    /// The event below `before` that asked an inquiry.
    pub(crate) async fn asked(
        &self,
        id: &ConversationId,
        inquiry: &InquiryId,
        mut before: Option<Sequence>,
    ) -> Result<Option<Recorded>, StoreError> {
        loop {
            let rows = self.store.events_before(id, before, PAGE).await?;
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

    /// A row with what it leaves out. One that is damaged is reported and told as such: whoever reads
    /// goes on behind it. Fails only if the store cannot be read now.
    async fn restore(&self, row: EventRow) -> Result<Recorded, StoreError> {
        let json = row.json.len();
        let record = match self.record(&row).await {
            Err(StoreError::Corrupt(why)) => {
                tracing::error!(sequence = row.sequence, why, "an event cannot be read");
                Record::Unreadable
            }
            record => record?,
        };
        Ok(Recorded {
            ended: None,
            sequence: row.sequence,
            at: row.at,
            bytes: json + storage_format::question_bytes(&record),
            record,
            conversation: row.conversation,
        })
    }

    async fn record(&self, row: &EventRow) -> Result<Record, StoreError> {
        let mut known = Vec::new();
        for id in storage_format::missing_inquiries(row)? {
            known.push(self.inquiry(&id).await?);
        }
        storage_format::record(row, &known)
    }

    async fn inquiry(&self, id: &InquiryId) -> Result<KnownInquiry, StoreError> {
        if let Some(known) = self.known().inquiries.get(id) {
            return Ok(known.clone());
        }
        let row = self.store.inquiry(id).await?;
        let row = row.ok_or_else(|| StoreError::Corrupt(format!("inquiry {id} has no row")))?;
        let inquiry = KnownInquiry::from_row(&row)?;
        self.known().keep(inquiry.clone());
        Ok(inquiry)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, KnownInquiries> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownInquiries {
    fn keep(&mut self, inquiry: KnownInquiry) {
        let bytes = inquiry.inquiry.bytes();
        if self.bytes + bytes > QUESTIONS_BYTES_MAX {
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

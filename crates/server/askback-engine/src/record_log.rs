//! Reads records in pages of bounded size.
//!
//! Stored records leave out questions and outcomes, which are stored once, in the row of the inquiry.
//! They are put back here from a shared cache: twenty feeds over the same questions hold them once.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

use askback_core::conversation::event::Event;
use askback_core::conversation::state::State;
use askback_core::id::{ConversationId, InquiryId};
use askback_store::{PAGE_BYTES_MAX, RecordRow, Sequence, Store, StoreError};
use askback_stored::{StoredEvent, StoredRecord};
use futures_util::{StreamExt as _, stream};

use crate::listener::PAGE_RECORDS_MAX;
use crate::record::Record;
use crate::view::{ConversationView, InquiryView, unreadable};

/// Bytes of cached inquiries. Beyond that the cache is cleared.
const CACHED_BYTES_MAX: usize = 16 << 20;
/// Records that are read at a time to find the beginning of a round.
const ROUND_PAGE: usize = 16;
/// Records of a page that are restored at the same time.
const READS_AT_ONCE: usize = 8;
/// The most bytes of a round that are read.
const ROUND_BYTES_MAX: usize = 16 << 20;

/// All records that are stored, as reading them restores them.
pub struct RecordLog {
    store: Arc<dyn Store>,
    cache: Mutex<InquiryCache>,
}

/// Inquiries that were read recently, so that all readers share their questions.
#[derive(Default)]
struct InquiryCache {
    inquiries: HashMap<InquiryId, InquiryView>,
    bytes: usize,
}

/// The newest records of a conversation below a position.
#[derive(Debug)]
pub struct RecordPage {
    /// Oldest first, without states. Events from the position on are left out.
    pub records: Vec<Record>,
    /// Where the next older page ends; absent at the beginning of the conversation.
    pub before: Option<Sequence>,
}

impl RecordLog {
    pub(crate) fn new(store: Arc<dyn Store>) -> RecordLog {
        RecordLog {
            store,
            cache: Mutex::default(),
        }
    }

    pub(crate) fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// Records that end after the position `after`, oldest first: as many as fit a page. Empty only
    /// after the last record.
    pub(crate) async fn records_after(
        &self,
        conversation: Option<&ConversationId>,
        after: Sequence,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let rows = self.store.records(conversation, after, limit).await?;
        let newest: HashMap<_, _> = rows
            .iter()
            .map(|row| (row.conversation.clone(), row.last))
            .collect();
        let restoring = rows.into_iter().map(|row| {
            // An earlier record of the page has no state: a later one replaces it.
            let is_newest = newest.get(&row.conversation) == Some(&row.last);
            self.restore_with_state(row, is_newest)
        });
        let mut restoring = stream::iter(restoring).buffered(READS_AT_ONCE);
        let mut found = Vec::new();
        let mut bytes = 0;
        while let Some(record) = restoring.next().await {
            let record = record?;
            bytes += record.bytes;
            if bytes > PAGE_BYTES_MAX && !found.is_empty() {
                break;
            }
            found.push(record);
        }
        Ok(found)
    }

    async fn restore_with_state(
        &self,
        row: RecordRow,
        is_newest: bool,
    ) -> Result<Record, StoreError> {
        let state = async {
            if is_newest {
                self.state_after(&row).await
            } else {
                Ok(None)
            }
        };
        let (record, state) = tokio::join!(self.restore(&row), state);
        let mut record = record?;
        record.state = state?;
        record.count_bytes(row.body.len());
        Ok(record)
    }

    /// The state of a conversation, unless it has a later record than this one.
    async fn state_after(&self, row: &RecordRow) -> Result<Option<State>, StoreError> {
        let loaded = self
            .store
            .load_with_oldest_pending(&row.conversation)
            .await?;
        let loaded = loaded.filter(|loaded| loaded.newest == row.last);
        match loaded.map(ConversationView::from_rows).transpose() {
            Err(StoreError::Corrupt(why)) => {
                tracing::error!(conversation = %row.conversation, why, "a conversation cannot be read");
                Ok(None)
            }
            view => Ok(view?.map(|view| view.state)),
        }
    }

    /// The newest records of a conversation with positions below `before`, or of all: as many as fit
    /// a page.
    pub async fn page_before(
        &self,
        id: &ConversationId,
        before: Option<Sequence>,
        limit: usize,
    ) -> Result<RecordPage, StoreError> {
        let below = before.unwrap_or(Sequence::MAX);
        let rows = self
            .store
            .records_up_to(id, before.map(|before| before.saturating_sub(1)), limit)
            .await?;
        let mut records = Vec::new();
        let mut bytes = 0;
        for row in rows.into_iter().rev() {
            let mut record = self.restore(&row).await?;
            if record.first >= below {
                continue;
            }
            record.events.retain(|(sequence, _)| *sequence < below);
            record.count_bytes(row.body.len());
            bytes += record.bytes;
            if bytes > PAGE_BYTES_MAX && !records.is_empty() {
                break;
            }
            records.push(record);
        }
        records.reverse();
        Ok(RecordPage {
            before: records.first().map(|record| record.first),
            records,
        })
    }

    /// The records below `before` from the one on in which the round began that is open there. The
    /// record itself shows that: every round begins with a reply and ends with an event of its own.
    pub async fn open_round_before(
        &self,
        id: &ConversationId,
        before: Sequence,
    ) -> Result<Vec<Record>, StoreError> {
        let mut round: Vec<Record> = Vec::new();
        let mut from = Some(before);
        let mut bytes = 0;
        while from.is_some() && bytes <= ROUND_BYTES_MAX {
            let mut page = self.page_before(id, from, ROUND_PAGE).await?;
            from = page.before;
            bytes += page
                .records
                .iter()
                .map(|record| record.bytes)
                .sum::<usize>();
            let shows_round =
                |record: &Record| record.events.iter().any(|(_, it)| !it.continues_round());
            let start = page.records.iter().rposition(shows_round);
            page.records.drain(..start.unwrap_or(0));
            page.records.append(&mut round);
            round = page.records;
            if start.is_some() {
                break;
            }
        }
        Ok(round)
    }

    /// The record with only the `inquiry_asked` event of an inquiry, if it is below `before`, with the deadline and the
    /// recipient that the inquiry had there.
    pub async fn find_asked_event(
        &self,
        id: &ConversationId,
        inquiry: &InquiryId,
        before: Sequence,
    ) -> Result<Option<Record>, StoreError> {
        let mut up_to = before.saturating_sub(1);
        let mut moved_to = None;
        let mut hand_ons = Vec::new();
        loop {
            let rows = self
                .store
                .records_up_to(id, Some(up_to), PAGE_RECORDS_MAX)
                .await?;
            let Some(oldest) = rows.first().map(|row| row.last) else {
                return Ok(None);
            };
            let named = |row: &&RecordRow| row.body.contains(inquiry.as_str());
            for row in rows.iter().rev().filter(named) {
                let mut record = self.restore(row).await?;
                let events = std::mem::take(&mut record.events).into_iter();
                for (sequence, mut event) in events.rev().filter(|(at, _)| *at < before) {
                    if let Event::DeadlineMoved {
                        inquiry: moved,
                        expires_at,
                        ..
                    } = &event
                        && moved == inquiry
                    {
                        moved_to.get_or_insert(*expires_at);
                    }
                    if let Event::InquiryHandedOn { .. } = &event {
                        hand_ons.push(event.clone());
                    }
                    if let Event::InquiryAsked { pending } = &mut event
                        && pending.id == *inquiry
                    {
                        hand_ons
                            .iter()
                            .rev()
                            .for_each(|given| pending.hand_on(given));
                        pending.expires_at = moved_to.unwrap_or(pending.expires_at);
                        record.events.push((sequence, event));
                        return Ok(Some(record));
                    }
                }
            }
            if oldest == 0 || oldest > up_to {
                return Ok(None);
            }
            up_to = oldest - 1;
        }
    }

    /// The newest record of a closed conversation, without the content that is to be removed. `None` if
    /// it cannot be read or there is none.
    pub(crate) async fn closing_record(
        &self,
        id: &ConversationId,
    ) -> Result<Option<String>, StoreError> {
        let rows = self.store.records_up_to(id, None, 1).await?;
        let Some(row) = rows.last() else {
            return Ok(None);
        };
        let body = parse_record(row).ok().and_then(|mut record| {
            record.remove_content();
            askback_stored::to_json(&record).ok()
        });
        // Nothing of a damaged record may stay either.
        Ok(Some(body.unwrap_or_default()))
    }

    /// The record of a row, with what the row leaves out except the state. A damaged row is logged and
    /// has no events, so that readers continue after it. Fails only if the store cannot be read now.
    pub(crate) async fn restore(&self, row: &RecordRow) -> Result<Record, StoreError> {
        let mut record = Record {
            first: row.last,
            last: row.last,
            at: row.at,
            conversation: row.conversation.clone(),
            events: Vec::new(),
            state: None,
            inquiries: Vec::new(),
            is_damaged: false,
            bytes: 0,
        };
        match self.read_events(row, &mut record).await {
            Err(StoreError::Corrupt(why)) => {
                tracing::error!(sequence = row.last, why, "a record cannot be read");
                record.is_damaged = true;
            }
            read => read?,
        }
        Ok(record)
    }

    async fn read_events(&self, row: &RecordRow, record: &mut Record) -> Result<(), StoreError> {
        let stored = parse_record(row)?;
        record.first = row.last.saturating_sub(stored.events.len() as u64);
        let is_closed = |event: &StoredEvent| matches!(event, StoredEvent::Closed { .. });
        let closes = stored.events.iter().any(is_closed);
        for event in &stored.events {
            let view = match event.inquiry() {
                // What was asked may be removed at any time, on another node, too.
                Some(id) if closes => Some(self.read_inquiry(id).await?),
                Some(_) | None => self.inquiry_of(event).await?,
            };
            if let Some(view) = view {
                record.inquiries.retain(|known| known.row.id != view.row.id);
                record.inquiries.push(view);
            }
        }
        for (sequence, event) in (record.first..).zip(stored.events) {
            let view = event.inquiry().and_then(|id| record.inquiry(id));
            let event = restore_event(row, event, view)?;
            record.events.extend(event.map(|event| (sequence, event)));
        }
        Ok(())
    }

    /// The inquiry whose row holds what the event leaves out.
    pub(crate) async fn inquiry_of(
        &self,
        event: &StoredEvent<'_>,
    ) -> Result<Option<InquiryView>, StoreError> {
        match event.inquiry() {
            Some(id) => self.inquiry(id).await.map(Some),
            None => Ok(None),
        }
    }

    /// As it is now. One that has its outcome does not change, except for what its asker does.
    async fn inquiry(&self, id: &InquiryId) -> Result<InquiryView, StoreError> {
        let cached = self.cache.lock().inquiries.get(id).cloned();
        if let Some(cached) = &cached
            && cached.resolution.is_some()
        {
            return Ok(cached.clone());
        }
        let mut view = self.read_inquiry(id).await?;
        if let Some(cached) = cached.filter(|cached| cached.inquiry == view.inquiry) {
            view.inquiry = cached.inquiry;
        }
        self.cache.lock().insert(view.clone());
        Ok(view)
    }

    async fn read_inquiry(&self, id: &InquiryId) -> Result<InquiryView, StoreError> {
        let row = self.store.inquiry(id).await?;
        let row = row.ok_or_else(|| StoreError::Corrupt(format!("inquiry {id} has no row")))?;
        InquiryView::from_row(row)
    }
}

/// The event with what the row of its inquiry holds.
pub(crate) fn restore_event(
    row: &RecordRow,
    event: StoredEvent<'_>,
    view: Option<&InquiryView>,
) -> Result<Option<Event>, StoreError> {
    let ended = view.and_then(|view| view.resolution.as_ref());
    event
        .restore(&row.conversation, view.map(InquiryView::pending), ended)
        .map_err(|error| unreadable("record", row.last, &error))
}

pub(crate) fn parse_record(row: &RecordRow) -> Result<StoredRecord<'static>, StoreError> {
    askback_stored::from_json(&row.body).map_err(|error| unreadable("record", row.last, &error))
}

impl InquiryCache {
    fn insert(&mut self, view: InquiryView) {
        let bytes = view.bytes();
        if self.bytes + bytes > CACHED_BYTES_MAX {
            self.inquiries.clear();
            self.bytes = 0;
        }
        if let Some(before) = self.inquiries.insert(view.row.id.clone(), view) {
            self.bytes -= before.bytes();
        }
        self.bytes += bytes;
    }
}

#[cfg(test)]
#[path = "record_log_tests.rs"]
mod tests;

//! Reads: conversations, records, inquiries and drafts, in pages.

use askback_core::id::{ConversationId, InquiryId};
use askback_store::{
    Backlog, ConversationFilter, ConversationRow, ConversationWithPending, DraftRow, InquiryFilter,
    InquiryRow, PAGE_BYTES_MAX, Page, RecordRow, Sequence, StoreError,
};
use jiff::Timestamp;

use super::tables::{InquiryEntry, PENDING, RecordEntry, Tables};

/// The sort key and the number of the last row of a page.
type Cursor = (i64, u64);

impl Tables {
    pub(super) fn load(&self, id: &ConversationId) -> Option<ConversationWithPending> {
        let number = self.conversation_numbers.get(id)?;
        let row = self.conversations.get(number)?.row.clone();
        let inquiries = self.inquiries.values();
        let pending = inquiries.filter(|it| it.conversation == *number && it.row.status == PENDING);
        Some(ConversationWithPending {
            row,
            pending: pending.map(|entry| entry.row.clone()).collect(),
            newest: self.newest_of(id),
        })
    }

    /// The last position of a conversation; 0 if it has no records.
    pub(crate) fn newest_of(&self, id: &ConversationId) -> Sequence {
        let number = self.conversation_numbers.get(id);
        let mut records = self.records.iter().rev();
        let newest = records.find(|(_, record)| Some(&record.conversation) == number);
        newest.map_or(0, |(last, _)| *last)
    }

    pub(super) fn conversations(
        &self,
        filter: &ConversationFilter,
    ) -> Result<Page<ConversationRow>, StoreError> {
        let from = parse_cursor(filter.cursor.as_deref(), 'a')?;
        let parent = match &filter.parent {
            Some(parent) => match self.conversation_numbers.get(parent) {
                Some(number) => Some(*number),
                None => return Ok(empty()),
            },
            None => None,
        };
        let mut rows: Vec<(Cursor, &ConversationRow)> = Vec::new();
        for (number, entry) in &self.conversations {
            let key = (entry.row.updated_at.as_microsecond(), *number);
            let state = filter.state.as_ref();
            let driver = filter.driver.as_ref();
            if entry.closed_from.is_none()
                && entry.parent == parent
                && state.is_none_or(|state| *state == entry.row.snapshot.state)
                && driver.is_none_or(|driver| *driver == entry.row.driver)
                && from.is_none_or(|from| key < from)
            {
                rows.push((key, &entry.row));
            }
        }
        rows.sort_unstable_by_key(|(key, _)| std::cmp::Reverse(*key));
        Ok(page(&rows, 'a', filter.limit, |row| {
            row.snapshot.json.len()
        }))
    }

    pub(super) fn records_after(
        &self,
        conversation: Option<&ConversationId>,
        after: Sequence,
        limit: usize,
    ) -> Vec<RecordRow> {
        let wanted = conversation.map(|id| self.conversation_numbers.get(id).copied());
        let records = self.records.range(after.saturating_add(1)..);
        let records = records
            .filter(|(_, record)| wanted.is_none_or(|wanted| wanted == Some(record.conversation)));
        let rows = records
            .take(limit)
            .filter_map(|(last, record)| self.record_row(*last, record));
        bounded(rows, limit, |row| row.body.len()).0
    }

    pub(super) fn records_up_to(
        &self,
        conversation: &ConversationId,
        up_to: Option<Sequence>,
        limit: usize,
    ) -> Vec<RecordRow> {
        let Some(number) = self.conversation_numbers.get(conversation) else {
            return Vec::new();
        };
        let is_own = |it: &(&Sequence, &RecordEntry)| it.1.conversation == *number;
        let up_to = up_to.unwrap_or(Sequence::MAX);
        let end = self.records.range(up_to..).find(is_own);
        let end = end.map_or(up_to, |(last, _)| *last);
        let records = self.records.range(..=end).rev().filter(is_own);
        let rows = records
            .take(limit)
            .filter_map(|(last, record)| self.record_row(*last, record));
        let (mut rows, _) = bounded(rows, limit, |row| row.body.len());
        rows.reverse();
        rows
    }

    fn record_row(&self, last: Sequence, record: &RecordEntry) -> Option<RecordRow> {
        let conversation = self.conversations.get(&record.conversation)?;
        Some(RecordRow {
            last,
            conversation: conversation.row.id.clone(),
            body: record.body.clone(),
            at: record.at,
        })
    }

    /// An inquiry, or its tombstone.
    pub(crate) fn inquiry(&self, id: &InquiryId) -> Option<InquiryRow> {
        let stored = self.inquiry_entry(id).map(|entry| &entry.row);
        let tombstone = || self.tombstones.get(id).map(|(_, row)| row);
        stored.or_else(tombstone).cloned()
    }

    pub(super) fn backlog(&self) -> Backlog {
        let mut backlog = Backlog::default();
        let pending = self.inquiries.values();
        for entry in pending.filter(|entry| entry.row.status == PENDING) {
            backlog.pending += 1;
            backlog.oldest_asked_at.get_or_insert(entry.row.asked_at);
        }
        for job in self.jobs.values() {
            *backlog.jobs.entry(job.queue.clone()).or_default() += 1;
        }
        for delivery in self.deliveries.iter().filter(|it| it.due_at.is_some()) {
            let channel = delivery.row.target.channel.clone();
            *backlog.messages.entry(channel).or_default() += 1;
        }
        backlog
    }

    pub(super) fn inquiries(&self, filter: &InquiryFilter) -> Result<Page<InquiryRow>, StoreError> {
        let by_deadline = filter.status.as_deref() == Some(PENDING);
        let order = if by_deadline { 'd' } else { 'n' };
        let from = parse_cursor(filter.cursor.as_deref(), order)?;
        let mut rows: Vec<(Cursor, &InquiryRow)> = Vec::new();
        for (number, entry) in &self.inquiries {
            let deadline = entry
                .row
                .expires_at
                .map_or(i64::MAX, Timestamp::as_microsecond);
            let key = (if by_deadline { deadline } else { 0 }, *number);
            let is_after = from.is_none_or(|from| {
                if by_deadline {
                    key > from
                } else {
                    key.1 < from.1
                }
            });
            if is_after && is_selected(entry, filter) {
                rows.push((key, &entry.row));
            }
        }
        if by_deadline {
            rows.sort_unstable_by_key(|(key, _)| *key);
        } else {
            rows.reverse();
        }
        Ok(page(&rows, order, filter.limit, InquiryRow::bytes))
    }

    /// False if the inquiry is not pending.
    pub(super) fn put_draft(&mut self, draft: DraftRow) -> bool {
        let entry = self.inquiry_entry_mut(&draft.inquiry);
        let Some(entry) = entry.filter(|entry| entry.row.status == PENDING) else {
            return false;
        };
        entry.draft = Some(draft);
        true
    }

    pub(super) fn draft(&self, id: &InquiryId) -> Option<DraftRow> {
        self.inquiry_entry(id)?.draft.clone()
    }
}

fn is_selected(entry: &InquiryEntry, filter: &InquiryFilter) -> bool {
    let row = &entry.row;
    if let Some(wanted) = &filter.asker {
        let wants_pending = filter.status.as_deref() == Some(PENDING);
        return row.asker.as_ref().is_some_and(|asker| {
            *asker.client == wanted.client
                && asker.project.as_deref() == wanted.project.as_deref()
                && asker.delivered_at.is_none()
                && wanted
                    .session
                    .as_ref()
                    .is_none_or(|session| *asker.session == *session)
                && (row.status == PENDING) == wants_pending
        });
    }
    let (status, conversation) = (filter.status.as_ref(), filter.conversation.as_ref());
    status.is_none_or(|status| row.status == *status)
        && conversation.is_none_or(|id| row.conversation == *id)
}

fn empty<T>() -> Page<T> {
    Page {
        items: Vec::new(),
        next: None,
    }
}

/// A page of sorted rows, with a cursor if there are more.
fn page<T: Clone>(
    rows: &[(Cursor, &T)],
    order: char,
    limit: usize,
    bytes: impl Fn(&T) -> usize,
) -> Page<T> {
    let (kept, is_whole) = bounded(rows.iter(), limit, |(_, row)| bytes(row));
    let last = kept.last().filter(|_| !is_whole);
    Page {
        next: last.map(|((key, number), _)| format!("{order}{key:x}.{number:x}")),
        items: kept.into_iter().map(|(_, row)| (*row).clone()).collect(),
    }
}

/// The first `limit` rows, or fewer if they exceed the bytes of a page, but at least one; and whether
/// these are all rows.
fn bounded<T>(
    rows: impl Iterator<Item = T>,
    limit: usize,
    bytes: impl Fn(&T) -> usize,
) -> (Vec<T>, bool) {
    let mut kept = Vec::new();
    let mut sum = 0;
    for row in rows {
        sum += bytes(&row);
        if kept.len() == limit || (sum > PAGE_BYTES_MAX && !kept.is_empty()) {
            return (kept, false);
        }
        kept.push(row);
    }
    (kept, true)
}

fn parse_cursor(text: Option<&str>, order: char) -> Result<Option<Cursor>, StoreError> {
    let Some(text) = text else {
        return Ok(None);
    };
    let parse = || {
        let (key, number) = text.strip_prefix(order)?.split_once('.')?;
        let key = u64::from_str_radix(key, 16).ok()?.cast_signed();
        Some((key, u64::from_str_radix(number, 16).ok()?))
    };
    parse().map(Some).ok_or(StoreError::BadCursor)
}

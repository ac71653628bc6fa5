//! Removes the content of closed conversations, and deletes old conversations completely.

use askback_store::{ConversationRemoval, EndedConversation, JobId, RemovalStep};
use jiff::Timestamp;

use super::tables::{ConversationEntry, PENDING, Tables, Written};

impl Tables {
    pub(super) fn remove_content(&mut self, removal: &ConversationRemoval) -> Written<RemovalStep> {
        let number = self.conversation_numbers.get(&removal.conversation);
        let Some(number) = number.copied() else {
            return Written::from(RemovalStep::NOTHING);
        };
        let Some(entry) = self.conversations.get(&number) else {
            return Written::from(RemovalStep::NOTHING);
        };
        let Some(closed_from) = entry.closed_from else {
            return Written::from(RemovalStep::NOTHING);
        };
        let older = self.records.range(..closed_from).rev();
        let records = older.filter(|(_, record)| record.conversation == number);
        let records: Vec<_> = records
            .map(|(last, _)| *last)
            .take(removal.rows_max)
            .collect();
        for last in &records {
            self.records.remove(last);
        }
        let mut rows = records.len();
        rows += self.remove_inquiries(number, removal.rows_max - rows);
        if rows == removal.rows_max {
            return Written::from(RemovalStep {
                rows,
                is_complete: false,
            });
        }
        if let Some(entry) = self.conversations.get_mut(&number) {
            entry.row.snapshot.title = None;
        }
        let freed = self.remove_jobs(number, &removal.kept_jobs);
        if let Some(body) = &removal.closing_record {
            let left = self.records.values_mut();
            for record in left.filter(|record| record.conversation == number) {
                record.body.clone_from(body);
            }
        }
        Written {
            value: RemovalStep {
                rows: rows + freed.len(),
                is_complete: true,
            },
            freed,
            claimed: Vec::new(),
        }
    }

    pub(super) fn ended(&self, before: Timestamp, limit: usize) -> Vec<EndedConversation> {
        let numbers = self.oldest(before, limit, |tables, number, entry| {
            let is_done = matches!(entry.row.snapshot.state.as_str(), "idle" | "error");
            let mut inquiries = tables.inquiries.values();
            let mut jobs = tables.jobs.values();
            entry.parent.is_none()
                && entry.closed_from.is_none()
                && is_done
                && !inquiries.any(|it| it.conversation == number && it.row.status == PENDING)
                && !jobs.any(|job| job.number == number)
        });
        let entries = numbers.iter().filter_map(|it| self.conversations.get(it));
        let ended = entries.map(|entry| EndedConversation {
            id: entry.row.id.clone(),
            version: entry.row.snapshot.version,
        });
        ended.collect()
    }

    pub(super) fn prune(&mut self, before: Timestamp, limit: usize) -> Written<usize> {
        let numbers = self.oldest(before, limit, |tables, number, entry| {
            let mut jobs = tables.jobs.values();
            entry.closed_from.is_some() && !jobs.any(|job| job.number == number)
        });
        let mut freed = Vec::new();
        for number in &numbers {
            freed.extend(self.remove(*number));
        }
        Written {
            value: numbers.len(),
            freed,
            claimed: Vec::new(),
        }
    }

    fn oldest(
        &self,
        before: Timestamp,
        limit: usize,
        is_wanted: impl Fn(&Tables, u64, &ConversationEntry) -> bool,
    ) -> Vec<u64> {
        let entries = self.conversations.iter();
        let old = entries.filter(|(number, entry)| {
            entry.row.updated_at < before && is_wanted(self, **number, entry)
        });
        let mut old: Vec<_> = old
            .map(|(number, entry)| (entry.row.updated_at, *number))
            .collect();
        old.sort_unstable();
        old.into_iter()
            .take(limit)
            .map(|(_, number)| number)
            .collect()
    }

    fn children(&self, number: u64) -> Vec<u64> {
        let entries = self.conversations.iter();
        let children = entries.filter(|(_, entry)| entry.parent == Some(number));
        children.map(|(number, _)| *number).collect()
    }

    fn remove_jobs(&mut self, number: u64, kept: &[String]) -> Vec<JobId> {
        let jobs = self.jobs.iter();
        let removed = jobs.filter(|(_, job)| job.number == number && !kept.contains(&job.kind));
        let removed: Vec<JobId> = removed.map(|(id, _)| *id).collect();
        for job in &removed {
            self.jobs.remove(job);
        }
        removed
    }

    /// Returns how many there were, up to the limit.
    fn remove_inquiries(&mut self, number: u64, limit: usize) -> usize {
        let before = self.inquiries.len();
        let mut left = limit;
        self.inquiries.retain(|_, entry| {
            let is_removed = entry.conversation == number && left > 0;
            left -= usize::from(is_removed);
            !is_removed
        });
        let inquiries = &self.inquiries;
        self.inquiry_numbers
            .retain(|_, number| inquiries.contains_key(number));
        before - self.inquiries.len()
    }

    /// Deletes a conversation with everything that refers to it. Returns its jobs.
    fn remove(&mut self, number: u64) -> Vec<JobId> {
        let mut freed = Vec::new();
        for child in self.children(number) {
            freed.extend(self.remove(child));
        }
        freed.extend(self.remove_jobs(number, &[]));
        self.remove_inquiries(number, usize::MAX);
        self.records.retain(|_, it| it.conversation != number);
        self.tombstones.retain(|_, (owner, _)| *owner != number);
        self.keys.retain(|_, key| key.conversation != number);
        self.conversations.remove(&number);
        self.conversation_numbers.retain(|_, it| *it != number);
        freed
    }
}

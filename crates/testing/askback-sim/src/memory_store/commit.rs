//! Commits: everything is checked first, so that a refused commit writes nothing.

use std::collections::BTreeSet;

use askback_core::id::InquiryId;
use askback_store::{
    AskerRow, Commit, CommitReceipt, ConversationRow, InquiryChange, InquiryRow, JobId, JobRow,
    NewAsker, NewResolution, RequestKey, Sequence, StoreError,
};

use super::tables::{
    ConversationEntry, InquiryEntry, JobEntry, KeyEntry, PENDING, RecordEntry, Tables, Written,
};

impl Tables {
    /// Without an owner, nothing is claimed.
    pub(super) fn commit(
        &mut self,
        commit: &Commit,
        owner: Option<usize>,
    ) -> Result<Written<CommitReceipt>, StoreError> {
        let is_taken = |job: &JobId| self.is_taken(owner.unwrap_or(usize::MAX), *job);
        if commit.finished_jobs.iter().any(is_taken) {
            return Err(StoreError::Conflict);
        }
        self.refuse_used(&commit.keys)?;
        self.refuse_same_call(commit)?;
        self.check_version(commit)?;
        self.check_inquiries(commit)?;
        let number = self.write_conversation(commit);
        let first_sequence = self.write_record(number, commit);
        if commit.closes
            && let Some(entry) = self.conversations.get_mut(&number)
        {
            entry.closed_from = Some(first_sequence);
        }
        for change in &commit.inquiries {
            self.change_inquiry(number, commit, change);
        }
        let mut freed = self.remove_timers(commit);
        let jobs: Vec<JobId> = self.insert_jobs(number, commit);
        for job in &commit.finished_jobs {
            self.jobs.remove(job);
        }
        freed.extend(&commit.finished_jobs);
        self.insert_keys(
            number,
            commit.inquiries.first().map(InquiryChange::id),
            &commit.keys,
        );
        let claimed = owner.map_or_else(Vec::new, |_| claimed_rows(commit, &jobs));
        Ok(Written {
            freed,
            claimed: claimed.iter().map(|job| job.id).collect(),
            value: CommitReceipt {
                first_sequence,
                jobs,
                claimed,
            },
        })
    }

    pub(super) fn refuse_used(&self, keys: &[RequestKey]) -> Result<(), StoreError> {
        for key in keys {
            let Some(used) = self.keys.get(&key.key) else {
                continue;
            };
            if used.request != key.request {
                return Err(StoreError::KeyReused);
            }
            if let Some(conversation) = self.conversations.get(&used.conversation) {
                return Err(StoreError::Repeated {
                    inquiry: used.inquiry.clone(),
                    conversation: conversation.row.id.clone(),
                });
            }
        }
        Ok(())
    }

    pub(super) fn bind_keys(
        &mut self,
        keys: &[RequestKey],
        inquiry: &InquiryId,
    ) -> Result<(), StoreError> {
        self.refuse_used(keys)?;
        let entry = self.inquiry_entry(inquiry).ok_or(StoreError::Conflict)?;
        let conversation = entry.conversation;
        self.insert_keys(conversation, Some(inquiry), keys);
        Ok(())
    }

    fn insert_keys(&mut self, number: u64, inquiry: Option<&InquiryId>, keys: &[RequestKey]) {
        for key in keys {
            let entry = KeyEntry {
                request: key.request,
                conversation: number,
                inquiry: inquiry.cloned(),
            };
            self.keys.insert(key.key.clone(), entry);
        }
    }

    fn refuse_same_call(&self, commit: &Commit) -> Result<(), StoreError> {
        for asker in commit.inquiries.iter().filter_map(InquiryChange::asker) {
            if let Some(inquiry) = self.same_call(asker) {
                return Err(StoreError::AlreadyAsked { inquiry });
            }
        }
        Ok(())
    }

    fn same_call(&self, asker: &NewAsker) -> Option<InquiryId> {
        let is_same = |entry: &&InquiryEntry| {
            let row = entry.row.asker.as_ref();
            let is_open = row.is_some_and(|row| {
                row.delivered_at.is_none() && row.delivery_attempts == 0 && !row.taken_over
            });
            is_open
                && entry.asker.as_ref().is_some_and(|before| {
                    before.client == asker.client
                        && before.project == asker.project
                        && before.call == asker.call
                        && before.session == asker.session
                })
        };
        let found = self.inquiries.values().find(is_same);
        found.map(|entry| entry.row.id.clone())
    }

    fn check_version(&self, commit: &Commit) -> Result<(), StoreError> {
        let before = self.conversation(&commit.conversation);
        let is_expected = match (commit.expected_version, &commit.create) {
            (Some(expected), _) => {
                before.is_some_and(|entry| entry.row.snapshot.version == expected)
            }
            (None, Some(new)) => {
                let parent = new.parent.as_ref();
                before.is_none() && parent.is_none_or(|parent| self.is_open(parent))
            }
            (None, None) => false,
        };
        if is_expected {
            Ok(())
        } else {
            Err(StoreError::Conflict)
        }
    }

    fn check_inquiries(&self, commit: &Commit) -> Result<(), StoreError> {
        let mut asked = BTreeSet::new();
        let mut resolved = BTreeSet::new();
        for change in &commit.inquiries {
            let id = change.id();
            let stored = self.inquiry_entry(id);
            let is_valid = if let InquiryChange::Ask { .. } = change {
                stored.is_none() && asked.insert(id)
            } else {
                let is_pending = stored.is_some_and(|entry| {
                    let owner = self.conversation_numbers.get(&commit.conversation);
                    entry.row.status == PENDING && owner == Some(&entry.conversation)
                });
                (is_pending || asked.contains(id)) && !resolved.contains(id)
            };
            if !is_valid {
                return Err(StoreError::Conflict);
            }
            if let InquiryChange::Resolve(_) = change {
                resolved.insert(id);
            }
        }
        Ok(())
    }

    fn write_conversation(&mut self, commit: &Commit) -> u64 {
        if let Some(number) = self.conversation_numbers.get(&commit.conversation).copied() {
            if let Some(entry) = self.conversations.get_mut(&number) {
                entry.row.snapshot = commit.snapshot.clone();
                entry.row.updated_at = commit.at;
            }
            return number;
        }
        let number = self.next_number();
        let new = commit.create.as_ref();
        let parent = new.and_then(|new| new.parent.clone());
        let entry = ConversationEntry {
            parent: parent
                .as_ref()
                .and_then(|parent| self.conversation_numbers.get(parent).copied()),
            row: ConversationRow {
                id: commit.conversation.clone(),
                driver: new.map_or_else(String::new, |new| new.driver.clone()),
                app: new.and_then(|new| new.app.clone()),
                parent,
                created_at: commit.at,
                updated_at: commit.at,
                snapshot: commit.snapshot.clone(),
            },
            closed_from: None,
        };
        self.conversations.insert(number, entry);
        self.conversation_numbers
            .insert(commit.conversation.clone(), number);
        number
    }

    fn write_record(&mut self, number: u64, commit: &Commit) -> Sequence {
        let first = self.newest + 1;
        if let Some(record) = &commit.record {
            self.newest += record.positions;
            let entry = RecordEntry {
                conversation: number,
                at: commit.at,
                body: record.body.clone(),
            };
            self.records.insert(self.newest, entry);
        }
        first
    }

    fn change_inquiry(&mut self, number: u64, commit: &Commit, change: &InquiryChange) {
        let version = commit.snapshot.version;
        match change {
            InquiryChange::Ask { inquiry, asker } => {
                self.ask(number, commit, inquiry, asker.as_ref());
            }
            InquiryChange::MoveDeadline { id, expires_at } => {
                if let Some(entry) = self.inquiry_entry_mut(id) {
                    entry.row.version = version;
                    entry.row.expires_at = *expires_at;
                }
            }
            InquiryChange::HandOn { id, json } => {
                if let Some(entry) = self.inquiry_entry_mut(id) {
                    entry.row.version = version;
                    entry.row.json.clone_from(json);
                }
            }
            InquiryChange::SetHeld { id, json } => {
                if let Some(entry) = self.inquiry_entry_mut(id) {
                    entry.row.version = version;
                    entry.row.held.clone_from(json);
                }
            }
            InquiryChange::Resolve(resolved) => self.resolve(number, commit, resolved),
        }
    }

    /// As a database does, it takes nothing of the row but what it has columns for.
    fn ask(&mut self, number: u64, commit: &Commit, new: &InquiryRow, asker: Option<&NewAsker>) {
        let id = new.id.clone();
        let conversation = commit.conversation.clone();
        let entry = InquiryEntry {
            conversation: number,
            asker: asker.cloned(),
            draft: None,
            row: InquiryRow {
                json: new.json.clone(),
                revision: new.revision,
                source: new.source.clone(),
                webhook: new.webhook.clone(),
                credential: new.credential.clone(),
                expires_at: new.expires_at,
                asker: asker.map(AskerRow::from),
                version: commit.snapshot.version,
                ..InquiryRow::new(id, conversation, &new.dialect, commit.at)
            },
        };
        let inquiry = self.next_number();
        self.inquiries.insert(inquiry, entry);
        self.inquiry_numbers.insert(new.id.clone(), inquiry);
    }

    fn resolve(&mut self, number: u64, commit: &Commit, resolved: &NewResolution) {
        let Some(entry) = self.inquiry_entry_mut(&resolved.id) else {
            return;
        };
        entry.row.version = commit.snapshot.version;
        entry.row.status.clone_from(&resolved.status);
        entry.row.resolved_at = Some(commit.at);
        entry.row.resolution = Some(resolved.json.clone());
        entry.row.held = None;
        entry.draft = None;
        entry.row.snoozed_until = None;
        if commit.closes {
            let tombstone = InquiryRow {
                json: String::new(),
                source: None,
                webhook: None,
                expires_at: None,
                asker: None,
                ..entry.row.clone()
            };
            self.tombstones
                .insert(resolved.id.clone(), (number, tombstone));
        }
    }

    /// Removes the timers of resolved inquiries, and those that the commit names.
    fn remove_timers(&mut self, commit: &Commit) -> Vec<JobId> {
        let is_removed = |job: &JobEntry| {
            let Some(timer_of) = &job.timer_of else {
                return false;
            };
            let resolved = commit.inquiries.iter().any(|change| {
                matches!(change, InquiryChange::Resolve(resolved) if resolved.id == *timer_of)
            });
            let mut obsolete = commit.obsolete_timers.iter();
            resolved
                || obsolete
                    .any(|timers| timers.inquiry == *timer_of && timers.kinds.contains(&job.kind))
        };
        let jobs = self.jobs.iter().filter(|(_, job)| is_removed(job));
        let removed: Vec<JobId> = jobs.map(|(id, _)| *id).collect();
        for job in &removed {
            self.jobs.remove(job);
        }
        removed
    }

    fn insert_jobs(&mut self, number: u64, commit: &Commit) -> Vec<JobId> {
        let mut ids = Vec::new();
        for job in &commit.jobs {
            self.last_job += 1;
            let entry = JobEntry {
                conversation: commit.conversation.clone(),
                queue: job.queue.clone(),
                kind: job.kind.clone(),
                run_at: job.run_at,
                timer_of: job.timer_of.clone(),
                number,
                json: job.json.clone(),
                attempts: 0,
            };
            self.jobs.insert(self.last_job, entry);
            ids.push(self.last_job);
        }
        ids
    }
}

fn claimed_rows(commit: &Commit, ids: &[JobId]) -> Vec<JobRow> {
    let jobs = commit.jobs.iter().zip(ids);
    let claimed = jobs.filter(|(job, _)| job.claim_at_once);
    let rows = claimed.map(|(job, id)| JobRow {
        id: *id,
        conversation: commit.conversation.clone(),
        queue: job.queue.clone(),
        kind: job.kind.clone(),
        json: job.json.clone(),
        run_at: job.run_at,
        attempt: 1,
    });
    rows.collect()
}

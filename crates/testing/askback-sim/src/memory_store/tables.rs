//! The tables of the store in memory. They refer to each other by number, as in a database.

use std::collections::BTreeMap;
use std::time::Duration;

use askback_core::id::{ConversationId, InquiryId};
use askback_store::{
    ChannelDelivery, ChannelValue, ConversationRow, CredentialRow, DraftRow, InquiryRow, JobId,
    NewAsker, Sequence, SessionRow,
};
use jiff::Timestamp;

/// The status of an inquiry without an outcome.
pub(super) const PENDING: &str = "pending";

/// All rows.
#[derive(Default)]
pub(crate) struct Tables {
    pub(super) newest: Sequence,
    pub(super) last_number: u64,
    pub(super) last_job: JobId,
    pub(super) conversations: BTreeMap<u64, ConversationEntry>,
    pub(super) conversation_numbers: BTreeMap<ConversationId, u64>,
    /// By their last position.
    pub(super) records: BTreeMap<Sequence, RecordEntry>,
    pub(super) inquiries: BTreeMap<u64, InquiryEntry>,
    pub(super) inquiry_numbers: BTreeMap<InquiryId, u64>,
    pub(super) tombstones: BTreeMap<InquiryId, (u64, InquiryRow)>,
    pub(super) jobs: BTreeMap<JobId, JobEntry>,
    pub(super) claims: BTreeMap<JobId, Claim>,
    /// When the leases of processes end that share the database, since the start.
    pub(super) leases: BTreeMap<usize, Duration>,
    pub(super) keys: BTreeMap<String, KeyEntry>,
    pub(super) sessions: Vec<SessionRow>,
    pub(super) credentials: Vec<CredentialRow>,
    pub(super) deliveries: Vec<DeliveryEntry>,
    pub(super) delivery_cursor: Option<Sequence>,
    pub(super) channel_values: BTreeMap<String, ChannelValue>,
}

/// A message of a channel.
pub(super) struct DeliveryEntry {
    pub(super) row: ChannelDelivery,
    pub(super) due_at: Option<Timestamp>,
    pub(super) changed_at: Timestamp,
}

pub(super) struct ConversationEntry {
    pub(super) row: ConversationRow,
    pub(super) parent: Option<u64>,
    /// The first position of the record that closed it.
    pub(super) closed_from: Option<Sequence>,
}

pub(super) struct RecordEntry {
    pub(super) conversation: u64,
    pub(super) at: Timestamp,
    pub(super) body: String,
}

pub(super) struct InquiryEntry {
    pub(super) conversation: u64,
    pub(super) row: InquiryRow,
    /// The call that its agent made, if it may come back.
    pub(super) asker: Option<NewAsker>,
    pub(super) draft: Option<DraftRow>,
}

/// A stored job.
#[derive(Debug, Clone)]
pub(crate) struct JobEntry {
    /// The conversation it belongs to.
    pub(crate) conversation: ConversationId,
    /// Each queue is separate from the others.
    pub(crate) queue: String,
    /// The name of the job.
    pub(crate) kind: String,
    /// When it is due.
    pub(crate) run_at: Timestamp,
    /// The inquiry whose timer it is.
    pub(crate) timer_of: Option<InquiryId>,
    pub(super) number: u64,
    pub(super) json: String,
    pub(super) attempts: u32,
}

/// A claim is not on disk: it ends with its process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim {
    pub(super) process: usize,
    pub(super) attempt: u32,
    pub(super) is_abandoned: bool,
}

pub(super) struct KeyEntry {
    pub(super) request: [u8; 32],
    pub(super) conversation: u64,
    pub(super) inquiry: Option<InquiryId>,
}

/// The result of a write, and the claims that change with it.
pub(super) struct Written<T> {
    pub(super) value: T,
    pub(super) freed: Vec<JobId>,
    pub(super) claimed: Vec<JobId>,
}

impl<T> From<T> for Written<T> {
    fn from(value: T) -> Written<T> {
        Written {
            value,
            freed: Vec::new(),
            claimed: Vec::new(),
        }
    }
}

impl Tables {
    /// The highest position ever used.
    pub(crate) fn newest(&self) -> Sequence {
        self.newest
    }

    /// The jobs that are not finished.
    pub(crate) fn jobs(&self) -> impl Iterator<Item = (JobId, &JobEntry)> {
        self.jobs.iter().map(|(id, job)| (*id, job))
    }

    /// The conversations that are not deleted.
    pub(crate) fn conversation_rows(&self) -> impl Iterator<Item = &ConversationRow> {
        let entries = self.conversations.values();
        let open = entries.filter(|entry| entry.closed_from.is_none());
        open.map(|entry| &entry.row)
    }

    /// The inquiries of conversations that are not deleted.
    pub(crate) fn inquiry_rows(&self) -> impl Iterator<Item = &InquiryRow> {
        self.inquiries.values().map(|entry| &entry.row)
    }

    /// Whether a record with this last position exists.
    pub(crate) fn has_record(&self, last: Sequence) -> bool {
        self.records.contains_key(&last)
    }

    /// Whether the conversation exists and is not deleted.
    pub(crate) fn is_open(&self, id: &ConversationId) -> bool {
        self.conversation(id)
            .is_some_and(|entry| entry.closed_from.is_none())
    }

    /// The state of a conversation, by its name.
    pub(crate) fn state_name(&self, id: &ConversationId) -> Option<&str> {
        self.conversation(id)
            .map(|entry| entry.row.snapshot.state.as_str())
    }

    pub(super) fn conversation(&self, id: &ConversationId) -> Option<&ConversationEntry> {
        let number = self.conversation_numbers.get(id)?;
        self.conversations.get(number)
    }

    pub(super) fn inquiry_entry(&self, id: &InquiryId) -> Option<&InquiryEntry> {
        let number = self.inquiry_numbers.get(id)?;
        self.inquiries.get(number)
    }

    pub(super) fn inquiry_entry_mut(&mut self, id: &InquiryId) -> Option<&mut InquiryEntry> {
        let number = self.inquiry_numbers.get(id)?;
        self.inquiries.get_mut(number)
    }

    /// Whether an inquiry has a draft or is hidden from the inbox.
    pub(crate) fn has_notes(&self, id: &InquiryId) -> bool {
        let entry = self.inquiry_entry(id);
        entry.is_some_and(|entry| entry.draft.is_some() || entry.row.snoozed_until.is_some())
    }

    pub(super) fn next_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Changes the claims as a successful write says.
    pub(super) fn claim<T>(&mut self, owner: Option<usize>, written: Written<T>) -> T {
        for job in written.freed {
            self.claims.remove(&job);
        }
        for job in written.claimed {
            let Some(process) = owner else { continue };
            let claim = Claim {
                process,
                attempt: 1,
                is_abandoned: false,
            };
            self.claims.insert(job, claim);
        }
        written.value
    }
}

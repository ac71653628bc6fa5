//! The rows that a store reads. Payloads are JSON texts that the store does not look into.

use std::collections::BTreeMap;

use jiff::Timestamp;

use askback_core::id::{ConversationId, InquiryId};
use askback_core::text::Text;

use crate::commit::NewAsker;

/// The most bytes of JSON in one page of events, inquiries or conversations. A single row may be
/// larger. It bounds the memory of readers, whatever agents send.
pub const PAGE_BYTES_MAX: usize = 1 << 20;

/// The position of an event, or of the state after a commit, rising over the whole store. It is the
/// `id:` of server-sent events.
pub type Sequence = u64;

/// The number of a job, never used twice.
pub type JobId = u64;

/// A conversation after a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The number of events applied.
    pub version: u64,
    /// The name of the state, for filters.
    pub state: String,
    /// Shown in lists.
    pub title: Option<String>,
    /// The whole conversation, without the questions of pending inquiries: those are in their own rows.
    pub json: String,
}

/// The stored events of one commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRow {
    /// Its highest position, which is that of the state after it.
    pub last: Sequence,
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// As it was written. Empty if the text is damaged.
    pub body: String,
    /// When it was decided.
    pub at: Timestamp,
}

/// The agent that asked, and the delivery of the outcome to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskerRow {
    /// The program: `claude-code`.
    pub client: Text,
    /// What it works on, usually a directory.
    pub project: Option<Text>,
    /// The session that asked, or that took the inquiry over.
    pub session: Text,
    /// Whether a session took it over that is not the one that asked.
    pub taken_over: bool,
    /// Whether the agent has said that it stopped waiting. False if that is not known.
    pub detached: bool,
    /// How often a delivery was started.
    pub delivery_attempts: u32,
    /// When the outcome was delivered; absent before that.
    pub delivered_at: Option<Timestamp>,
}

impl From<&NewAsker> for AskerRow {
    /// As it is when it has just asked.
    fn from(asker: &NewAsker) -> AskerRow {
        AskerRow {
            client: asker.client.clone(),
            project: asker.project.clone(),
            session: asker.session.clone(),
            taken_over: false,
            detached: false,
            delivery_attempts: 0,
            delivered_at: None,
        }
    }
}

/// A stored inquiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InquiryRow {
    /// Unique over all conversations.
    pub id: InquiryId,
    /// The conversation it was asked in.
    pub conversation: ConversationId,
    /// `pending`, or the name of the outcome.
    pub status: String,
    /// The name of the ask tool.
    pub dialect: String,
    /// The questions. Empty if they were not read.
    pub json: String,
    /// What an answer must name.
    pub revision: u32,
    /// The name of the asker, as people see it.
    pub source: Option<Text>,
    /// The URL that is sent the outcome.
    pub webhook: Option<String>,
    /// The name of the credential that it was asked with. None if its asker needed none.
    pub credential: Option<String>,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// The deadline; absent if it never expires.
    pub expires_at: Option<Timestamp>,
    /// An answer that can still be undone, as JSON.
    pub held: Option<String>,
    /// When it got its outcome.
    pub resolved_at: Option<Timestamp>,
    /// The resolution and the tool result, as JSON.
    pub resolution: Option<String>,
    /// The agent that asked, if it can come back for the outcome.
    pub asker: Option<AskerRow>,
    /// When it is shown again in the inbox, if it was hidden there.
    pub snoozed_until: Option<Timestamp>,
    /// The version of its conversation when the inquiry last changed. Of two copies of an inquiry the one with the
    /// higher version is newer.
    pub version: u64,
}

impl InquiryRow {
    /// A pending inquiry of the first revision, which has neither questions nor a deadline yet.
    pub fn new(
        id: InquiryId,
        conversation: ConversationId,
        dialect: &str,
        asked_at: Timestamp,
    ) -> InquiryRow {
        InquiryRow {
            id,
            conversation,
            status: "pending".to_owned(),
            dialect: dialect.to_owned(),
            json: String::new(),
            revision: 1,
            source: None,
            webhook: None,
            credential: None,
            asked_at,
            expires_at: None,
            held: None,
            resolved_at: None,
            resolution: None,
            asker: None,
            snoozed_until: None,
            version: 1,
        }
    }

    /// The bytes of JSON, for the limit of a page.
    pub fn bytes(&self) -> usize {
        let optional = [&self.resolution, &self.held].into_iter().flatten();
        self.json.len() + optional.map(String::len).sum::<usize>()
    }
}

/// A stored conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRow {
    /// Unique in the store.
    pub id: ConversationId,
    /// `built_in` or `external`.
    pub driver: String,
    /// The id of the app; absent for the default app.
    pub app: Option<String>,
    /// The conversation that started this one as a sub-agent.
    pub parent: Option<ConversationId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed. Lists are sorted by it.
    pub updated_at: Timestamp,
    /// Its state after the last commit.
    pub snapshot: Snapshot,
}

/// A conversation, ready for a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationWithPending {
    /// The conversation without the questions.
    pub row: ConversationRow,
    /// Its pending inquiries, oldest first.
    pub pending: Vec<InquiryRow>,
    /// Its last position.
    pub newest: Sequence,
}

/// A conversation that can be deleted, unless it changes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedConversation {
    /// Unique in the store.
    pub id: ConversationId,
    /// The version that has ended.
    pub version: u64,
}

/// A claimed job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRow {
    /// Never used again, not even after the job is removed.
    pub id: JobId,
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// The queue it was claimed in.
    pub queue: String,
    /// The name of the job.
    pub kind: String,
    /// Everything the job needs.
    pub json: String,
    /// When it was due.
    pub run_at: Timestamp,
    /// How often it was claimed, including this time.
    pub attempt: u32,
}

/// The result of [`Store::claim_jobs`](crate::Store::claim_jobs).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobClaim {
    /// The longest overdue first.
    pub jobs: Vec<JobRow>,
    /// When the next unclaimed job of the queue is due. In the past if more were due than the limit.
    pub next_at: Option<Timestamp>,
}

/// How much waits in a store.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Backlog {
    /// Inquiries without an outcome.
    pub pending: u64,
    /// When the oldest of them was asked.
    pub oldest_asked_at: Option<Timestamp>,
    /// Jobs by queue, claimed or not.
    pub jobs: BTreeMap<String, u64>,
    /// Messages of channels that are due or tried again later, by channel.
    pub messages: BTreeMap<String, u64>,
}

/// A draft of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftRow {
    /// The inquiry it answers.
    pub inquiry: InquiryId,
    /// The draft, as JSON.
    pub json: String,
    /// When it was saved.
    pub at: Timestamp,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The rows of this page.
    pub items: Vec<T>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
}

impl<T> Page<T> {
    pub(crate) const EMPTY: Page<T> = Page {
        items: Vec::new(),
        next: None,
    };
}

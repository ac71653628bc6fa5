//! The rows that a store writes and reads. Payloads are JSON texts that the store does not look into.

use jiff::Timestamp;

use askback_core::id::{ConversationId, InquiryId};

/// The most bytes of JSON in one page of events, inquiries or conversations. A single row may be
/// larger. It bounds the memory of readers, whatever agents send.
pub const PAGE_BYTES_MAX: usize = 1 << 20;

/// The number of an event, rising over the whole store. It is the `id:` of server-sent events.
pub type Sequence = u64;

/// The number of a job, never used twice.
pub type JobId = u64;

/// One decision, written in one transaction.
#[derive(Debug, Clone)]
pub struct Commit {
    /// The conversation that was decided on.
    pub conversation: ConversationId,
    /// The version that was decided on; `None` if this commit creates the conversation.
    pub expected_version: Option<u64>,
    /// Set if this commit creates the conversation.
    pub create: Option<NewConversation>,
    /// The conversation after the decision.
    pub snapshot: Snapshot,
    /// The events of the decision, in order.
    pub events: Vec<NewEvent>,
    /// Changes of its inquiries.
    pub inquiries: Vec<InquiryChange>,
    /// Jobs that follow from the decision.
    pub jobs: Vec<NewJob>,
    /// Timers to be removed, before the jobs of this commit are written.
    pub obsolete_timers: Vec<ObsoleteTimers>,
    /// Jobs that this commit completes, to be removed.
    pub finished_jobs: Vec<JobId>,
    /// Whether the conversation ends for good.
    pub closes: bool,
    /// Idempotency keys of the request, written with the decision.
    pub keys: Vec<RequestKey>,
    /// When it was decided.
    pub at: Timestamp,
}

/// Removes the content of a closed conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRemoval {
    /// Its row stays, and so do the tombstones of its inquiries and the keys of its requests.
    pub conversation: ConversationId,
    /// Jobs of these kinds stay until they are finished.
    pub kept_jobs: Vec<String>,
    /// Of the events that closed the conversation, those of these kinds stay.
    pub kept_events: Vec<String>,
}

/// An idempotency key: a request takes effect once, however often it is sent. Kept as long as the row
/// of its conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// Unique over all conversations.
    pub key: String,
    /// A hash of the whole request. Another request under the same key is refused.
    pub request: [u8; 32],
}

/// The fields of a conversation that never change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewConversation {
    /// `built_in` or `external`.
    pub driver: String,
    /// The id of the app; absent for the default app.
    pub app: Option<String>,
    /// The conversation that started this one as a sub-agent.
    pub parent: Option<ConversationId>,
}

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

/// An event to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// The name of the event.
    pub kind: String,
    /// The event, or a part of it: the store does not look inside.
    pub json: String,
}

/// A stored event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// Unique over all conversations, and rising.
    pub sequence: Sequence,
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// The name of the event.
    pub kind: String,
    /// As it was written. Empty if the text is damaged.
    pub json: String,
    /// When it was decided.
    pub at: Timestamp,
}

/// A change of an inquiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InquiryChange {
    /// Adds a pending inquiry.
    Ask(NewInquiry),
    /// Sets or removes the deadline.
    MoveDeadline {
        /// The inquiry, which must be pending.
        id: InquiryId,
        /// The new deadline; `None` if it never expires.
        expires_at: Option<Timestamp>,
    },
    /// Holds an answer that can be undone, or drops it after an undo.
    Hold {
        /// The inquiry, which must be pending.
        id: InquiryId,
        /// The held answer, as JSON; `None` after an undo.
        json: Option<String>,
    },
    /// Sets the outcome. An inquiry has exactly one.
    Resolve(NewResolution),
}

/// An inquiry to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInquiry {
    /// Unique over all conversations.
    pub id: InquiryId,
    /// The name of the ask tool.
    pub dialect: String,
    /// The questions.
    pub json: String,
    /// What an answer must name.
    pub revision: u32,
    /// The name of the asker, as people see it.
    pub source: Option<String>,
    /// The URL that is sent the outcome.
    pub webhook: Option<String>,
    /// The deadline; absent if it never expires.
    pub expires_at: Option<Timestamp>,
    /// The agent that asks, if it can come back for the outcome.
    pub asker: Option<NewAsker>,
}

/// The agent that asks, if it can come back for the outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAsker {
    /// The program: `claude-code`.
    pub client: String,
    /// What it works on, usually a directory.
    pub project: Option<String>,
    /// Its session.
    pub session: String,
    /// Sessions that are over and whose open inquiries this one continues.
    pub earlier_sessions: Vec<String>,
    /// A digest of the call. The same call is not asked again until its outcome was delivered.
    pub call: String,
}

/// The agent that asked, and the delivery of the outcome to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskerRow {
    /// The program: `claude-code`.
    pub client: String,
    /// What it works on, usually a directory.
    pub project: Option<String>,
    /// The session in which it asked.
    pub session: String,
    /// How often a delivery was started.
    pub delivery_attempts: u32,
    /// When the outcome was delivered; absent before that.
    pub delivered_at: Option<Timestamp>,
}

/// A step in the delivery of an outcome to the agent that asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// The outcome is about to be sent.
    Started,
    /// The outcome was sent.
    Done,
    /// The outcome was lost: the agent had cancelled the call.
    Failed,
}

/// The outcome of an inquiry, to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewResolution {
    /// The inquiry that is resolved.
    pub id: InquiryId,
    /// The name of the outcome.
    pub status: String,
    /// The resolution and the tool result, as JSON.
    pub json: String,
    /// The inquiry without its questions, as JSON, which stays after the conversation is deleted. Without
    /// it nothing stays.
    pub tombstone: Option<String>,
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
    pub source: Option<String>,
    /// The URL that is sent the outcome.
    pub webhook: Option<String>,
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
}

impl InquiryRow {
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
}

/// A job to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// Queues are claimed separately, so that none delays another.
    pub queue: String,
    /// The name of the job.
    pub kind: String,
    /// Everything the job needs.
    pub json: String,
    /// When it is due.
    pub run_at: Timestamp,
    /// The inquiry whose timer it is. The job is removed when the inquiry gets its outcome.
    pub timer_of: Option<InquiryId>,
    /// Claims the job with the commit, due or not.
    pub claim: bool,
}

/// Timers of an inquiry to be removed. Its outcome removes all of them anyway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObsoleteTimers {
    /// The inquiry whose timers they are.
    pub inquiry: InquiryId,
    /// The names of the jobs.
    pub kinds: Vec<String>,
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

/// What a commit has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitReceipt {
    /// The sequence number of its first event; the others follow without a gap.
    pub first: Sequence,
    /// The ids of its jobs, in order.
    pub jobs: Vec<JobId>,
    /// The jobs that were claimed with it.
    pub claimed: Vec<JobRow>,
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

/// Selects conversations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConversationFilter {
    /// Only those in the state with this name.
    pub state: Option<String>,
    /// Only children of this conversation. Without it, only conversations without a parent.
    pub parent: Option<ConversationId>,
    /// The `next` of the previous page.
    pub cursor: Option<String>,
    /// The most rows of a page.
    pub limit: usize,
}

/// Selects inquiries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InquiryFilter {
    /// `pending`, or the name of an outcome. Without it, all.
    pub status: Option<String>,
    /// Only those of one conversation.
    pub conversation: Option<ConversationId>,
    /// Only those of one agent: the pending ones if the status says so, otherwise those with an outcome
    /// that was not delivered. Cannot be combined with a conversation.
    pub asker: Option<AskerFilter>,
    /// The `next` of the previous page.
    pub cursor: Option<String>,
    /// The most rows of a page.
    pub limit: usize,
}

/// Selects an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskerFilter {
    /// The program: `claude-code`.
    pub client: String,
    /// What it works on, usually a directory.
    pub project: Option<String>,
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

//! What is written and read. Payloads are JSON texts: the store does not look inside.

use jiff::Timestamp;

use askback_core::id::{ConversationId, InquiryId};

/// Bytes of JSON that one page of events, inquiries or conversations holds at most, but for a single
/// row that is larger. Whoever reads pages has no more of them in memory, whatever agents send.
pub const PAGE_BYTES_MAX: usize = 1 << 20;

/// Counts the events of the whole store; the `id:` of the feed.
pub type Sequence = u64;

/// Names a job.
pub type JobId = u64;

/// One decision, to be written as one.
#[derive(Debug, Clone)]
pub struct Commit {
    /// The conversation it is about.
    pub conversation: ConversationId,
    /// The version it was decided on; `None` for a conversation that begins with it.
    pub expected_version: Option<u64>,
    /// What is fixed for a conversation that begins.
    pub create: Option<NewConversation>,
    /// The conversation afterwards.
    pub snapshot: Snapshot,
    /// What happened, in order.
    pub events: Vec<NewEvent>,
    /// What becomes of inquiries.
    pub inquiries: Vec<InquiryChange>,
    /// Work that follows.
    pub jobs: Vec<NewJob>,
    /// Timers that end with this. They are removed before the jobs of this commit are written.
    pub obsolete_timers: Vec<ObsoleteTimers>,
    /// Jobs that are done with this.
    pub finished_jobs: Vec<JobId>,
    /// Whether the conversation ends for good with this.
    pub closes: bool,
    /// What makes a repeated request harmless: written with the decision, once for ever.
    pub keys: Vec<RequestKey>,
    /// When it was decided.
    pub at: Timestamp,
}

/// What a conversation held that was closed, to be removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRemoval {
    /// The conversation. Its row stays, and so do the tombstones of inquiries and the keys of requests.
    pub conversation: ConversationId,
    /// Jobs of these kinds stay until they are done.
    pub kept_jobs: Vec<String>,
    /// Events of these kinds stay, of those that closed it.
    pub kept_events: Vec<String>,
}

/// Names a request, so that it takes effect once however often it is sent. It is kept for as long as
/// the row of its conversation is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// The key. There is one namespace for all conversations.
    pub key: String,
    /// A hash of all that was requested. Another request under the same key is refused.
    pub request: [u8; 32],
}

/// What is fixed for a conversation that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewConversation {
    /// `built_in` or `external`.
    pub driver: String,
    /// The app it runs.
    pub app: Option<String>,
    /// The conversation that started it.
    pub parent: Option<ConversationId>,
}

/// A conversation after a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// Its version: the number of events applied.
    pub version: u64,
    /// The name of its state.
    pub state: String,
    /// What to call it.
    pub title: Option<String>,
    /// All of it, without the questions that wait: those are in their own rows.
    pub json: String,
}

/// An event to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// Its name.
    pub kind: String,
    /// All of it.
    pub json: String,
}

/// A written event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// Its place among all events.
    pub sequence: Sequence,
    /// The conversation it happened in.
    pub conversation: ConversationId,
    /// Its name.
    pub kind: String,
    /// All of it.
    pub json: String,
    /// When.
    pub at: Timestamp,
}

/// What becomes of an inquiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InquiryChange {
    /// It was asked.
    Ask(NewInquiry),
    /// Its deadline was moved.
    MoveDeadline {
        /// Which one.
        id: InquiryId,
        /// The new deadline.
        expires_at: Option<Timestamp>,
    },
    /// It was answered, and the answer can be taken back; or it was taken back.
    Hold {
        /// Which one.
        id: InquiryId,
        /// What is held, as JSON.
        json: Option<String>,
    },
    /// It got its one outcome.
    Resolve(NewResolution),
}

/// An inquiry that was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInquiry {
    /// Its id.
    pub id: InquiryId,
    /// Its dialect.
    pub dialect: String,
    /// What is asked.
    pub json: String,
    /// Its revision.
    pub revision: u32,
    /// Who asks, in words.
    pub source: Option<String>,
    /// Where to tell the outcome.
    pub webhook: Option<String>,
    /// When it ends unanswered.
    pub expires_at: Option<Timestamp>,
    /// The agent that asks, if it is to be told the outcome even after it went away.
    pub asker: Option<NewAsker>,
}

/// The agent that asks, for one that calls again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAsker {
    /// The program: `claude-code`.
    pub client: String,
    /// What it works on: usually a directory.
    pub project: Option<String>,
    /// Its session; what is asked in one session is delivered to it.
    pub session: String,
    /// Sessions that are over and whose open questions this one continues.
    pub earlier_sessions: Vec<String>,
    /// Digest of what is asked: the same call again is not asked again until it was delivered.
    pub call: String,
}

/// The agent that asked, and how far the outcome has got to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskerRow {
    /// The program: `claude-code`.
    pub client: String,
    /// What it works on: usually a directory.
    pub project: Option<String>,
    /// The session in which it asked.
    pub session: String,
    /// How often delivering the outcome was begun.
    pub delivery_attempts: u32,
    /// When the outcome was handed to it.
    pub delivered_at: Option<Timestamp>,
}

/// How far the outcome of an inquiry has got to the agent that asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// It is about to be sent.
    Started,
    /// It was sent.
    Done,
    /// It was sent to nobody: the agent had given up the call.
    Failed,
}

/// The outcome of an inquiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewResolution {
    /// Which inquiry.
    pub id: InquiryId,
    /// The name of the outcome.
    pub status: String,
    /// How it ended: the resolution and the result, as JSON.
    pub json: String,
    /// What is kept of what was asked once its conversation is removed, as JSON; none keeps nothing
    /// of the inquiry.
    pub tombstone: Option<String>,
}

/// An inquiry as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InquiryRow {
    /// Its id.
    pub id: InquiryId,
    /// The conversation it was asked in.
    pub conversation: ConversationId,
    /// `pending`, or the name of its outcome.
    pub status: String,
    /// Its dialect.
    pub dialect: String,
    /// What is asked.
    pub json: String,
    /// Its revision.
    pub revision: u32,
    /// Who asks, in words.
    pub source: Option<String>,
    /// Where to tell the outcome.
    pub webhook: Option<String>,
    /// When it was asked.
    pub asked_at: Timestamp,
    /// When it ends unanswered.
    pub expires_at: Option<Timestamp>,
    /// What was done with it and can still be taken back, as JSON.
    pub held: Option<String>,
    /// When it ended.
    pub resolved_at: Option<Timestamp>,
    /// How it ended: the resolution and the result, as JSON.
    pub resolution: Option<String>,
    /// The agent that asked, if it said so.
    pub asker: Option<AskerRow>,
}

impl InquiryRow {
    /// Bytes of JSON in it.
    pub fn bytes(&self) -> usize {
        let optional = [&self.resolution, &self.held].into_iter().flatten();
        self.json.len() + optional.map(String::len).sum::<usize>()
    }
}

/// A conversation's row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRow {
    /// Its id.
    pub id: ConversationId,
    /// `built_in` or `external`.
    pub driver: String,
    /// The app it runs.
    pub app: Option<String>,
    /// The conversation that started it.
    pub parent: Option<ConversationId>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last touched.
    pub updated_at: Timestamp,
    /// How it stands.
    pub snapshot: Snapshot,
}

/// A conversation, ready for a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationWithPending {
    /// Its row.
    pub row: ConversationRow,
    /// Its waiting inquiries, oldest first.
    pub pending: Vec<InquiryRow>,
}

/// A job to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewJob {
    /// The queue it waits in. Queues are claimed one by one, so that none waits for another.
    pub queue: String,
    /// Its name.
    pub kind: String,
    /// All of it.
    pub json: String,
    /// Not before.
    pub run_at: Timestamp,
    /// The inquiry whose timer it is. It is removed when the inquiry gets its outcome.
    pub timer_of: Option<InquiryId>,
    /// Whether whoever commits takes the job at once, due or not.
    pub claim: bool,
}

/// Timers of an inquiry that are not needed any more. All of them end with its outcome anyway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObsoleteTimers {
    /// Whose timers.
    pub inquiry: InquiryId,
    /// The names of the jobs.
    pub kinds: Vec<String>,
}

/// A claimed job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobRow {
    /// Its id.
    pub id: JobId,
    /// The conversation it works for.
    pub conversation: ConversationId,
    /// The queue it waited in.
    pub queue: String,
    /// Its name.
    pub kind: String,
    /// All of it.
    pub json: String,
    /// When it fell due.
    pub run_at: Timestamp,
    /// How often it was claimed, this time included.
    pub attempt: u32,
}

/// The jobs that were claimed in one queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobClaim {
    /// The longest due first.
    pub jobs: Vec<JobRow>,
    /// When the next job of the queue falls due that nobody holds. It may have fallen due already,
    /// if more were due than were wanted.
    pub next_at: Option<Timestamp>,
}

/// What a commit has become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitReceipt {
    /// The sequence of its first event; the others follow without a gap.
    pub first: Sequence,
    /// The ids of its jobs, in order.
    pub jobs: Vec<JobId>,
    /// Those of them that are claimed.
    pub claimed: Vec<JobRow>,
}

/// A half-typed answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftRow {
    /// To which inquiry.
    pub inquiry: InquiryId,
    /// All of it.
    pub json: String,
    /// When it was kept.
    pub at: Timestamp,
}

/// Which conversations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConversationFilter {
    /// Only those in a state of this name.
    pub state: Option<String>,
    /// Only children of this one; none lists those without a parent.
    pub parent: Option<ConversationId>,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// At most so many.
    pub limit: usize,
}

/// Which inquiries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InquiryFilter {
    /// `pending`, the name of an outcome, or all.
    pub status: Option<String>,
    /// Only those of one conversation.
    pub conversation: Option<ConversationId>,
    /// Only those asked by this agent: the pending ones if the status says so, otherwise those that
    /// ended and whose outcome was not delivered. Not together with a conversation.
    pub asker: Option<AskerFilter>,
    /// Where the page before ended.
    pub cursor: Option<String>,
    /// At most so many.
    pub limit: usize,
}

/// Which agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskerFilter {
    /// The program: `claude-code`.
    pub client: String,
    /// What it works on.
    pub project: Option<String>,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// What is on it.
    pub items: Vec<T>,
    /// Where the next one begins, if there is more.
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// A page of a list without items.
    pub(crate) const EMPTY: Page<T> = Page {
        items: Vec::new(),
        next: None,
    };
}

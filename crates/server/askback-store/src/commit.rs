//! What a store writes: a commit with its parts, deliveries and removals. Payloads are JSON texts that the
//! store does not look into.

use jiff::Timestamp;

use askback_core::id::{ConversationId, InquiryId};
use askback_core::text::Text;

use crate::rows::{InquiryRow, JobId, JobRow, Sequence, Snapshot};

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
    /// The events of the decision. `None` if only the snapshot changes.
    pub record: Option<NewRecord>,
    /// Changes of its inquiries.
    pub inquiries: Vec<InquiryChange>,
    /// Jobs that follow from the decision.
    pub jobs: Vec<NewJob>,
    /// Timers to be removed, before the jobs of this commit are written.
    pub obsolete_timers: Vec<ObsoleteTimers>,
    /// Jobs that this commit completes, to be removed.
    pub finished_jobs: Vec<JobId>,
    /// Whether the conversation ends for good. The outcomes of this commit then leave tombstones, which
    /// stay when the content is removed.
    pub closes: bool,
    /// Idempotency keys of the request, written with the decision.
    pub keys: Vec<RequestKey>,
    /// When it was decided.
    pub at: Timestamp,
}

impl Commit {
    /// A job of this commit as whoever claims it with the commit gets it.
    pub fn claimed_job(&self, job: &NewJob, id: JobId) -> JobRow {
        JobRow {
            id,
            conversation: self.conversation.clone(),
            queue: job.queue.clone(),
            kind: job.kind.clone(),
            json: job.json.clone(),
            run_at: job.run_at,
            attempt: 1,
        }
    }
}

/// Removes the content of a closed conversation, in one or more transactions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationRemoval {
    /// Its row stays, and so do the tombstones of its inquiries and the keys of its requests.
    pub conversation: ConversationId,
    /// Jobs of these kinds stay until they are finished.
    pub kept_jobs: Vec<String>,
    /// Replaces the body of the record that closed the conversation. It has as many positions.
    pub closing_record: Option<String>,
    /// The most records and inquiries that one transaction removes: other writes wait for it.
    pub rows_max: usize,
}

/// What one transaction of a removal did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemovalStep {
    /// How many records, inquiries and jobs it removed.
    pub rows: usize,
    /// Nothing is left to remove.
    pub is_complete: bool,
}

impl RemovalStep {
    /// The conversation is not closed, so nothing was removed.
    pub const NOTHING: RemovalStep = RemovalStep {
        rows: 0,
        is_complete: true,
    };
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

/// All events of a decision, to be written as one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRecord {
    /// How many sequence numbers it takes: one for each event, and one for the state after them.
    pub positions: u64,
    /// The store does not look inside.
    pub body: String,
}

/// A change of an inquiry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InquiryChange {
    /// Adds a pending inquiry.
    Ask {
        /// As it is after the commit. The asker is the one beside it.
        inquiry: Box<InquiryRow>,
        /// The agent that asks, if it can come back for the outcome.
        asker: Option<NewAsker>,
    },
    /// Sets or removes the deadline.
    MoveDeadline {
        /// The inquiry, which must be pending.
        id: InquiryId,
        /// The new deadline; `None` if it never expires.
        expires_at: Option<Timestamp>,
    },
    /// Writes the inquiry with another recipient.
    HandOn {
        /// The inquiry, which must be pending.
        id: InquiryId,
        /// The whole inquiry, as JSON. The questions are the same.
        json: String,
    },
    /// Holds an answer that can be undone, or drops it after an undo.
    SetHeld {
        /// The inquiry, which must be pending.
        id: InquiryId,
        /// The held answer, as JSON; `None` after an undo.
        json: Option<String>,
    },
    /// Sets the outcome. An inquiry has exactly one.
    Resolve(NewResolution),
}

impl InquiryChange {
    /// The inquiry that changes.
    pub fn id(&self) -> &InquiryId {
        match self {
            InquiryChange::Ask { inquiry, .. } => &inquiry.id,
            InquiryChange::MoveDeadline { id, .. }
            | InquiryChange::HandOn { id, .. }
            | InquiryChange::SetHeld { id, .. } => id,
            InquiryChange::Resolve(resolved) => &resolved.id,
        }
    }

    /// The agent that asks with it, if it can come back for the outcome.
    pub fn asker(&self) -> Option<&NewAsker> {
        match self {
            InquiryChange::Ask { asker, .. } => asker.as_ref(),
            InquiryChange::MoveDeadline { .. }
            | InquiryChange::HandOn { .. }
            | InquiryChange::SetHeld { .. }
            | InquiryChange::Resolve(_) => None,
        }
    }
}

/// The agent that asks, if it can come back for the outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAsker {
    /// The program: `claude-code`.
    pub client: Text,
    /// What it works on, usually a directory.
    pub project: Option<Text>,
    /// Its session.
    pub session: Text,
    /// A digest of the call. The same call of the session gets the same inquiry until a delivery of its outcome
    /// was started.
    pub call: String,
}

/// A step in the delivery of an outcome to the agent that asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryStep {
    /// The outcome is about to be sent. With a number, only if that many deliveries were started before:
    /// of several that try at once, one succeeds.
    Started {
        /// How many deliveries were started before.
        expected_attempts: Option<u32>,
    },
    /// The outcome was sent.
    Done,
    /// The outcome that was about to be sent was not: as if the delivery had never been started.
    Failed,
    /// The agent waits for the outcome.
    Attached,
    /// The agent has stopped waiting. It may come back.
    Detached,
}

/// Whether a step of a delivery was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryRecord {
    /// It was.
    Recorded,
    /// Another delivery was started since.
    Superseded,
    /// No agent is known for the inquiry, or it has no outcome that could have been delivered.
    NothingToDeliver,
}

/// The inquiries of sessions that have ended pass to another session of the same agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionTakeover {
    /// The program: `claude-code`.
    pub client: String,
    /// What it works on, usually a directory.
    pub project: Option<String>,
    /// The sessions that have ended.
    pub from: Vec<String>,
    /// The session that gets their inquiries.
    pub to: Text,
    /// Whether that session continues those that have ended. Otherwise its calls never get the outcomes of theirs.
    pub resumes: bool,
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
    pub claim_at_once: bool,
}

/// Timers of an inquiry to be removed. Its outcome removes all of them anyway.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObsoleteTimers {
    /// The inquiry whose timers they are.
    pub inquiry: InquiryId,
    /// The names of the jobs.
    pub kinds: Vec<String>,
}

/// What a commit has written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitReceipt {
    /// The sequence number of its first event; the others follow without a gap. The next one to be
    /// used, if the commit has no record.
    pub first_sequence: Sequence,
    /// The ids of its jobs, in order.
    pub jobs: Vec<JobId>,
    /// The jobs that were claimed with it.
    pub claimed: Vec<JobRow>,
}

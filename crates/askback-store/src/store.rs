//! What a store can do. Every implementation passes the same conformance suite.

use std::future::Future;
use std::pin::Pin;

use jiff::{SignedDuration, Timestamp};

use askback_core::id::{ConversationId, InquiryId};

use crate::rows::{
    Commit, CommitReceipt, ConversationFilter, ConversationRemoval, ConversationRow,
    ConversationWithPending, Delivery, DraftRow, EventRow, InquiryFilter, InquiryRow, JobClaim,
    JobId, Page, RequestKey, Sequence,
};
use crate::session_store::SessionStore;

/// What a store call gives, later.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Why a store call failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The conversation has moved on since it was loaded, or exists already: load and decide again.
    #[error("the conversation has changed in the meantime")]
    Conflict,
    /// The same request was committed before under the same key; nothing was written.
    #[error("this was committed before")]
    Repeated {
        /// What that commit was about.
        inquiry: Option<InquiryId>,
        /// In which conversation.
        conversation: ConversationId,
    },
    /// The same agent asked the same before and has not been told the outcome; nothing was written.
    #[error("this was asked before")]
    AlreadyAsked {
        /// The inquiry that was asked then.
        inquiry: InquiryId,
    },
    /// Another request was committed before under the same key; nothing was written.
    #[error("the key was used for another request")]
    KeyReused,
    /// The store cannot be reached or written now: disk full, read-only, locked, gone.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The disk failed while the commit was being written: it may be there or not. To be repeated with
    /// the same key.
    #[error("it is not known whether this was written: {0}")]
    CommitUnknown(String),
    /// The cursor was not handed out for this list.
    #[error("the cursor is not one of this list")]
    BadCursor,
    /// What is stored cannot be read back.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
}

/// The durable log.
pub trait Store: SessionStore {
    /// Writes one decision: all of it or nothing. Returns when it is on disk.
    ///
    /// Fails with [`StoreError::Conflict`] unless the conversation stands at the expected version,
    /// with [`StoreError::Repeated`] or [`StoreError::KeyReused`] if one of its keys was committed
    /// before, and with [`StoreError::AlreadyAsked`] if an agent asks what it was not told the outcome
    /// of. A second outcome for an inquiry is refused by a constraint, as a conflict. After
    /// [`StoreError::CommitUnknown`] reading tells what is there, and that does not change any more.
    fn commit(&self, commit: Commit) -> StoreFuture<'_, CommitReceipt>;

    /// Fails with [`StoreError::Repeated`] or [`StoreError::KeyReused`] if one of the keys was
    /// committed before.
    fn check_keys(&self, keys: &[RequestKey]) -> StoreFuture<'_, ()>;

    /// Binds keys to an inquiry that their request led to without a commit of its own. Fails like
    /// [`Store::commit`] if one of them was used before.
    fn bind_keys(&self, keys: &[RequestKey], inquiry: &InquiryId) -> StoreFuture<'_, ()>;

    /// The snapshot of a conversation with its waiting inquiries.
    fn load(
        &self,
        conversation: &ConversationId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>>;

    /// The same for a reader: only the oldest inquiry that waits has its questions, the JSON of the
    /// others is left empty. What is read does not grow with what waits.
    fn load_with_oldest_pending(
        &self,
        conversation: &ConversationId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>>;

    /// One conversation's row.
    fn conversation(&self, id: &ConversationId) -> StoreFuture<'_, Option<ConversationRow>>;

    /// Conversations, newest activity first. A page has at most the bytes of [`PAGE_BYTES_MAX`].
    ///
    /// [`PAGE_BYTES_MAX`]: crate::rows::PAGE_BYTES_MAX
    fn conversations(&self, filter: ConversationFilter) -> StoreFuture<'_, Page<ConversationRow>>;

    /// Events with a sequence above `after`, oldest first, of one conversation or of all. Fewer than
    /// `limit` are given where they would have more bytes than a page; none only behind the last.
    fn events(
        &self,
        conversation: Option<&ConversationId>,
        after: Sequence,
        limit: usize,
    ) -> StoreFuture<'_, Vec<EventRow>>;

    /// The last `limit` events of a conversation below `before`, oldest first. Fewer are given where
    /// they would have more bytes than a page; none only before the first.
    fn events_before(
        &self,
        conversation: &ConversationId,
        before: Option<Sequence>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<EventRow>>;

    /// How many transactions this process has written, each of which waited for the disk once, if
    /// the store counts them.
    fn transactions(&self) -> Option<u64> {
        None
    }

    /// The sequence of the newest event.
    fn newest_sequence(&self) -> StoreFuture<'_, Sequence>;

    /// One inquiry. Of one that waited when its conversation was closed, the tombstone stays.
    fn inquiry(&self, id: &InquiryId) -> StoreFuture<'_, Option<InquiryRow>>;

    /// Inquiries: pending ones by deadline, then age; others newest first. A page has at most the
    /// bytes of [`PAGE_BYTES_MAX`](crate::rows::PAGE_BYTES_MAX).
    fn inquiries(&self, filter: InquiryFilter) -> StoreFuture<'_, Page<InquiryRow>>;

    /// The names of the queues in which jobs wait or are held.
    fn job_queues(&self) -> StoreFuture<'_, Vec<String>>;

    /// Takes up to `limit` jobs of a queue that are due and that nobody holds.
    ///
    /// A claimed job belongs to its worker until it is finished, released or abandoned, however the
    /// clock is set meanwhile. A store that is shared by several processes finds out by itself
    /// which of them are gone.
    fn claim_jobs(&self, queue: &str, now: Timestamp, limit: usize) -> StoreFuture<'_, JobClaim>;

    /// Lets go of a claimed job and leaves it as it is. Nothing is written.
    fn abandon_job(&self, job: JobId);

    /// Gives a job back, to be claimed again from `run_at` on.
    fn release_job(&self, job: JobId, run_at: Timestamp) -> StoreFuture<'_, ()>;

    /// Lets the jobs of a queue that fall due after `now` fall due earlier `by` so much, but not
    /// before `now`.
    fn bring_forward_jobs(
        &self,
        queue: &str,
        now: Timestamp,
        by: SignedDuration,
    ) -> StoreFuture<'_, ()>;

    /// Removes a job that needs no commit of its own.
    fn finish_job(&self, job: JobId) -> StoreFuture<'_, ()>;

    /// Keeps a half-typed answer. A draft of an inquiry that is not pending is dropped.
    fn put_draft(&self, draft: DraftRow) -> StoreFuture<'_, ()>;

    /// The half-typed answer to an inquiry.
    fn draft(&self, inquiry: &InquiryId) -> StoreFuture<'_, Option<DraftRow>>;

    /// Notes how far the outcome of an inquiry has got to the agent that asked. False if no agent is
    /// known for it, or if it is [`Delivery::Done`] without an outcome.
    fn set_delivery(
        &self,
        inquiry: &InquiryId,
        delivery: Delivery,
        at: Timestamp,
    ) -> StoreFuture<'_, bool>;

    /// Removes what a closed conversation held, its children included. False if it is not closed, or
    /// if nothing was left.
    fn remove_content(&self, removal: ConversationRemoval) -> StoreFuture<'_, bool>;

    /// Deletes conversations that are idle, failed or closed, have nothing waiting but timers and were
    /// last touched before `before`, with all that belongs to them; at most `limit`. Returns how many.
    fn prune(&self, before: Timestamp, limit: usize) -> StoreFuture<'_, usize>;

    /// Whether writing goes on, as far as that is known without trying.
    fn is_working(&self) -> bool {
        true
    }

    /// Whether the store is there and can be read, and writing goes on. Writes nothing.
    fn probe(&self) -> StoreFuture<'_, ()>;

    /// Whether the store can be read and written.
    fn check(&self) -> StoreFuture<'_, ()>;
}

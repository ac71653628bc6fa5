//! The interface of a store. Every implementation passes the same conformance suite.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};

use askback_core::id::{ConversationId, InquiryId};

use crate::channel_store::ChannelStore;
use crate::clock_offset::ClockOffset;
use crate::commit::{
    Commit, CommitReceipt, ConversationRemoval, DeliveryRecord, DeliveryStep, RemovalStep,
    RequestKey, SessionTakeover,
};
use crate::credential_store::CredentialStore;
use crate::filters::{AskerSessionFilter, ConversationFilter, InquiryFilter};
use crate::remote_changes::RemoteChanges;
use crate::rows::{
    Backlog, ConversationRow, ConversationWithPending, DraftRow, EndedConversation, InquiryRow,
    JobClaim, JobId, JobRow, Page, RecordRow, Sequence,
};
use crate::session_store::SessionStore;

/// The future that a store call returns.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Why a store call failed.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The conversation has another version than expected, or exists already: load and decide again.
    #[error("the conversation has changed in the meantime")]
    Conflict,
    /// The same request was committed before under the same key; nothing was written.
    #[error("this was committed before")]
    Repeated {
        /// The inquiry that the first request was about.
        inquiry: Option<InquiryId>,
        /// The conversation that the first request was about.
        conversation: ConversationId,
    },
    /// The agent asked the same before, and the outcome was not delivered to it yet; nothing was
    /// written.
    #[error("this was asked before")]
    AlreadyAsked {
        /// The inquiry that was asked then.
        inquiry: InquiryId,
    },
    /// A different request was committed before under the same key; nothing was written.
    #[error("the key was used for another request")]
    KeyReused,
    /// The store cannot be read or written now: disk full, read-only, locked, deleted.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The disk failed during the commit, which may be on disk or not. Repeat the request with the
    /// same key.
    #[error("it is not known whether this was written: {0}")]
    CommitUnknown(String),
    /// The cursor does not come from a list in this order.
    #[error("the cursor is not one of this list")]
    BadCursor,
    /// The files of the store were removed or replaced while it was open. Nothing is written any more, and only a
    /// restart helps.
    #[error("{0}")]
    Replaced(String),
    /// The database itself is damaged. Nothing is written any more.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// Stored data cannot be parsed.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
}

impl StoreError {
    /// The message without the prefix of its variant.
    pub fn reason(self) -> String {
        if let StoreError::Unavailable(why) | StoreError::CommitUnknown(why) = self {
            why
        } else {
            self.to_string()
        }
    }

    /// Replaces the error of a damaged database.
    pub(crate) fn map_damaged(self, replace: impl FnOnce(&str) -> StoreError) -> StoreError {
        if let StoreError::Damaged(why) = &self {
            replace(why)
        } else {
            self
        }
    }
}

/// A durable store of conversations, inquiries and jobs.
pub trait Store: SessionStore + CredentialStore + ChannelStore {
    /// Writes one decision atomically. Returns when it is on disk.
    ///
    /// Fails with [`StoreError::Conflict`] unless the conversation has the expected version, with
    /// [`StoreError::Repeated`] or [`StoreError::KeyReused`] if one of the keys was committed before,
    /// and with [`StoreError::AlreadyAsked`] if the agent asked the same before and does not have the
    /// outcome yet. A constraint refuses a second outcome for an inquiry, as a conflict. After
    /// [`StoreError::CommitUnknown`], a read shows what was written, and that will not change.
    fn commit(&self, commit: Commit) -> StoreFuture<'_, CommitReceipt>;

    /// Fails with [`StoreError::Repeated`] or [`StoreError::KeyReused`] if one of the keys was used
    /// before.
    fn check_keys(&self, keys: &[RequestKey]) -> StoreFuture<'_, ()>;

    /// The inquiry that the request with this key was about.
    fn inquiry_with_key(&self, key: &str) -> StoreFuture<'_, Option<InquiryId>>;

    /// Binds the keys of a request to an inquiry that existed before. Fails like [`Store::check_keys`].
    fn bind_keys(&self, keys: &[RequestKey], inquiry: &InquiryId) -> StoreFuture<'_, ()>;

    /// A conversation with its pending inquiries.
    fn load(
        &self,
        conversation: &ConversationId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>>;

    /// The conversation in which an inquiry is pending, with all its pending inquiries. A damaged one may be `None`.
    fn load_by_pending(
        &self,
        inquiry: &InquiryId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>> {
        let id = inquiry.clone();
        Box::pin(async move {
            let Some(inquiry) = self.inquiry(&id).await? else {
                return Ok(None);
            };
            let loaded = self.load(&inquiry.conversation).await?;
            Ok(loaded.filter(|it| it.pending.iter().any(|row| row.id == id)))
        })
    }

    /// Like [`Store::load`], but only the oldest pending inquiry has its questions; the JSON of the
    /// others is empty. For readers: the size does not grow with the number of pending inquiries.
    fn load_with_oldest_pending(
        &self,
        conversation: &ConversationId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>>;

    /// Conversations, latest activity first. A page has at most [`PAGE_BYTES_MAX`] bytes.
    ///
    /// [`PAGE_BYTES_MAX`]: crate::rows::PAGE_BYTES_MAX
    fn conversations(&self, filter: ConversationFilter) -> StoreFuture<'_, Page<ConversationRow>>;

    /// Records that end after the position `after`, oldest first, of one conversation or of all. The
    /// first may begin before it. At most `limit`, and fewer if they exceed the bytes of a page. Empty
    /// only after the last record.
    fn records(
        &self,
        conversation: Option<&ConversationId>,
        after: Sequence,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RecordRow>>;

    /// The newest records of a conversation up to the first that ends at `up_to` or after it, oldest
    /// first: if a record contains the position, it is the last one. At most `limit`, and fewer if they
    /// exceed the bytes of a page. Empty only without records.
    fn records_up_to(
        &self,
        conversation: &ConversationId,
        up_to: Option<Sequence>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RecordRow>>;

    /// How many transactions this process has committed, each with one fsync. `None` if the store
    /// does not count them.
    fn transactions(&self) -> Option<u64> {
        None
    }

    /// The highest sequence number ever used, those of deleted records included.
    fn newest_sequence(&self) -> StoreFuture<'_, Sequence>;

    /// An inquiry, or its tombstone if its conversation was deleted while it was pending.
    fn inquiry(&self, id: &InquiryId) -> StoreFuture<'_, Option<InquiryRow>>;

    /// Inquiries: pending ones by deadline, then age; others newest first. A page has at most
    /// [`PAGE_BYTES_MAX`](crate::rows::PAGE_BYTES_MAX) bytes.
    fn inquiries(&self, filter: InquiryFilter) -> StoreFuture<'_, Page<InquiryRow>>;

    /// What waits. It reads all index entries of that, so it is for monitoring.
    fn backlog(&self) -> StoreFuture<'_, Backlog>;

    /// The names of the queues that have jobs, claimed or not.
    fn job_queues(&self) -> StoreFuture<'_, Vec<String>>;

    /// Claims up to `limit` due jobs of a queue that are not claimed.
    ///
    /// A claim lasts until the job is finished, released or abandoned; clock changes do not end it. A
    /// store that several processes share must detect by itself which of them are gone.
    fn claim_jobs(&self, queue: &str, now: Timestamp, limit: usize) -> StoreFuture<'_, JobClaim>;

    /// Whether this process still has the claim of a job. Reads nothing. A store that one process has for
    /// itself loses no claim.
    fn holds_claim(&self, job: JobId) -> bool {
        let _ = job;
        true
    }

    /// Ends a claim without writing anything, so that the job can be claimed again.
    fn abandon_job(&self, job: JobId);

    /// Ends a claim and makes the job due at `run_at`.
    fn release_job(&self, job: JobId, run_at: Timestamp) -> StoreFuture<'_, ()>;

    /// The same, with other content.
    fn replace_job(&self, job: JobId, run_at: Timestamp, json: String) -> StoreFuture<'_, ()>;

    /// Up to `limit` jobs of all queues whose names begin with `prefix`, claimed or not, in the order of their numbers,
    /// after a number.
    fn list_jobs(&self, prefix: &str, after: JobId, limit: usize) -> StoreFuture<'_, Vec<JobRow>>;

    /// Makes the jobs of a queue that are due after `now` due earlier by `by`, but not before `now`.
    fn bring_forward_jobs(
        &self,
        queue: &str,
        now: Timestamp,
        by: SignedDuration,
    ) -> StoreFuture<'_, ()>;

    /// Removes a job that finishes without a commit.
    fn finish_job(&self, job: JobId) -> StoreFuture<'_, ()>;

    /// Saves a draft. Does nothing if the inquiry is not pending.
    fn put_draft(&self, draft: DraftRow) -> StoreFuture<'_, ()>;

    /// Saves a draft in place of the one that was read before, or of none. False if another one is stored, or the inquiry is
    /// not pending.
    fn replace_draft(&self, draft: DraftRow, stored: Option<DraftRow>) -> StoreFuture<'_, bool>;

    /// The draft of an answer to an inquiry.
    fn draft(&self, inquiry: &InquiryId) -> StoreFuture<'_, Option<DraftRow>>;

    /// Hides an inquiry from the inbox until a time, or shows it again. Does nothing if it is not pending.
    fn put_snooze(&self, inquiry: &InquiryId, until: Option<Timestamp>) -> StoreFuture<'_, ()>;

    /// Records a step in the delivery of an outcome to the agent that asked.
    fn set_delivery(
        &self,
        inquiry: &InquiryId,
        step: DeliveryStep,
        at: Timestamp,
    ) -> StoreFuture<'_, DeliveryRecord>;

    /// The names of sessions with undelivered inquiries, in alphabetical order.
    fn asker_sessions(&self, filter: AskerSessionFilter) -> StoreFuture<'_, Vec<String>>;

    /// Passes the undelivered inquiries of ended sessions to another session. Returns how many; of several
    /// sessions that try at once, one gets them.
    fn take_over(&self, takeover: SessionTakeover) -> StoreFuture<'_, usize>;

    /// Removes content of a closed conversation: its newest records, then inquiries, then everything else. To be
    /// repeated until it is complete. Removes nothing if the conversation is not closed.
    fn remove_content(&self, removal: ConversationRemoval) -> StoreFuture<'_, RemovalStep>;

    /// Up to `limit` conversations that are idle or failed, are no sub-agents, have no pending inquiry and
    /// no job except timers, and were last changed before `before`; the oldest first.
    fn ended_conversations(
        &self,
        before: Timestamp,
        limit: usize,
    ) -> StoreFuture<'_, Vec<EndedConversation>>;

    /// Deletes what is left of up to `limit` conversations that were closed before `before` and have no
    /// jobs: their rows, closing records, tombstones and keys. Returns how many.
    fn prune(&self, before: Timestamp, limit: usize) -> StoreFuture<'_, usize>;

    /// What other processes change, for a store that several processes share. `None` for a store of one
    /// process, and for every call after the first.
    fn remote_changes(&self) -> Option<RemoteChanges> {
        None
    }

    /// How far the clock of a shared store is ahead of that of this machine. `None` if the time of this machine
    /// counts.
    fn clock_offset(&self) -> Option<Arc<ClockOffset>> {
        None
    }

    /// Whether other processes may have written since the last read.
    fn is_shared(&self) -> bool {
        false
    }

    /// The names of other nodes of this store whose servers have another token, so that links and sessions of one are
    /// not valid on the other.
    fn nodes_with_other_tokens(&self) -> StoreFuture<'_, Vec<String>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Whether the last write left the store usable. Does not access the disk.
    fn is_healthy(&self) -> bool {
        true
    }

    /// Fails with [`StoreError::Replaced`] or [`StoreError::Damaged`] if nothing is written any more. Cheap enough to be
    /// called often.
    fn check_in_place(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Whether a write has failed, and [`Store::check_ready`] has not found since then that writes work again.
    fn has_failed_writes(&self) -> bool {
        false
    }

    /// Fails unless the store exists, can be read and, as far as is known, written. Only after a failed write
    /// does it try one, which changes nothing.
    fn check_ready(&self) -> StoreFuture<'_, ()>;
}

//! A store in memory, which passes the conformance suite and whose calls can be slow or fail.
//!
//! A [`Database`] outlives the processes that use it; a [`MemoryStore`] is the connection of one process.

mod askers;
mod commit;
mod credentials;
mod deliveries;
mod jobs;
mod lists;
mod removal;
mod sessions;
mod tables;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askback_core::id::{ConversationId, InquiryId};
use askback_engine::ports::PortFuture;
use askback_store::{
    AskerSessionFilter, Backlog, Commit, CommitReceipt, ConversationFilter, ConversationRemoval,
    ConversationRow, ConversationWithPending, DeliveryRecord, DeliveryStep, DraftRow,
    EndedConversation, InquiryFilter, InquiryRow, JobClaim, JobId, JobRow, Page, RecordRow,
    RemoteChanges, RemovalStep, RequestKey, Sequence, SessionTakeover, Store, StoreError,
    StoreFuture,
};
use jiff::{SignedDuration, Timestamp};

use crate::lease::Lease;
pub(crate) use tables::Tables;
use tables::Written;

/// What is on disk, and the job claims of the processes that use it.
#[derive(Default)]
pub struct Database {
    tables: Mutex<Tables>,
    channel_values_read: AtomicUsize,
}

impl Database {
    /// Locks the tables, to look at them from outside of the simulated processes.
    pub(crate) fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many values of channels were read so far, by all processes.
    pub fn channel_values_read(&self) -> usize {
        self.channel_values_read.load(Ordering::Relaxed)
    }
}

/// How a call of the store goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It does not.
    None,
    /// It fails and nothing is written.
    Unavailable,
    /// It is written, but reported as unknown.
    UnknownWritten,
    /// It is not written and reported as unknown.
    UnknownNotWritten,
}

/// What a call does with the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// It changes nothing on disk.
    Read,
    /// It is one transaction.
    Write,
}

/// Delays and fails the calls of one process, and sees what it commits.
pub(crate) trait CallHooks: Send + Sync + 'static {
    /// Waits before a call takes effect, and decides how it goes wrong. Never returns once the process is
    /// dead.
    fn before(&self, call: &'static str, access: Access) -> PortFuture<'_, Fault>;

    /// Waits between the effect and the reply. Never returns once the process is dead.
    fn after(&self, call: &'static str) -> PortFuture<'_, ()>;

    /// A commit has taken effect.
    fn committed(&self, tables: &Tables, commit: &Commit, receipt: &CommitReceipt);

    /// Another write has taken effect.
    fn written(&self, tables: &Tables, call: &'static str);

    /// The lease that stands for the claims of the process, if it shares the database with others.
    fn lease(&self) -> Option<&Lease>;

    /// The hints about what others do. Only the first caller gets them.
    fn remote_changes(&self) -> Option<RemoteChanges>;
}

/// The connection of one process to a [`Database`].
pub struct MemoryStore {
    database: Arc<Database>,
    process: usize,
    hooks: Option<Arc<dyn CallHooks>>,
}

impl MemoryStore {
    /// A connection whose calls never fail.
    pub fn open(database: &Arc<Database>, process: usize) -> MemoryStore {
        MemoryStore {
            database: Arc::clone(database),
            process,
            hooks: None,
        }
    }

    /// A connection whose calls go through `hooks`.
    pub(crate) fn with_hooks(
        database: &Arc<Database>,
        process: usize,
        hooks: Arc<dyn CallHooks>,
    ) -> MemoryStore {
        let mut store = MemoryStore::open(database, process);
        store.hooks = Some(hooks);
        store
    }

    /// Whose claims are ours. `None` without a valid lease, also if others have ended it too early: a claim
    /// refers to a lease that exists.
    fn owner(&self, tables: &Tables) -> Option<usize> {
        let lease = self.hooks.as_ref().and_then(|hooks| hooks.lease());
        match lease {
            None => Some(self.process),
            Some(lease) => lease.node().filter(|node| tables.has_lease(*node)),
        }
    }

    fn read<'a, T: Send + 'a>(
        &'a self,
        call: &'static str,
        act: impl FnOnce(&mut Tables) -> Result<T, StoreError> + Send + 'a,
    ) -> StoreFuture<'a, T> {
        Box::pin(async move {
            let Some(hooks) = &self.hooks else {
                return act(&mut self.database.tables());
            };
            if hooks.before(call, Access::Read).await != Fault::None {
                return Err(unavailable());
            }
            let result = act(&mut self.database.tables());
            hooks.after(call).await;
            result
        })
    }

    fn write<'a, T: Send + 'a>(
        &'a self,
        call: &'static str,
        act: impl FnOnce(&mut Tables) -> Result<Written<T>, StoreError> + Send + 'a,
        seen: impl FnOnce(&dyn CallHooks, &Tables, &T) + Send + 'a,
    ) -> StoreFuture<'a, T> {
        Box::pin(async move {
            let Some(hooks) = &self.hooks else {
                let mut tables = self.database.tables();
                let written = act(&mut tables)?;
                let owner = self.owner(&tables);
                return Ok(tables.claim(owner, written));
            };
            let fault = hooks.before(call, Access::Write).await;
            let result = match fault {
                Fault::Unavailable => Err(unavailable()),
                Fault::UnknownNotWritten => Err(unknown()),
                Fault::None | Fault::UnknownWritten => {
                    let mut tables = self.database.tables();
                    act(&mut tables).and_then(|written| {
                        seen(hooks.as_ref(), &tables, &written.value);
                        if fault == Fault::UnknownWritten {
                            return Err(unknown());
                        }
                        let owner = self.owner(&tables);
                        Ok(tables.claim(owner, written))
                    })
                }
            };
            hooks.after(call).await;
            result
        })
    }

    fn write_plain<'a, T: Send + 'a>(
        &'a self,
        call: &'static str,
        act: impl FnOnce(&mut Tables) -> Result<Written<T>, StoreError> + Send + 'a,
    ) -> StoreFuture<'a, T> {
        self.write(call, act, move |hooks, tables, _| {
            hooks.written(tables, call);
        })
    }
}

impl Drop for MemoryStore {
    fn drop(&mut self) {
        self.database.tables().end_process(self.process);
    }
}

fn unavailable() -> StoreError {
    StoreError::Unavailable("simulated".to_owned())
}

fn unknown() -> StoreError {
    StoreError::CommitUnknown("simulated".to_owned())
}

impl Store for MemoryStore {
    fn commit(&self, commit: Commit) -> StoreFuture<'_, CommitReceipt> {
        let commit = Arc::new(commit);
        let seen = Arc::clone(&commit);
        self.write(
            "commit",
            move |tables| {
                let owner = self.owner(tables);
                tables.commit(&commit, owner)
            },
            move |hooks, tables, receipt| hooks.committed(tables, &seen, receipt),
        )
    }

    fn check_keys(&self, keys: &[RequestKey]) -> StoreFuture<'_, ()> {
        let keys = keys.to_vec();
        self.read("check_keys", move |tables| tables.refuse_used(&keys))
    }

    fn inquiry_with_key(&self, key: &str) -> StoreFuture<'_, Option<InquiryId>> {
        let key = key.to_owned();
        self.read("inquiry_with_key", move |tables| {
            let used = tables.keys.get(&key);
            Ok(used.and_then(|used| used.inquiry.clone()))
        })
    }

    fn bind_keys(&self, keys: &[RequestKey], inquiry: &InquiryId) -> StoreFuture<'_, ()> {
        let (keys, inquiry) = (keys.to_vec(), inquiry.clone());
        self.write_plain("bind_keys", move |tables| {
            tables.bind_keys(&keys, &inquiry).map(Written::from)
        })
    }

    fn load(&self, id: &ConversationId) -> StoreFuture<'_, Option<ConversationWithPending>> {
        let id = id.clone();
        self.read("load", move |tables| Ok(tables.load(&id)))
    }

    fn load_with_oldest_pending(
        &self,
        id: &ConversationId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>> {
        let id = id.clone();
        self.read("load_with_oldest_pending", move |tables| {
            let mut loaded = tables.load(&id);
            for row in loaded.iter_mut().flat_map(|it| &mut it.pending).skip(1) {
                row.json.clear();
            }
            Ok(loaded)
        })
    }

    fn conversations(&self, filter: ConversationFilter) -> StoreFuture<'_, Page<ConversationRow>> {
        self.read("conversations", move |tables| tables.conversations(&filter))
    }

    fn records(
        &self,
        conversation: Option<&ConversationId>,
        after: Sequence,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RecordRow>> {
        let conversation = conversation.cloned();
        self.read("records", move |tables| {
            Ok(tables.records_after(conversation.as_ref(), after, limit))
        })
    }

    fn records_up_to(
        &self,
        conversation: &ConversationId,
        up_to: Option<Sequence>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RecordRow>> {
        let conversation = conversation.clone();
        self.read("records_up_to", move |tables| {
            Ok(tables.records_up_to(&conversation, up_to, limit))
        })
    }

    fn newest_sequence(&self) -> StoreFuture<'_, Sequence> {
        self.read("newest_sequence", |tables| Ok(tables.newest()))
    }

    fn inquiry(&self, id: &InquiryId) -> StoreFuture<'_, Option<InquiryRow>> {
        let id = id.clone();
        self.read("inquiry", move |tables| Ok(tables.inquiry(&id)))
    }

    fn inquiries(&self, filter: InquiryFilter) -> StoreFuture<'_, Page<InquiryRow>> {
        self.read("inquiries", move |tables| tables.inquiries(&filter))
    }

    fn backlog(&self) -> StoreFuture<'_, Backlog> {
        self.read("backlog", |tables| Ok(tables.backlog()))
    }

    fn job_queues(&self) -> StoreFuture<'_, Vec<String>> {
        self.read("job_queues", |tables| Ok(tables.job_queues()))
    }

    fn claim_jobs(&self, queue: &str, now: Timestamp, limit: usize) -> StoreFuture<'_, JobClaim> {
        let queue = queue.to_owned();
        self.read("claim_jobs", move |tables| {
            let owner = self.owner(tables).ok_or_else(unavailable)?;
            Ok(tables.claim_jobs(owner, &queue, now, limit))
        })
    }

    fn holds_claim(&self, job: JobId) -> bool {
        let tables = self.database.tables();
        let owner = self.owner(&tables);
        owner.is_some_and(|owner| tables.holds_claim(owner, job))
    }

    fn abandon_job(&self, job: JobId) {
        let mut tables = self.database.tables();
        let lease = self.hooks.as_ref().and_then(|hooks| hooks.lease());
        // Also while the lease is not valid: it may be renewed.
        let owner = lease.map_or(Some(self.process), Lease::registered_node);
        if let Some(owner) = owner {
            tables.abandon_job(owner, job);
        }
    }

    fn release_job(&self, job: JobId, run_at: Timestamp) -> StoreFuture<'_, ()> {
        self.write_plain("release_job", move |tables| {
            let owner = self.owner(tables).ok_or_else(unavailable)?;
            Ok(tables.release_job(owner, job, run_at))
        })
    }

    fn replace_job(&self, job: JobId, run_at: Timestamp, json: String) -> StoreFuture<'_, ()> {
        self.write_plain("replace_job", move |tables| {
            let owner = self.owner(tables).ok_or_else(unavailable)?;
            tables.replace_job(owner, job, &json);
            Ok(tables.release_job(owner, job, run_at))
        })
    }

    fn list_jobs(&self, prefix: &str, after: JobId, limit: usize) -> StoreFuture<'_, Vec<JobRow>> {
        let prefix = prefix.to_owned();
        self.read("list_jobs", move |tables| {
            Ok(tables.list_jobs(&prefix, after, limit))
        })
    }

    fn bring_forward_jobs(
        &self,
        queue: &str,
        now: Timestamp,
        by: SignedDuration,
    ) -> StoreFuture<'_, ()> {
        let queue = queue.to_owned();
        self.write_plain("bring_forward_jobs", move |tables| {
            tables.bring_forward(&queue, now, by);
            Ok(Written::from(()))
        })
    }

    fn finish_job(&self, job: JobId) -> StoreFuture<'_, ()> {
        self.write_plain("finish_job", move |tables| {
            let owner = self.owner(tables).ok_or_else(unavailable)?;
            Ok(tables.finish_job(owner, job))
        })
    }

    fn put_draft(&self, draft: DraftRow) -> StoreFuture<'_, ()> {
        self.write_plain("put_draft", move |tables| {
            tables.put_draft(draft);
            Ok(Written::from(()))
        })
    }

    fn replace_draft(&self, draft: DraftRow, stored: Option<DraftRow>) -> StoreFuture<'_, bool> {
        self.write_plain("replace_draft", move |tables| {
            let found = tables.draft(&draft.inquiry).map(|it| it.json);
            let is_same = found == stored.map(|it| it.json);
            Ok(Written::from(is_same && tables.put_draft(draft)))
        })
    }

    fn draft(&self, inquiry: &InquiryId) -> StoreFuture<'_, Option<DraftRow>> {
        let inquiry = inquiry.clone();
        self.read("draft", move |tables| Ok(tables.draft(&inquiry)))
    }

    fn set_delivery(
        &self,
        inquiry: &InquiryId,
        step: DeliveryStep,
        at: Timestamp,
    ) -> StoreFuture<'_, DeliveryRecord> {
        let inquiry = inquiry.clone();
        self.write_plain("set_delivery", move |tables| {
            Ok(Written::from(tables.set_delivery(&inquiry, step, at)))
        })
    }

    fn asker_sessions(&self, filter: AskerSessionFilter) -> StoreFuture<'_, Vec<String>> {
        self.read("asker_sessions", move |tables| {
            Ok(tables.asker_sessions(&filter))
        })
    }

    fn take_over(&self, takeover: SessionTakeover) -> StoreFuture<'_, usize> {
        self.write_plain("take_over", move |tables| {
            Ok(Written::from(tables.take_over(&takeover)))
        })
    }

    fn put_snooze(&self, inquiry: &InquiryId, until: Option<Timestamp>) -> StoreFuture<'_, ()> {
        let inquiry = inquiry.clone();
        self.write_plain("put_snooze", move |tables| {
            tables.put_snooze(&inquiry, until);
            Ok(Written::from(()))
        })
    }

    fn remove_content(&self, removal: ConversationRemoval) -> StoreFuture<'_, RemovalStep> {
        self.write_plain("remove_content", move |tables| {
            Ok(tables.remove_content(&removal))
        })
    }

    fn ended_conversations(
        &self,
        before: Timestamp,
        limit: usize,
    ) -> StoreFuture<'_, Vec<EndedConversation>> {
        self.read("ended_conversations", move |tables| {
            Ok(tables.ended(before, limit))
        })
    }

    fn prune(&self, before: Timestamp, limit: usize) -> StoreFuture<'_, usize> {
        self.write_plain("prune", move |tables| Ok(tables.prune(before, limit)))
    }

    fn remote_changes(&self) -> Option<RemoteChanges> {
        self.hooks.as_ref()?.remote_changes()
    }

    fn is_shared(&self) -> bool {
        self.hooks
            .as_ref()
            .is_some_and(|hooks| hooks.lease().is_some())
    }

    fn check_ready(&self) -> StoreFuture<'_, ()> {
        self.read("check_ready", |_| Ok(()))
    }
}

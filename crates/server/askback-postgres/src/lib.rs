//! The PostgreSQL store: any number of nodes on one database.
//!
//! Commits of a node share transactions, and transactions of all nodes that write records take turns, so
//! that a record becomes visible only after all records before it. Job claims are stored, and end with
//! the lease of their node.

mod askers;
mod background;
mod batch;
mod batch_reads;
mod batch_writes;
mod connection;
mod conversations;
mod drafts;
mod error;
mod grouped_reads;
mod inquiries;
mod jobs;
mod listener;
mod load;
mod migrations;
mod node;
mod open_connections;
mod options;
mod plan;
mod pool;
mod records;
mod remote;
mod removal;
mod request_keys;
mod shared;
mod sql_executor;
mod sql_values;
mod tls;
mod transfer;
mod writer;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use jiff::{SignedDuration, Timestamp};

use askback_core::id::{ConversationId, InquiryId};

use askback_store::ClockOffset;
use askback_store::RemoteChanges;
use askback_store::commit::{
    Commit, CommitReceipt, ConversationRemoval, DeliveryRecord, DeliveryStep, RemovalStep,
    RequestKey, SessionTakeover,
};
use askback_store::filters::{AskerSessionFilter, ConversationFilter, InquiryFilter};
use askback_store::rows::{
    Backlog, ConversationRow, ConversationWithPending, DraftRow, EndedConversation, InquiryRow,
    JobClaim, JobId, JobRow, Page, RecordRow, Sequence,
};
use askback_store::sql::executor::{backlog, job_queues};
use askback_store::store::{Store, StoreError, StoreFuture};

pub use options::{NodeIdentity, PostgresOptions};
pub use transfer::PostgresTransfer;

use background::Background;
use connection::Connector;
use grouped_reads::GroupedReads;
use pool::Pool;
use shared::Shared;

/// Numbers rise with time, so that the lowest one is the oldest inquiry.
const PENDING: &str = "SELECT p.count, i.asked_at
     FROM (SELECT count(*), min(number) AS oldest FROM askback.inquiries WHERE status = 'pending') p
     LEFT JOIN askback.inquiries i ON i.number = p.oldest";

/// A [`Store`] in a PostgreSQL database, which other processes may use at the same time. Its methods
/// must be called inside a tokio runtime.
pub struct PostgresStore {
    pool: Arc<Pool>,
    reads: Reads,
    shared: Arc<Shared>,
    background: Background,
    token_id: Option<[u8; 16]>,
}

/// Calls a function with the pool and some keys.
macro_rules! with_pool {
    ($pool:expr, $read:path) => {{
        let pool = Arc::clone($pool);
        move |keys| {
            let pool = Arc::clone(&pool);
            async move { $read(&pool, &keys).await }
        }
    }};
}

/// Reads of single rows, which callers share.
struct Reads {
    inquiries: GroupedReads<InquiryId, InquiryRow>,
    conversations: GroupedReads<ConversationId, ConversationWithPending>,
    conversations_abridged: GroupedReads<ConversationId, ConversationWithPending>,
    conversations_by_pending: GroupedReads<InquiryId, ConversationWithPending>,
}

impl Reads {
    fn new(pool: &Arc<Pool>) -> Reads {
        Reads {
            inquiries: GroupedReads::new(with_pool!(pool, inquiries::read)),
            conversations: GroupedReads::new(with_pool!(pool, load::by_id)),
            conversations_abridged: GroupedReads::new(with_pool!(pool, load::by_id_abridged)),
            conversations_by_pending: GroupedReads::new(with_pool!(pool, load::by_pending)),
        }
    }
}

impl PostgresStore {
    /// Connects to the database, runs its migrations, and registers this process as a node.
    pub async fn open(options: PostgresOptions) -> Result<PostgresStore, StoreError> {
        let shared = Arc::new(Shared::default());
        let connector = Connector::new(options.clone(), Arc::clone(&shared))?;
        let pool = Pool::new(connector, Arc::clone(&shared), options.readers);
        let pool = Arc::new(pool);
        Ok(PostgresStore {
            reads: Reads::new(&pool),
            pool,
            token_id: options.node.token_id,
            background: Background::start(options, Arc::clone(&shared)).await?,
            shared,
        })
    }

    /// The claims of this node. Fails if it may not act on them.
    fn node(&self) -> Result<(&jobs::NodeClaims, i64), StoreError> {
        let cut_off = || {
            let why = "this node has lost its lease, because it could not reach the database";
            StoreError::Unavailable(why.to_owned())
        };
        let node = self.shared.node().ok_or_else(cut_off)?;
        Ok((&self.shared.claims, node))
    }
}

impl Drop for PostgresStore {
    /// Writes what is queued and frees the jobs of this node. Blocks until that is done.
    fn drop(&mut self) {
        self.background.close();
        self.pool.close();
    }
}

impl Store for PostgresStore {
    fn transactions(&self) -> Option<u64> {
        Some(self.shared.transactions.load(Ordering::Relaxed))
    }

    fn commit(&self, mut commit: Commit) -> StoreFuture<'_, CommitReceipt> {
        commit.keys = request_keys::shortened(commit.keys);
        Box::pin(self.background.commit(commit))
    }

    fn check_keys(&self, keys: &[RequestKey]) -> StoreFuture<'_, ()> {
        let keys = request_keys::shortened(keys.to_vec());
        Box::pin(async move { request_keys::check(&self.pool, &keys).await })
    }

    fn inquiry_with_key(&self, key: &str) -> StoreFuture<'_, Option<InquiryId>> {
        let key = askback_store::sql::request_key_hash::shortened(key.to_owned());
        Box::pin(async move { request_keys::inquiry(&self.pool, &key).await })
    }

    fn bind_keys(&self, keys: &[RequestKey], inquiry: &InquiryId) -> StoreFuture<'_, ()> {
        let (keys, inquiry) = (request_keys::shortened(keys.to_vec()), inquiry.clone());
        Box::pin(async move { request_keys::bind(&self.pool, &keys, &inquiry).await })
    }

    fn load(
        &self,
        conversation: &ConversationId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>> {
        Box::pin(self.reads.conversations.get(conversation.clone()))
    }

    fn load_with_oldest_pending(
        &self,
        conversation: &ConversationId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>> {
        Box::pin(self.reads.conversations_abridged.get(conversation.clone()))
    }

    fn load_by_pending(
        &self,
        inquiry: &InquiryId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>> {
        Box::pin(self.reads.conversations_by_pending.get(inquiry.clone()))
    }

    fn conversations(&self, filter: ConversationFilter) -> StoreFuture<'_, Page<ConversationRow>> {
        Box::pin(async move { conversations::list(&self.pool, &filter).await })
    }

    fn records(
        &self,
        conversation: Option<&ConversationId>,
        after: Sequence,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RecordRow>> {
        let id = conversation.cloned();
        Box::pin(async move { records::after(&self.pool, id.as_ref(), after, limit).await })
    }

    fn records_up_to(
        &self,
        conversation: &ConversationId,
        up_to: Option<Sequence>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RecordRow>> {
        let id = conversation.clone();
        Box::pin(async move { records::up_to_in(&self.pool, &id, up_to, limit).await })
    }

    fn newest_sequence(&self) -> StoreFuture<'_, Sequence> {
        Box::pin(records::newest_sequence(&self.pool))
    }

    fn inquiry(&self, id: &InquiryId) -> StoreFuture<'_, Option<InquiryRow>> {
        Box::pin(self.reads.inquiries.get(id.clone()))
    }

    fn inquiries(&self, filter: InquiryFilter) -> StoreFuture<'_, Page<InquiryRow>> {
        Box::pin(async move { inquiries::list(&self.pool, &filter).await })
    }

    fn backlog(&self) -> StoreFuture<'_, Backlog> {
        backlog(self, PENDING)
    }

    fn job_queues(&self) -> StoreFuture<'_, Vec<String>> {
        job_queues(self)
    }

    fn claim_jobs(&self, queue: &str, now: Timestamp, limit: usize) -> StoreFuture<'_, JobClaim> {
        let queue = queue.to_owned();
        Box::pin(async move {
            let (_, node) = self.node()?;
            jobs::claim(&self.pool, &self.shared, node, &queue, now, limit).await
        })
    }

    fn holds_claim(&self, job: JobId) -> bool {
        self.shared.node().is_some() && self.shared.claims.holds(job)
    }

    fn abandon_job(&self, job: JobId) {
        self.shared.claims.held.abandon(job);
    }

    fn release_job(&self, job: JobId, run_at: Timestamp) -> StoreFuture<'_, ()> {
        Box::pin(async move { jobs::release(&self.pool, self.node()?, job, (run_at, None)).await })
    }

    fn replace_job(&self, job: JobId, run_at: Timestamp, json: String) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            jobs::release(&self.pool, self.node()?, job, (run_at, Some(&json))).await
        })
    }

    fn list_jobs(&self, prefix: &str, after: JobId, limit: usize) -> StoreFuture<'_, Vec<JobRow>> {
        let prefix = prefix.to_owned();
        Box::pin(async move { jobs::list(&self.pool, &prefix, (after, limit)).await })
    }

    fn bring_forward_jobs(
        &self,
        queue: &str,
        now: Timestamp,
        by: SignedDuration,
    ) -> StoreFuture<'_, ()> {
        let queue = queue.to_owned();
        Box::pin(async move { jobs::bring_forward(&self.pool, &queue, now, by).await })
    }

    fn finish_job(&self, job: JobId) -> StoreFuture<'_, ()> {
        Box::pin(async move { jobs::finish(&self.pool, self.node()?, job).await })
    }

    fn put_draft(&self, draft: DraftRow) -> StoreFuture<'_, ()> {
        Box::pin(async move { drafts::put(&self.pool, &draft).await })
    }

    fn replace_draft(&self, draft: DraftRow, stored: Option<DraftRow>) -> StoreFuture<'_, bool> {
        Box::pin(async move { drafts::replace(&self.pool, &draft, stored.as_ref()).await })
    }

    fn draft(&self, inquiry: &InquiryId) -> StoreFuture<'_, Option<DraftRow>> {
        let inquiry = inquiry.clone();
        Box::pin(async move { drafts::read(&self.pool, &inquiry).await })
    }

    fn put_snooze(&self, inquiry: &InquiryId, until: Option<Timestamp>) -> StoreFuture<'_, ()> {
        let inquiry = inquiry.clone();
        Box::pin(async move { drafts::put_snooze(&self.pool, &self.shared, &inquiry, until).await })
    }

    fn set_delivery(
        &self,
        inquiry: &InquiryId,
        step: DeliveryStep,
        at: Timestamp,
    ) -> StoreFuture<'_, DeliveryRecord> {
        let inquiry = inquiry.clone();
        Box::pin(async move { askers::set_delivery(&self.pool, &inquiry, step, at).await })
    }

    fn asker_sessions(&self, filter: AskerSessionFilter) -> StoreFuture<'_, Vec<String>> {
        Box::pin(async move { askers::sessions(&self.pool, &filter).await })
    }

    fn take_over(&self, takeover: SessionTakeover) -> StoreFuture<'_, usize> {
        Box::pin(async move { askers::take_over(&self.pool, &takeover).await })
    }

    fn remove_content(&self, removal: ConversationRemoval) -> StoreFuture<'_, RemovalStep> {
        Box::pin(async move { removal::remove_content(&self.pool, &removal).await })
    }

    fn ended_conversations(
        &self,
        before: Timestamp,
        limit: usize,
    ) -> StoreFuture<'_, Vec<EndedConversation>> {
        Box::pin(removal::ended(&self.pool, before, limit))
    }

    fn prune(&self, before: Timestamp, limit: usize) -> StoreFuture<'_, usize> {
        Box::pin(removal::prune(&self.pool, before, limit))
    }

    fn remote_changes(&self) -> Option<RemoteChanges> {
        self.shared.subscribe()
    }

    fn clock_offset(&self) -> Option<Arc<ClockOffset>> {
        Some(Arc::clone(&self.shared.clock_offset))
    }

    fn nodes_with_other_tokens(&self) -> StoreFuture<'_, Vec<String>> {
        Box::pin(async move {
            match &self.token_id {
                Some(token_id) => node::with_other_tokens(&self.pool, token_id).await,
                None => Ok(Vec::new()),
            }
        })
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn is_healthy(&self) -> bool {
        self.background.is_running() && self.shared.unresolved().is_none()
    }

    fn check_ready(&self) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            if self.shared.last_write_failed.load(Ordering::Relaxed) {
                records::write_nothing_new(&self.pool).await?;
                self.shared
                    .last_write_failed
                    .store(false, Ordering::Relaxed);
            }
            records::newest_sequence(&self.pool).await.map(drop)
        })
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;

#[cfg(test)]
mod nodes_tests;

#[cfg(test)]
mod lost_connection_tests;

#[cfg(test)]
mod cut_off_tests;

#[cfg(test)]
mod pooler_tests;

#[cfg(test)]
mod tls_tests;

#[cfg(test)]
mod transfer_tests;

//! The SQLite store: one file, one writing thread, and a pool of reading connections.
//!
//! A commit is on disk before its caller continues. Writes that wait at the same time share one
//! transaction; reads run concurrently. Job claims are kept in memory, because only one process at a
//! time can open a database.

mod askers;
mod backup;
mod batch_target;
mod checkpoint;
mod commit;
mod connection;
mod conversations;
mod damage;
mod database_file;
mod database_header;
mod disk_fault;
mod distinct_values;
mod drafts;
mod error;
mod file_identity;
#[cfg(test)]
#[path = "sqlite/indexes_tests.rs"]
mod indexes_tests;
mod inquiries;
mod interned_name;
mod jobs;
mod lock_record;
mod migrations;
mod options;
#[cfg(test)]
#[path = "sqlite/pages_tests.rs"]
mod pages_tests;
#[cfg(test)]
#[path = "sqlite/query_plan_tests.rs"]
mod query_plan;
mod queued_write;
mod read_pool;
mod records;
mod removal;
mod request_keys;
mod room;
mod snoozes;
mod sql_executor;
mod sql_types;
mod statements;
mod transfer;
mod wal;
mod writer;

use std::path::Path;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use askback_core::id::{ConversationId, InquiryId};

use crate::commit::{
    Commit, CommitReceipt, ConversationRemoval, DeliveryRecord, DeliveryStep, RemovalStep,
    RequestKey, SessionTakeover,
};
use crate::filters::{AskerSessionFilter, ConversationFilter, InquiryFilter, QuestionScope};
use crate::rows::{
    Backlog, ConversationRow, ConversationWithPending, DraftRow, EndedConversation, InquiryRow,
    JobClaim, JobId, JobRow, Page, RecordRow, Sequence,
};
use crate::sql::claims::Claims;
use crate::sql::executor::{backlog, job_queues};
use crate::store::{Store, StoreError, StoreFuture};

pub use backup::{BackupContents, back_up};
pub use damage::{QuickCheck, quick_check};
pub use disk_fault::{CommitFault, DiskFaults};
pub use options::{SqliteOptions, Synchronous};
pub use transfer::SqliteTransfer;

use database_file::DatabaseFile;
use jobs::ClaimQuery;
use queued_write::Written;
use read_pool::ReadPool;
use writer::Writer;

/// Numbers rise with time, so that the lowest one is the oldest inquiry. SQLite would rather read the index of all
/// conversations.
const PENDING: &str = "SELECT p.count, i.asked_at
     FROM (SELECT count(*) AS count, min(number) AS oldest
           FROM inquiries INDEXED BY inquiries_pending WHERE status = 0) p
     LEFT JOIN inquiries i ON i.number = p.oldest";

/// A [`Store`] in one SQLite file. Its methods must be called inside a tokio runtime.
pub struct SqliteStore {
    readers: Arc<ReadPool>,
    writer: Writer,
    /// Only one process at a time can have the database open, so claims are kept in memory: a claim costs no write, and
    /// when the process ends, all jobs are free.
    claims: Arc<Claims>,
    options: SqliteOptions,
    /// Unlocks the database when the last connection is closed.
    file: Arc<DatabaseFile>,
}

impl SqliteStore {
    /// Opens or creates the database at `path` and runs its migrations. Blocks until that is done.
    /// Fails if another process has the file open, even under another name. The database files are
    /// readable by their owner only.
    pub fn open(path: &Path, options: SqliteOptions) -> Result<SqliteStore, StoreError> {
        let file = Arc::new(DatabaseFile::lock(path)?);
        let open = || -> Result<Connection, StoreError> {
            let mut connection = connection::open_writer(file.path(), &options)?;
            migrations::migrate(&mut connection, migrations::MIGRATIONS)?;
            Ok(connection)
        };
        let connection =
            open().map_err(|error| error.map_damaged(|why| damage::damaged(file.path(), why)))?;
        file.watch(connection::log_frames(&connection, &options))?;
        let claims = Arc::new(Claims::default());
        Ok(SqliteStore {
            writer: Writer::start(connection, Arc::clone(&file), &options, Arc::clone(&claims))?,
            readers: Arc::new(ReadPool::new(Arc::clone(&file), options.clone())),
            claims,
            options,
            file,
        })
    }

    /// Finds out whether writes work again after one has failed.
    async fn try_write(&self, failures: u64) -> Result<(), StoreError> {
        let (file, faults) = (Arc::clone(&self.file), self.options.faults.clone());
        let room = tokio::task::spawn_blocking(move || room::check_room(file.path(), &faults));
        room.await
            .map_err(|error| StoreError::Unavailable(error.to_string()))??;
        self.write(commit::write_nothing_new).await?;
        self.writer.forget_failures(failures);
        Ok(())
    }

    fn read<T, R>(&self, read: R) -> StoreFuture<'_, T>
    where
        T: Send + 'static,
        R: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        Box::pin(self.readers.read(read))
    }

    fn write<T, W>(&self, write: W) -> StoreFuture<'_, T>
    where
        T: Send + 'static,
        W: FnMut(&Connection) -> Result<Written<T>, StoreError> + Send + 'static,
    {
        Box::pin(self.writer.write(write))
    }
}

impl Drop for SqliteStore {
    /// Writes what is queued and closes the database. The readers close first, so that the writer is
    /// the last connection, which checkpoints and removes the WAL.
    fn drop(&mut self) {
        self.readers.close_idle();
        self.writer.close();
    }
}

impl Store for SqliteStore {
    fn transactions(&self) -> Option<u64> {
        Some(self.writer.transactions())
    }

    fn commit(&self, commit: Commit) -> StoreFuture<'_, CommitReceipt> {
        self.write(move |transaction| commit::write(transaction, &commit))
    }

    fn load(
        &self,
        conversation: &ConversationId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>> {
        let id = conversation.clone();
        self.read(move |connection| conversations::load(connection, &id, QuestionScope::AllPending))
    }

    fn load_with_oldest_pending(
        &self,
        conversation: &ConversationId,
    ) -> StoreFuture<'_, Option<ConversationWithPending>> {
        let id = conversation.clone();
        self.read(move |connection| {
            conversations::load(connection, &id, QuestionScope::OldestPending)
        })
    }

    fn conversations(&self, filter: ConversationFilter) -> StoreFuture<'_, Page<ConversationRow>> {
        self.read(move |connection| conversations::list(connection, &filter))
    }

    fn records(
        &self,
        conversation: Option<&ConversationId>,
        after: Sequence,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RecordRow>> {
        let conversation = conversation.cloned();
        self.read(move |connection| match conversation {
            Some(id) => records::after_in(connection, &id, after, limit),
            None => records::after(connection, after, limit),
        })
    }

    fn records_up_to(
        &self,
        conversation: &ConversationId,
        up_to: Option<Sequence>,
        limit: usize,
    ) -> StoreFuture<'_, Vec<RecordRow>> {
        let id = conversation.clone();
        self.read(move |connection| records::up_to_in(connection, &id, up_to, limit))
    }

    fn newest_sequence(&self) -> StoreFuture<'_, Sequence> {
        self.read(commit::newest_sequence)
    }

    fn inquiry(&self, id: &InquiryId) -> StoreFuture<'_, Option<InquiryRow>> {
        let id = id.clone();
        self.read(move |connection| inquiries::read(connection, &id))
    }

    fn inquiries(&self, filter: InquiryFilter) -> StoreFuture<'_, Page<InquiryRow>> {
        self.read(move |connection| inquiries::list(connection, &filter))
    }

    fn backlog(&self) -> StoreFuture<'_, Backlog> {
        backlog(self, PENDING)
    }

    fn job_queues(&self) -> StoreFuture<'_, Vec<String>> {
        job_queues(self)
    }

    fn claim_jobs(&self, queue: &str, now: Timestamp, limit: usize) -> StoreFuture<'_, JobClaim> {
        let claims = Arc::clone(&self.claims);
        let query = ClaimQuery {
            queue: queue.to_owned(),
            now,
            limit,
        };
        self.read(move |connection| jobs::claim(connection, &claims, &query))
    }

    fn abandon_job(&self, job: JobId) {
        self.claims.abandon(job);
    }

    fn release_job(&self, job: JobId, run_at: Timestamp) -> StoreFuture<'_, ()> {
        let attempt = jobs::attempt(&self.claims, job);
        self.write(move |transaction| jobs::release(transaction, job, run_at, (attempt, None)))
    }

    fn replace_job(&self, job: JobId, run_at: Timestamp, json: String) -> StoreFuture<'_, ()> {
        let attempt = jobs::attempt(&self.claims, job);
        self.write(move |transaction| {
            jobs::release(transaction, job, run_at, (attempt, Some(&json)))
        })
    }

    fn list_jobs(&self, prefix: &str, after: JobId, limit: usize) -> StoreFuture<'_, Vec<JobRow>> {
        let prefix = prefix.to_owned();
        self.read(move |connection| jobs::list(connection, &prefix, after, limit))
    }

    fn bring_forward_jobs(
        &self,
        queue: &str,
        now: Timestamp,
        by: SignedDuration,
    ) -> StoreFuture<'_, ()> {
        let queue = queue.to_owned();
        self.write(move |transaction| jobs::bring_forward(transaction, &queue, now, by))
    }

    fn finish_job(&self, job: JobId) -> StoreFuture<'_, ()> {
        self.write(move |transaction| jobs::finish(transaction, job))
    }

    fn put_draft(&self, draft: DraftRow) -> StoreFuture<'_, ()> {
        self.write(move |transaction| drafts::put(transaction, &draft))
    }

    fn replace_draft(&self, draft: DraftRow, stored: Option<DraftRow>) -> StoreFuture<'_, bool> {
        self.write(move |transaction| drafts::replace(transaction, &draft, stored.as_ref()))
    }

    fn put_snooze(&self, inquiry: &InquiryId, until: Option<Timestamp>) -> StoreFuture<'_, ()> {
        let inquiry = inquiry.clone();
        self.write(move |transaction| snoozes::put(transaction, &inquiry, until))
    }

    fn check_keys(&self, keys: &[RequestKey]) -> StoreFuture<'_, ()> {
        let keys = keys.to_vec();
        self.read(move |connection| request_keys::refuse_used(connection, &keys))
    }

    fn inquiry_with_key(&self, key: &str) -> StoreFuture<'_, Option<InquiryId>> {
        let key = key.to_owned();
        self.read(move |connection| request_keys::inquiry(connection, &key))
    }

    fn bind_keys(&self, keys: &[RequestKey], inquiry: &InquiryId) -> StoreFuture<'_, ()> {
        let (keys, inquiry) = (keys.to_vec(), inquiry.clone());
        self.write(move |transaction| request_keys::bind(transaction, &keys, &inquiry))
    }

    fn draft(&self, inquiry: &InquiryId) -> StoreFuture<'_, Option<DraftRow>> {
        let inquiry = inquiry.clone();
        self.read(move |connection| drafts::read(connection, &inquiry))
    }

    fn set_delivery(
        &self,
        inquiry: &InquiryId,
        step: DeliveryStep,
        at: Timestamp,
    ) -> StoreFuture<'_, DeliveryRecord> {
        let inquiry = inquiry.clone();
        self.write(move |transaction| askers::set_delivery(transaction, &inquiry, step, at))
    }

    fn asker_sessions(&self, filter: AskerSessionFilter) -> StoreFuture<'_, Vec<String>> {
        self.read(move |connection| askers::sessions(connection, &filter))
    }

    fn take_over(&self, takeover: SessionTakeover) -> StoreFuture<'_, usize> {
        self.write(move |transaction| askers::take_over(transaction, &takeover))
    }

    fn remove_content(&self, removal: ConversationRemoval) -> StoreFuture<'_, RemovalStep> {
        self.write(move |transaction| removal::remove_content(transaction, &removal))
    }

    fn ended_conversations(
        &self,
        before: Timestamp,
        limit: usize,
    ) -> StoreFuture<'_, Vec<EndedConversation>> {
        self.read(move |connection| removal::ended(connection, before, limit))
    }

    fn prune(&self, before: Timestamp, limit: usize) -> StoreFuture<'_, usize> {
        self.write(move |transaction| removal::prune(transaction, before, limit))
    }

    fn is_healthy(&self) -> bool {
        self.writer.is_healthy() && !self.file.is_lost()
    }

    fn check_in_place(&self) -> Result<(), StoreError> {
        self.file.check_in_place()
    }

    fn has_failed_writes(&self) -> bool {
        self.writer.failures().is_some()
    }

    fn check_ready(&self) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            self.file.check_in_place()?;
            if !self.writer.is_healthy() {
                let why = "after a failed write the database cannot be opened again".to_owned();
                return Err(StoreError::Unavailable(why));
            }
            if let Some(failures) = self.writer.failures() {
                self.try_write(failures).await?;
            }
            self.read(|connection| commit::newest_sequence(connection).map(drop))
                .await
        })
    }
}

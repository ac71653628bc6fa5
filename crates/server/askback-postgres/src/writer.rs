//! The writer of a node. Commits that wait at the same time share one transaction (group commit): two
//! round trips and one fsync, however many they are.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::batch::Batch;
use crate::batch_writes::BatchMark;
use crate::connection::{Connection, Connector};
use crate::error::{ends_connection, is_transient};
use crate::plan::{Writes, plan};
use crate::pool::{BEGIN, LOCK_COUNTERS, WorkError};
use crate::remote::{CHANNEL, Message};
use crate::shared::Shared;
use crate::{batch_reads, batch_writes};
use askback_store::commit::{Commit, CommitReceipt};
use askback_store::store::StoreError;

/// The most commits in one transaction.
const BATCH_MAX: usize = 256;
/// The most bytes of JSON in one transaction, unless a single commit has more.
const BATCH_BYTES_MAX: usize = 16 << 20;
/// The most commits that are queued. Further callers wait.
pub(super) const QUEUE_MAX: usize = 1024;
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// Whether a batch whose connection was lost was written.
const IS_WRITTEN: &str = "SELECT 1 FROM askback.writers WHERE id = $1 AND batch = $2";

/// Processes that ended without closing their store.
const FORGET_OLD: &str = "DELETE FROM askback.writers WHERE used_at < now() - interval '30 days'";

const FORGET: &str = "DELETE FROM askback.writers WHERE id = $1";

pub(super) struct CommitRequest {
    pub(super) commit: Commit,
    pub(super) sender: oneshot::Sender<Result<CommitReceipt, StoreError>>,
}

pub(super) struct Writer {
    pub(super) connector: Connector,
    pub(super) shared: Arc<Shared>,
    pub(super) connection: Option<Connection>,
    /// The last batch that was tried.
    pub(super) last: BatchMark,
    /// For which node it claimed jobs.
    pub(super) node: Option<i64>,
}

type Results = Vec<Result<CommitReceipt, StoreError>>;

/// Why a batch failed.
enum BatchError {
    /// Nothing was written, and the connection is gone.
    Disconnected(StoreError),
    /// Nothing was written, because of one of the commits.
    Refused(StoreError),
    /// It may have been written. The results are valid if it was.
    Unknown {
        mark: BatchMark,
        results: Results,
        why: String,
    },
}

struct IsWritten(bool);

impl Writer {
    /// Writes commits until all senders are gone.
    pub(super) async fn run(mut self, mut requests: mpsc::Receiver<CommitRequest>) {
        let mut waiting = VecDeque::new();
        loop {
            if waiting.is_empty() {
                match requests.recv().await {
                    Some(first) => waiting.push_back(first),
                    None => break,
                }
            }
            while waiting.len() < QUEUE_MAX
                && let Ok(next) = requests.try_recv()
            {
                waiting.push_back(next);
            }
            let batch = take_batch(&mut waiting);
            self.write_batch(batch).await;
            if self.shared.unresolved().is_some() {
                self.fail_until_resolved(&mut requests, &mut waiting).await;
            }
        }
        if let Some(connection) = &self.connection {
            // What stays is removed after a month.
            drop(connection.execute(FORGET, &[&self.last.writer]).await);
        }
    }

    async fn write_batch(&mut self, batch: Vec<CommitRequest>) {
        let commits: Vec<&Commit> = batch.iter().map(|request| &request.commit).collect();
        let results = self.write(&commits).await;
        let failed = |it: &Result<_, StoreError>| matches!(it, Err(StoreError::Unavailable(_)));
        let have_failed = results.iter().all(failed);
        self.shared
            .last_write_failed
            .store(have_failed, Ordering::Relaxed);
        for (request, result) in batch.into_iter().zip(results) {
            if let Ok(receipt) = &result {
                self.shared.acquire_claims(self.node, &receipt.claimed);
                let finished = &request.commit.finished_jobs;
                self.shared.claims.held.release(finished);
            }
            // The caller may have gone away; it can read the result later.
            drop(request.sender.send(result));
        }
    }

    /// Writes a batch, or each commit alone if one of them fails the transaction.
    async fn write(&mut self, commits: &[&Commit]) -> Results {
        match self.write_patiently(commits).await {
            Ok(results) => results,
            Err(StoreError::CommitUnknown(why)) => {
                fail_all(commits, || StoreError::CommitUnknown(why.clone()))
            }
            Err(error) if commits.len() == 1 => vec![Err(error)],
            Err(StoreError::Unavailable(why)) if self.connection.is_none() => {
                fail_all(commits, || StoreError::Unavailable(why.clone()))
            }
            Err(_) => {
                let mut results = Vec::with_capacity(commits.len());
                for commit in commits {
                    let alone = self.write_patiently(std::slice::from_ref(commit)).await;
                    let result = alone.map(|mut results| results.pop());
                    results.push(match result {
                        Ok(Some(result)) => result,
                        Ok(None) => Err(closed()),
                        Err(error) => Err(error),
                    });
                }
                results
            }
        }
    }

    /// Tries again while the database cannot be reached, for a while.
    async fn write_patiently(&mut self, commits: &[&Commit]) -> Result<Results, StoreError> {
        let give_up_at = Instant::now() + self.connector.options.patience;
        loop {
            let error = match self.try_write(commits).await {
                Ok(results) => return Ok(results),
                Err(BatchError::Refused(error)) => return Err(error),
                Err(BatchError::Disconnected(error)) => {
                    self.connection = None;
                    error
                }
                Err(BatchError::Unknown { mark, results, why }) => {
                    self.connection = None;
                    match self.find_result(mark, give_up_at).await {
                        Some(IsWritten(true)) => return Ok(results),
                        Some(IsWritten(false)) => StoreError::Unavailable(why),
                        None => {
                            self.shared.set_unresolved(Some(mark));
                            return Err(StoreError::CommitUnknown(why));
                        }
                    }
                }
            };
            if Instant::now() >= give_up_at {
                return Err(error);
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    async fn try_write(&mut self, commits: &[&Commit]) -> Result<Results, BatchError> {
        let node = self.shared.node();
        self.node = node;
        self.last.batch += 1;
        let mark = self.last;
        let connection = self.connected().await.map_err(BatchError::Disconnected)?;
        // Boxed, because the future of all reads is large and would be moved with each call above it.
        let read = Box::pin(batch_reads::read(connection, commits, node.unwrap_or(0)));
        let known = match read.await {
            Ok(read) => read,
            Err(error) => return Err(self.not_written(error).await),
        };
        let (results, writes) = plan(commits, &known);
        if results.iter().all(Result::is_err) {
            let rolled_back = connection.batch("ROLLBACK").await;
            rolled_back.map_err(|error| BatchError::Disconnected(error.into()))?;
            return Ok(results);
        }
        let message = message(node.unwrap_or(0), &writes).to_string();
        let written = batch_writes::write(connection, &writes, mark, (CHANNEL, &message)).await;
        match written {
            Ok(()) => {
                self.shared.transactions.fetch_add(1, Ordering::Relaxed);
                Ok(results)
            }
            Err(error) if ends_connection(&error) => Err(BatchError::Unknown {
                mark,
                results,
                why: StoreError::from(error).reason(),
            }),
            Err(error) => Err(self.not_written(error.into()).await),
        }
    }

    /// After an error of the server: the transaction is rolled back, or its connection is given up.
    async fn not_written(&mut self, error: WorkError) -> BatchError {
        let is_open = match &error {
            WorkError::Database(error) => !ends_connection(error),
            WorkError::Store(_) => true,
        };
        let is_usable = match &self.connection {
            Some(connection) if is_open => connection.batch("ROLLBACK").await.is_ok(),
            Some(_) | None => false,
        };
        if !is_usable {
            self.connection = None;
        }
        match error {
            WorkError::Database(error) if !is_open || is_transient(&error) => {
                BatchError::Disconnected(error.into())
            }
            WorkError::Database(error) => BatchError::Refused(error.into()),
            WorkError::Store(error) => BatchError::Refused(error),
        }
    }

    async fn connected(&mut self) -> Result<&Connection, StoreError> {
        if self.connection.as_ref().is_none_or(Connection::is_closed) {
            self.connection = None;
        }
        match &mut self.connection {
            Some(connection) => Ok(connection),
            empty @ None => {
                let connection = self.connector.connect().await?;
                connection.prepare(batch_reads::STATEMENTS).await?;
                connection.prepare(batch_writes::STATEMENTS).await?;
                connection.execute(FORGET_OLD, &[]).await?;
                Ok(empty.insert(connection))
            }
        }
    }

    /// Finds out whether a transaction was committed. `None` if the database cannot be reached in time.
    async fn find_result(&mut self, mark: BatchMark, give_up_at: Instant) -> Option<IsWritten> {
        loop {
            match self.read_result(mark).await {
                Ok(found) => return Some(found),
                Err(error) => {
                    tracing::warn!(%error, "cannot find out yet whether a commit was written");
                    self.connection = None;
                }
            }
            if Instant::now() >= give_up_at {
                return None;
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    async fn read_result(&mut self, mark: BatchMark) -> Result<IsWritten, StoreError> {
        let connection = self.connected().await?;
        connection.batch(BEGIN).await?;
        // The lost transaction holds this lock until it has ended. The answer is final then.
        connection.query(LOCK_COUNTERS, &[]).await?;
        let found = connection
            .query(IS_WRITTEN, &[&mark.writer, &mark.batch])
            .await?;
        connection.batch("ROLLBACK").await?;
        Ok(IsWritten(!found.is_empty()))
    }

    /// Refuses commits until the result of the unknown one is known, which reads wait for.
    async fn fail_until_resolved(
        &mut self,
        requests: &mut mpsc::Receiver<CommitRequest>,
        waiting: &mut VecDeque<CommitRequest>,
    ) {
        while let Some(mark) = self.shared.unresolved() {
            for request in waiting.drain(..) {
                let why = "the result of an earlier commit is not known yet".to_owned();
                drop(request.sender.send(Err(StoreError::Unavailable(why))));
            }
            if self.find_result(mark, Instant::now()).await.is_some() {
                self.shared.set_unresolved(None);
                return;
            }
            tokio::time::sleep(RETRY_DELAY).await;
            while let Ok(next) = requests.try_recv() {
                waiting.push_back(next);
            }
            if requests.is_closed() && waiting.is_empty() {
                return;
            }
        }
    }
}

/// Takes the next commits that are independent of each other. The others keep their order.
fn take_batch(waiting: &mut VecDeque<CommitRequest>) -> Vec<CommitRequest> {
    let mut batch = Batch::default();
    let mut taken = Vec::new();
    let mut left = VecDeque::new();
    let mut bytes = 0;
    for request in waiting.drain(..) {
        let has_room = taken.len() < BATCH_MAX && bytes <= BATCH_BYTES_MAX;
        if has_room && batch.try_add(&request.commit) {
            bytes += request.commit.snapshot.json.len();
            let record = request.commit.record.as_ref();
            bytes += record.map_or(0, |record| record.body.len());
            taken.push(request);
        } else {
            left.push_back(request);
        }
    }
    *waiting = left;
    taken
}

fn message(node: i64, writes: &Writes<'_>) -> Message {
    let free = |job: &crate::plan::JobWrite<'_>| job.node.is_none() && job.job.timer_of.is_none();
    Message::Committed {
        node,
        newest: writes.counters.sequence,
        has_free_jobs: writes.jobs.iter().any(free),
    }
}

fn fail_all(commits: &[&Commit], error: impl Fn() -> StoreError) -> Results {
    commits.iter().map(|_| Err(error())).collect()
}

pub(super) fn closed() -> StoreError {
    StoreError::Unavailable("the store is closed".to_owned())
}

//! The thread of a store: it writes, listens, and renews the lease of this node, whatever the threads of
//! the application do.

use parking_lot::Mutex;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tokio::runtime;
use tokio::sync::{mpsc, oneshot, watch};

use crate::batch_writes::BatchMark;
use crate::connection::Connector;
use crate::listener::Listener;
use crate::migrations;
use crate::node::{Node, random_id};
use crate::options::PostgresOptions;
use crate::pool::Pool;
use crate::shared::Shared;
use crate::writer::{CommitRequest, QUEUE_MAX, Writer, closed};
use askback_store::commit::{Commit, CommitReceipt};
use askback_store::store::StoreError;

/// For the lease and for questions about news.
const POOL_SIZE: std::num::NonZero<usize> = std::num::NonZero::new(2).unwrap();

/// A handle of the thread.
pub(super) struct Background {
    /// `None` after the store is closed.
    commits: Mutex<Option<mpsc::Sender<CommitRequest>>>,
    closed: watch::Sender<bool>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Background {
    /// Connects, migrates the database, registers this node and starts the thread.
    pub(super) async fn start(
        options: PostgresOptions,
        shared: Arc<Shared>,
    ) -> Result<Background, StoreError> {
        let (commits, requests) = mpsc::channel(QUEUE_MAX);
        let (closing, closed) = watch::channel(false);
        let (started, has_started) = oneshot::channel();
        let thread = thread::Builder::new()
            .name("askback-postgres".to_owned())
            .spawn(move || run(options, shared, (requests, closed), started))
            .map_err(|error| {
                StoreError::Unavailable(format!("cannot start the thread of the store: {error}"))
            })?;
        has_started.await.map_err(|_| ended())??;
        Ok(Background {
            commits: Mutex::new(Some(commits)),
            closed: closing,
            thread: Mutex::new(Some(thread)),
        })
    }

    pub(super) async fn commit(&self, commit: Commit) -> Result<CommitReceipt, StoreError> {
        let commits = self.commits.lock().clone().ok_or_else(closed)?;
        let (sender, outcome) = oneshot::channel();
        let request = CommitRequest { commit, sender };
        commits.send(request).await.map_err(|_| closed())?;
        outcome.await.map_err(|_| ended())?
    }

    pub(super) fn is_running(&self) -> bool {
        let thread = self.thread.lock();
        thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Waits until queued commits are written and the jobs of this node are free.
    pub(super) fn close(&self) {
        drop(self.commits.lock().take());
        self.closed.send_replace(true);
        if let Some(thread) = self.thread.lock().take() {
            // The panic hook has reported a panic already.
            drop(thread.join());
        }
    }
}

fn ended() -> StoreError {
    StoreError::CommitUnknown("the thread of the store has ended".to_owned())
}

type Inputs = (mpsc::Receiver<CommitRequest>, watch::Receiver<bool>);

fn run(
    options: PostgresOptions,
    shared: Arc<Shared>,
    (requests, closed): Inputs,
    started: oneshot::Sender<Result<(), StoreError>>,
) {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            let why = format!("cannot start the runtime of the store: {error}");
            drop(started.send(Err(StoreError::Unavailable(why))));
            return;
        }
    };
    runtime.block_on(async {
        let (writer, node, listener) = match start(options, shared).await {
            Ok(parts) => parts,
            Err(error) => {
                drop(started.send(Err(error)));
                return;
            }
        };
        if started.send(Ok(())).is_err() {
            return;
        }
        let listening = tokio::spawn(listener.run(closed));
        let writing = tokio::spawn(writer.run(requests));
        // Commits may still claim jobs, so the claims are given up after the last one.
        let (written, is_written) = watch::channel(false);
        let keeping = tokio::spawn(node.run(is_written));
        drop(writing.await);
        written.send_replace(true);
        drop(keeping.await);
        drop(listening.await);
    });
}

async fn start(
    options: PostgresOptions,
    shared: Arc<Shared>,
) -> Result<(Writer, Node, Listener), StoreError> {
    let (lease, identity) = (options.lease, options.node.clone());
    let connector = Connector::new(options, Arc::clone(&shared))?;
    let connection = connector.connect().await?;
    migrations::migrate(&connection).await?;
    drop(connection);
    let pool = Pool::new(connector.clone(), Arc::clone(&shared), POOL_SIZE);
    let pool = Arc::new(pool);
    let node = Node {
        pool: Arc::clone(&pool),
        shared: Arc::clone(&shared),
        lease,
        identity,
    };
    node.register().await?;
    let listener = Listener {
        connector: connector.clone(),
        pool,
        shared: Arc::clone(&shared),
    };
    let writer = Writer {
        connector,
        shared,
        connection: None,
        last: BatchMark {
            writer: random_id(),
            batch: 0,
        },
        node: None,
    };
    Ok((writer, node, listener))
}

//! The engine: the state shared by everything that submits, listens or runs jobs.

use std::sync::Arc;
use std::time::Duration;

use askback_core::identity::NodeName;
use askback_store::{Backlog, Store, StoreError};

use crate::clock::Clock;
use crate::conversations::Conversations;
use crate::feed::{Feed, FeedLimits};
use crate::history_cache::HistoryCache;
use crate::jobs::{self, JobLimiter, JobWaker, RunningJobs, WebhookQueue};
use crate::metrics::Metrics;
use crate::pending_bytes::PendingBytes;
use crate::ports::{Apps, Llm, Tools, Webhooks};
use crate::record_log::RecordLog;
use crate::remote;
use crate::shutdown::Shutdown;

/// What an engine runs on. Tests replace any of them.
pub struct EngineParts {
    /// Where everything is committed.
    pub store: Arc<dyn Store>,
    /// The model of the built-in agent.
    pub llm: Arc<dyn Llm>,
    /// Tools other than the ask tools and sub-agents.
    pub tools: Arc<dyn Tools>,
    /// The apps that conversations can run.
    pub apps: Arc<dyn Apps>,
    /// Delivers outcomes to webhook URLs.
    pub webhooks: Arc<dyn Webhooks>,
    /// The time, timers and the seed of ids.
    pub clock: Arc<dyn Clock>,
    /// The name of this node, which is recorded with every outcome.
    pub node: Option<NodeName>,
}

/// Executes commands and runs jobs. Cheap to clone; clones share everything.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) parts: EngineParts,
    pub(crate) feed: Feed,
    pub(crate) running: RunningJobs,
    pub(crate) limiter: JobLimiter,
    pub(crate) history_cache: HistoryCache,
    pub(crate) shutdown: Shutdown,
    pub(crate) metrics: Metrics,
    pub(crate) pending_bytes: PendingBytes,
    pub(crate) job_waker: Arc<JobWaker>,
    pub(crate) conversations: Conversations,
    pub(crate) log: Arc<RecordLog>,
}

impl Engine {
    /// Starts the engine on a store: from now on timers fire and due jobs run. A restart needs no
    /// other recovery.
    pub async fn start(parts: EngineParts) -> Result<Engine, StoreError> {
        Engine::start_with_limits(parts, FeedLimits::default()).await
    }

    /// Like [`Engine::start`], with other limits of the feed.
    pub async fn start_with_limits(
        parts: EngineParts,
        limits: FeedLimits,
    ) -> Result<Engine, StoreError> {
        let log = Arc::new(RecordLog::new(Arc::clone(&parts.store)));
        let feed = Feed::start(Arc::clone(&log), limits).await?;
        let job_waker = Arc::<JobWaker>::default();
        let engine = Engine {
            inner: Arc::new(Inner {
                conversations: Conversations::new(Arc::clone(&parts.store)),
                parts,
                feed,
                running: RunningJobs::default(),
                limiter: JobLimiter::new(Arc::clone(&job_waker)),
                history_cache: HistoryCache::default(),
                shutdown: Shutdown::default(),
                metrics: Metrics::default(),
                pending_bytes: PendingBytes::default(),
                job_waker,
                log,
            }),
        };
        let read = engine.feed().read_conversations();
        if let (Some(changes), Some(read)) = (engine.store().remote_changes(), read) {
            tokio::spawn(remote::follow(engine.clone(), changes));
            tokio::spawn(remote::forget_changed(engine.clone(), read));
        }
        tokio::spawn(jobs::run_timers(engine.clone()));
        tokio::spawn(jobs::run_worker(engine.clone()));
        Ok(engine)
    }

    /// Everything that is committed, as it is committed.
    pub fn feed(&self) -> &Feed {
        &self.inner.feed
    }

    /// Everything that was committed, in pages.
    pub fn records(&self) -> &RecordLog {
        &self.inner.log
    }

    /// The webhooks that were not delivered yet.
    pub fn webhooks(&self) -> WebhookQueue<'_> {
        WebhookQueue(&self.inner)
    }

    /// The store. Use it for reading only: what is written without the engine is not published.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.inner.parts.store
    }

    /// The apps that conversations can run.
    pub fn apps(&self) -> &Arc<dyn Apps> {
        &self.inner.parts.apps
    }

    /// The clock that decisions and timers use.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.inner.parts.clock
    }

    /// What this process has counted.
    pub fn metrics(&self) -> &Metrics {
        &self.inner.metrics
    }

    /// Counts what waits in the store, for the metrics. Reads an index entry for each of it.
    pub async fn read_backlog(&self) -> Result<Backlog, StoreError> {
        let backlog = self.store().backlog().await?;
        let newest = self.store().newest_sequence().await?;
        let metrics = self.metrics();
        metrics.set_feed_lag(newest, self.feed().published());
        metrics.set_backlog(&backlog, self.clock().now());
        Ok(backlog)
    }

    /// Starts no new jobs, aborts provider requests and webhooks (they are sent again after a restart) and waits
    /// for running tools. Set a time limit by dropping the future.
    pub async fn shut_down(&self) {
        self.inner.shutdown.begin();
        self.inner.job_waker.wake_all();
        self.inner.running.abort_requests();
        self.inner.shutdown.wait_until_idle().await;
    }

    /// Sleeps for an elapsed time. Returns false at once when the engine shuts down.
    pub(crate) async fn sleep_unless_stopping(&self, duration: Duration) -> bool {
        tokio::select! {
            biased;
            () = self.inner.shutdown.wait_until_closing() => false,
            () = self.clock().sleep(duration) => true,
        }
    }
}

//! The engine: the state shared by everything that submits, listens or runs jobs.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askback_core::id::{ConversationId, InquiryId};
use askback_core::identity::NodeName;
use askback_store::{Backlog, Store, StoreError};
use tokio::sync::Notify;

use crate::clock::Clock;
use crate::conversation_cache::ConversationCache;
use crate::feed::{Feed, FeedLimits};
use crate::history_cache::HistoryCache;
use crate::jobs::{self, JobLimiter, RunningJobs};
use crate::loaded_conversation::LoadedConversation;
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
    /// Wakes the worker: a job may be due earlier than it knows, or a permit is free again.
    pub(crate) jobs_changed: Notify,
    /// Wakes the timer loop.
    pub(crate) timers_changed: Notify,
    locks: Vec<tokio::sync::Mutex<()>>,
    pub(crate) log: Arc<RecordLog>,
    cache: Mutex<ConversationCache>,
}

/// Conversations share these locks by hash, so that each has one decision at a time.
const LOCKS: usize = 1024;

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
        let engine = Engine {
            inner: Arc::new(Inner {
                parts,
                feed,
                running: RunningJobs::default(),
                limiter: JobLimiter::default(),
                history_cache: HistoryCache::default(),
                shutdown: Shutdown::default(),
                metrics: Metrics::default(),
                pending_bytes: PendingBytes::default(),
                jobs_changed: Notify::new(),
                timers_changed: Notify::new(),
                locks: (0..LOCKS).map(|_| tokio::sync::Mutex::new(())).collect(),
                log,
                cache: Mutex::default(),
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
        self.inner.jobs_changed.notify_one();
        self.inner.timers_changed.notify_one();
        self.inner.running.abort_requests();
        self.inner.shutdown.wait_until_idle().await;
    }

    /// Waits until no other task decides on the conversation.
    pub(crate) async fn lock_conversation(
        &self,
        id: &ConversationId,
    ) -> tokio::sync::MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        let index = usize::try_from(hasher.finish() % LOCKS as u64).unwrap_or(0);
        self.inner.locks[index].lock().await
    }

    fn cache(&self) -> MutexGuard<'_, ConversationCache> {
        self.inner
            .cache
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn cached(&self, id: &ConversationId) -> Option<Arc<LoadedConversation>> {
        self.cache().get(id)
    }

    pub(crate) fn cached_by_inquiry(&self, id: &InquiryId) -> Option<Arc<LoadedConversation>> {
        self.cache().get_by_inquiry(id)
    }

    pub(crate) fn cache_conversation(&self, loaded: Arc<LoadedConversation>) {
        self.cache().insert(loaded);
    }

    pub(crate) fn evict(&self, id: &ConversationId) {
        self.cache().remove(id);
    }
}

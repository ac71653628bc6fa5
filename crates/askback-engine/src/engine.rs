//! The engine: what is shared by everyone who submits, listens or works.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askback_core::id::ConversationId;
use askback_store::{Store, StoreError};
use tokio::sync::Notify;

use crate::clock::Clock;
use crate::conversation_cache::ConversationCache;
use crate::event_log::Log;
use crate::feed::Feed;
use crate::history_cache::Histories;
use crate::jobs::{self, JobLimiter, Running};
use crate::loaded_conversation::Active;
use crate::ports::{Apps, Llm, Tools, Webhooks};
use crate::shutdown::Shutdown;

/// What an engine is made of.
pub struct Parts {
    /// The durable log.
    pub store: Arc<dyn Store>,
    /// The language model.
    pub llm: Arc<dyn Llm>,
    /// Tools that do work.
    pub tools: Arc<dyn Tools>,
    /// The apps.
    pub apps: Arc<dyn Apps>,
    /// Who tells the outside about outcomes.
    pub webhooks: Arc<dyn Webhooks>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
}

/// The engine. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) parts: Parts,
    pub(crate) feed: Feed,
    pub(crate) running: Running,
    pub(crate) limiter: JobLimiter,
    pub(crate) histories: Histories,
    pub(crate) shutdown: Shutdown,
    /// Rung when work may be due earlier than its worker knows, or has room.
    pub(crate) jobs_changed: Notify,
    /// The same for timers.
    pub(crate) timers_changed: Notify,
    locks: Vec<tokio::sync::Mutex<()>>,
    pub(crate) log: Arc<Log>,
    cache: Mutex<ConversationCache>,
}

/// Locks that conversations share by hash: one decision at a time for each conversation.
const LOCKS: usize = 1024;

impl Engine {
    /// Opens the engine on a store: timers are armed and due jobs run from here on. Restart is
    /// nothing special, this is all there is to it.
    pub async fn start(parts: Parts) -> Result<Engine, StoreError> {
        let log = Arc::new(Log::new(Arc::clone(&parts.store)));
        let feed = Feed::start(Arc::clone(&log)).await?;
        let engine = Engine {
            inner: Arc::new(Inner {
                parts,
                feed,
                running: Running::default(),
                limiter: JobLimiter::default(),
                histories: Histories::default(),
                shutdown: Shutdown::default(),
                jobs_changed: Notify::new(),
                timers_changed: Notify::new(),
                locks: (0..LOCKS).map(|_| tokio::sync::Mutex::new(())).collect(),
                log,
                cache: Mutex::default(),
            }),
        };
        tokio::spawn(jobs::run_timers(engine.clone()));
        tokio::spawn(jobs::run_worker(engine.clone()));
        Ok(engine)
    }

    /// The feed.
    pub fn feed(&self) -> &Feed {
        &self.inner.feed
    }

    /// The store, for reading.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.inner.parts.store
    }

    /// The apps.
    pub fn apps(&self) -> &Arc<dyn Apps> {
        &self.inner.parts.apps
    }

    /// The clock.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.inner.parts.clock
    }

    /// Takes no new work, gives provider requests up (they are made again after a restart) and
    /// waits for tools that are running, for as long as the caller waits.
    pub async fn shut_down(&self) {
        self.inner.shutdown.begin();
        self.inner.jobs_changed.notify_one();
        self.inner.timers_changed.notify_one();
        self.inner.running.abort_requests();
        self.inner.shutdown.finished().await;
    }

    /// Waits for the conversation's turn to be decided on.
    pub(crate) async fn lock(&self, id: &ConversationId) -> tokio::sync::MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        let place = usize::try_from(hasher.finish() % LOCKS as u64).unwrap_or(0);
        self.inner.locks[place].lock().await
    }

    fn cache(&self) -> MutexGuard<'_, ConversationCache> {
        self.inner
            .cache
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn cached(&self, id: &ConversationId) -> Option<Arc<Active>> {
        self.cache().get(id)
    }

    pub(crate) fn remember(&self, active: Arc<Active>) {
        self.cache().insert(active);
    }

    pub(crate) fn forget(&self, id: &ConversationId) {
        self.cache().remove(id);
    }
}

//! The conversations of this process: one decision at a time for each, on what is in memory or in the store.

use parking_lot::Mutex;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use askback_core::conversation::Conversation;
use askback_core::id::{ConversationId, InquiryId};
use askback_store::{Store, StoreError};

use crate::conversation_cache::ConversationCache;
use crate::loaded_conversation::LoadedConversation;
use crate::submit::SubmitError;
use crate::view::InquiryView;

/// Conversations share these locks by hash, so that each has one decision at a time.
const LOCKS: usize = 1024;

/// Conversations as they were after the last decision of this process, and whose turn it is to decide.
pub(crate) struct Conversations {
    store: Arc<dyn Store>,
    locks: Vec<tokio::sync::Mutex<()>>,
    cache: Mutex<ConversationCache>,
}

impl Conversations {
    pub(crate) fn new(store: Arc<dyn Store>) -> Conversations {
        Conversations {
            store,
            locks: (0..LOCKS).map(|_| tokio::sync::Mutex::new(())).collect(),
            cache: Mutex::default(),
        }
    }

    /// Waits until no other task decides on the conversation.
    pub(crate) async fn lock(&self, id: &ConversationId) -> tokio::sync::MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        id.hash(&mut hasher);
        let index = usize::try_from(hasher.finish() % LOCKS as u64).unwrap_or(0);
        self.locks[index].lock().await
    }

    pub(crate) fn is_cached(&self, id: &ConversationId) -> bool {
        self.cache.lock().get(id).is_some()
    }

    pub(crate) fn insert(&self, loaded: Arc<LoadedConversation>) {
        self.cache.lock().insert(loaded);
    }

    pub(crate) fn evict(&self, id: &ConversationId) {
        self.cache.lock().remove(id);
    }

    /// Evicts the conversation in which an inquiry is pending.
    pub(crate) fn evict_with(&self, inquiry: &InquiryId) {
        let mut cache = self.cache.lock();
        if let Some(loaded) = cache.get_by_inquiry(inquiry) {
            cache.remove(&loaded.conversation.settings.id);
        }
    }

    /// The conversation from the cache, or from the store.
    pub(crate) async fn load(
        &self,
        id: &ConversationId,
    ) -> Result<Arc<LoadedConversation>, SubmitError> {
        let cached = self.cache.lock().get(id);
        if let Some(loaded) = cached {
            return Ok(loaded);
        }
        let loaded = self.store.load(id).await?.ok_or(SubmitError::NotFound)?;
        let loaded = Arc::new(LoadedConversation::from_rows(loaded)?);
        self.insert(Arc::clone(&loaded));
        Ok(loaded)
    }

    /// The current conversation for a job.
    ///
    /// A worker can find a job before the commit that created it has returned here, so this waits for
    /// the decision in progress. A cached conversation that does not expect the job is read again
    /// before the job is considered stale: another process may have changed it.
    pub(crate) async fn load_for_job(
        &self,
        id: &ConversationId,
        expects: impl Fn(&Conversation) -> bool,
    ) -> Result<Arc<LoadedConversation>, SubmitError> {
        let _guard = self.lock(id).await;
        let loaded = self.load(id).await?;
        if expects(&loaded.conversation) {
            return Ok(loaded);
        }
        self.evict(id);
        self.load(id).await
    }

    /// An inquiry that is pending, from memory. Not one whose agent may have done something since that only the store knows.
    pub(crate) async fn pending(&self, id: &InquiryId) -> Result<Option<InquiryView>, StoreError> {
        let mut cached = self.cache.lock().get_by_inquiry(id);
        if cached.is_none() && self.store.is_shared() {
            // Another node has asked it, and the command needs its conversation as well. It may be old when it is used, like
            // all that is in memory of a store that is shared.
            if let Some(loaded) = self.store.load_by_pending(id).await? {
                let loaded = Arc::new(LoadedConversation::from_rows(loaded)?);
                self.insert(Arc::clone(&loaded));
                cached = Some(loaded);
            }
        }
        let view = cached.and_then(|loaded| loaded.inquiry(id));
        Ok(view.filter(|view| view.row.asker.is_none()))
    }
}

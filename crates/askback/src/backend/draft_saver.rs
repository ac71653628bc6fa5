//! The drafts on the server: reads them, and saves them shortly after they change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use askback_client::{Client, ClientError};
use askback_core::draft::{Draft, DraftEntry};
use askback_core::id::InquiryId;
use askback_wire::draft::DraftParams;
use askback_wire::problem::ProblemCode;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::LAST_DRAFT_MAX;

/// The least time between two saves of one draft. Keys typed in between are saved together.
const SAVE_INTERVAL: Duration = Duration::from_millis(250);

/// Called with the inquiry whose draft was not saved, because another one is stored.
pub(crate) type OnConflict = Arc<dyn Fn(&InquiryId) + Send + Sync>;

/// Reads and saves drafts. A draft replaces only the one that it was made from, so that nothing is lost that was typed
/// elsewhere meanwhile. Clones share what they know.
#[derive(Clone)]
pub(crate) struct StoredDrafts {
    client: Client,
    /// A std mutex: it is never held across an await.
    known: Arc<Mutex<HashMap<InquiryId, KnownDraft>>>,
}

/// The draft that the next save replaces. Its version is empty for none, and until one was read: nothing unknown is
/// replaced.
#[derive(Debug, Clone, Default)]
struct KnownDraft {
    version: String,
    /// What was sent last. It may be stored although no response said so.
    sent: Vec<DraftEntry>,
}

impl StoredDrafts {
    pub(crate) fn new(client: Client) -> StoredDrafts {
        StoredDrafts {
            client,
            known: Arc::default(),
        }
    }

    /// The saved draft. Without one, or if it cannot be read, the prompt starts empty. Only what is read first counts as
    /// the draft that is replaced: a screen that shows a question takes no later one.
    pub(crate) async fn read(&self, id: &InquiryId) -> Option<Draft> {
        let found = self.client.draft(id).await.ok()?;
        self.with_known(|known| {
            known.entry(id.clone()).or_insert_with(|| KnownDraft {
                version: found.version,
                sent: Vec::new(),
            });
        });
        found.draft
    }

    /// Must be called when an inquiry has an answer: if it is asked again, its draft is read again.
    pub(crate) fn forget(&self, id: &InquiryId) {
        self.with_known(|known| known.remove(id));
    }

    fn with_known<T>(&self, act: impl FnOnce(&mut HashMap<InquiryId, KnownDraft>) -> T) -> T {
        // The map is whole after a panic elsewhere.
        act(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn save(&self, id: &InquiryId, revision: u32, draft: Draft) -> Result<(), ClientError> {
        let saved = match self.put(id, revision, draft.clone()).await {
            Err(error) if is_conflict(&error) && self.is_stored_from_here(id, &draft).await => {
                self.put(id, revision, draft).await
            }
            saved => saved,
        };
        let version = saved?;
        self.with_known(|known| known.entry(id.clone()).or_default().version = version);
        Ok(())
    }

    async fn put(
        &self,
        id: &InquiryId,
        revision: u32,
        draft: Draft,
    ) -> Result<String, ClientError> {
        let replaces =
            self.with_known(|known| known.entry(id.clone()).or_default().version.clone());
        let params = DraftParams {
            draft,
            revision: Some(revision),
            replaces: Some(replaces),
        };
        let saved = self
            .client
            .put_draft(id, &params)
            .await
            .map(|saved| saved.version);
        if !saved.as_ref().is_err_and(is_conflict) {
            let sent = params.draft.entries;
            self.with_known(|known| known.entry(id.clone()).or_default().sent = sent);
        }
        saved
    }

    /// Whether what is stored was sent from here, and only the response to that was lost. It can be replaced then.
    async fn is_stored_from_here(&self, id: &InquiryId, draft: &Draft) -> bool {
        let Ok(stored) = self.client.draft(id).await else {
            return false;
        };
        let entries = stored.draft.map(|stored| stored.entries);
        self.with_known(|known| {
            let known = known.entry(id.clone()).or_default();
            let is_ours = entries.is_some_and(|it| it == draft.entries || it == known.sent);
            if is_ours {
                known.version = stored.version;
            }
            is_ours
        })
    }

    /// Saves each change until the sender is dropped.
    async fn save_changes(
        self,
        id: InquiryId,
        revision: u32,
        mut changes: watch::Receiver<Option<Draft>>,
        on_conflict: OnConflict,
    ) {
        loop {
            let more = changes.changed().await.is_ok();
            let draft = changes.borrow_and_update().clone();
            if let Some(draft) = draft {
                match self.save(&id, revision, draft).await {
                    Err(error) if is_conflict(&error) => on_conflict(&id),
                    // A resolved inquiry refuses drafts; nobody needs one any more.
                    Err(error) => tracing::debug!(%error, "the draft was not saved"),
                    Ok(()) => {}
                }
            }
            if !more {
                return;
            }
            tokio::time::sleep(SAVE_INTERVAL).await;
        }
    }
}

fn is_conflict(error: &ClientError) -> bool {
    let problem = error.problem();
    problem.is_some_and(|problem| problem.known_code() == Some(ProblemCode::DraftChanged))
}

/// Saves the drafts of any number of inquiries, each in a task of its own.
pub(crate) struct DraftSaver {
    drafts: StoredDrafts,
    runtime: Handle,
    on_conflict: OnConflict,
    saving: HashMap<InquiryId, (watch::Sender<Option<Draft>>, JoinHandle<()>)>,
}

impl DraftSaver {
    pub(crate) fn new(
        drafts: StoredDrafts,
        runtime: Handle,
        on_conflict: OnConflict,
    ) -> DraftSaver {
        DraftSaver {
            drafts,
            runtime,
            on_conflict,
            saving: HashMap::new(),
        }
    }

    /// Saves this draft soon. A newer draft of the same inquiry replaces one that was not sent yet.
    pub(crate) fn save(&mut self, id: InquiryId, revision: u32, draft: Draft) {
        let (sender, _) = self.saving.entry(id.clone()).or_insert_with(|| {
            let (sender, changes) = watch::channel(None);
            let drafts = self.drafts.clone();
            let saving = drafts.save_changes(id, revision, changes, self.on_conflict.clone());
            (sender, self.runtime.spawn(saving))
        });
        sender.send_replace(Some(draft));
    }

    /// Saves the last drafts.
    pub(crate) async fn finish(&mut self) {
        for (_, (sender, task)) in self.saving.drain() {
            drop(sender);
            if tokio::time::timeout(LAST_DRAFT_MAX, task).await.is_err() {
                tracing::debug!("the last draft was not saved");
            }
        }
    }
}

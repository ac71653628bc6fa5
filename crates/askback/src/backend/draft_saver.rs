//! Saves drafts on the server shortly after they change.

use std::collections::HashMap;
use std::time::Duration;

use askback_client::Client;
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_wire::draft::DraftParams;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::LAST_DRAFT_MAX;

/// The least time between two saves of one draft. Keys typed in between are saved together.
const SAVE_INTERVAL: Duration = Duration::from_millis(250);

/// Saves the drafts of any number of inquiries, each in a task of its own.
pub(crate) struct DraftSaver {
    client: Client,
    runtime: Handle,
    saving: HashMap<InquiryId, (watch::Sender<Option<Draft>>, JoinHandle<()>)>,
}

impl DraftSaver {
    pub(crate) fn new(client: Client, runtime: Handle) -> DraftSaver {
        DraftSaver {
            client,
            runtime,
            saving: HashMap::new(),
        }
    }

    /// Saves this draft soon. A newer draft of the same inquiry replaces one that was not sent yet.
    pub(crate) fn save(&mut self, id: InquiryId, revision: u32, draft: Draft) {
        let (client, runtime) = (&self.client, &self.runtime);
        let (sender, _) = self.saving.entry(id.clone()).or_insert_with(|| {
            let (sender, changes) = watch::channel(None);
            let task = runtime.spawn(save_drafts(client.clone(), (id, revision), changes));
            (sender, task)
        });
        sender.send_replace(Some(draft));
    }

    /// Saves the last drafts.
    pub(crate) async fn finish(self) {
        for (_, (sender, task)) in self.saving {
            drop(sender);
            if tokio::time::timeout(LAST_DRAFT_MAX, task).await.is_err() {
                tracing::debug!("the last draft was not saved");
            }
        }
    }
}

/// Saves each change until the sender is dropped.
pub(super) async fn save_drafts(
    client: Client,
    (id, revision): (InquiryId, u32),
    mut changes: watch::Receiver<Option<Draft>>,
) {
    loop {
        let more = changes.changed().await.is_ok();
        let draft = changes.borrow_and_update().clone();
        if let Some(draft) = draft {
            let params = DraftParams {
                draft,
                revision: Some(revision),
                replaces: None,
            };
            // A resolved inquiry refuses drafts; nobody needs one any more.
            if let Err(error) = client.put_draft(&id, &params).await {
                tracing::debug!(%error, "the draft was not saved");
            }
        }
        if !more {
            return;
        }
        tokio::time::sleep(SAVE_INTERVAL).await;
    }
}

//! Half-typed answers, stored a moment after they change.

use std::collections::HashMap;
use std::time::Duration;

use askback_client::Client;
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_wire::draft::DraftParams;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// What is typed is stored this much later at most, many keys at once.
const DRAFT_PAUSE: Duration = Duration::from_millis(250);
/// How long an end waits for what was typed last.
const LAST: Duration = Duration::from_secs(2);

/// The drafts of several questions.
pub(crate) struct Drafts {
    client: Client,
    runtime: Handle,
    kept: HashMap<InquiryId, (watch::Sender<Option<Draft>>, JoinHandle<()>)>,
}

impl Drafts {
    /// No drafts yet.
    pub(crate) fn new(client: Client, runtime: Handle) -> Drafts {
        Drafts {
            client,
            runtime,
            kept: HashMap::new(),
        }
    }

    /// Keeps the draft of a question.
    pub(crate) fn keep(&mut self, id: InquiryId, revision: u32, draft: Draft) {
        let (client, runtime) = (&self.client, &self.runtime);
        let (sender, _) = self.kept.entry(id.clone()).or_insert_with(|| {
            let (sender, changes) = watch::channel(None);
            let task = runtime.spawn(store(client.clone(), (id, revision), changes));
            (sender, task)
        });
        sender.send_replace(Some(draft));
    }

    /// Stores what was typed last.
    pub(crate) async fn finish(self) {
        for (_, (sender, task)) in self.kept {
            drop(sender);
            if tokio::time::timeout(LAST, task).await.is_err() {
                tracing::debug!("the last draft was not stored");
            }
        }
    }
}

/// Stores drafts as they change, until no more can come.
pub(crate) async fn store(
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
            };
            // A question that is over takes no draft, and nothing is lost with it.
            if let Err(error) = client.put_draft(&id, &params).await {
                tracing::debug!(%error, "the draft was not stored");
            }
        }
        if !more {
            return;
        }
        tokio::time::sleep(DRAFT_PAUSE).await;
    }
}

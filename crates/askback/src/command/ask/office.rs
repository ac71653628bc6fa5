//! What goes on beside a durable prompt.

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use askback_api::client::Client;
use askback_api::draft::DraftParams;
use askback_api::inquiry::{InquiryResponse, KeepOpenParams};
use askback_core::draft::Draft;
use askback_tui::session::{Outside, Woken};
use tokio::sync::watch;

use super::durable::{Desk, LONG};

/// What is typed is stored this much later at most, many keys at once.
const DRAFT_PAUSE: Duration = Duration::from_millis(250);

/// What goes on beside the prompt: drafts are stored, and an outcome from elsewhere calls it.
pub(super) struct Office {
    drafts: watch::Sender<Option<Draft>>,
    news: Receiver<InquiryResponse>,
    /// How it ended elsewhere.
    pub(super) over: Option<InquiryResponse>,
    keep_open: Box<dyn FnMut()>,
}

impl Office {
    /// Opens it; the task ends when the last draft is stored.
    pub(super) fn open(
        desk: &Desk<'_>,
        waker: UnixStream,
    ) -> (Office, tokio::task::JoinHandle<()>) {
        let (drafts, changes) = watch::channel(None);
        let (tell, news) = channel();
        let runtime = desk.runtime.handle().clone();
        let saved = runtime.spawn(store(desk.client.clone(), desk.asked.clone(), changes));
        let (client, id) = (desk.client.clone(), desk.asked.id.clone());
        runtime.spawn(async move {
            let mut waker = waker;
            while let Ok(found) = client.wait_for_inquiry(&id, LONG).await {
                if found.status.is_resolved() {
                    // A prompt that is over already needs no call.
                    let called = tell.send(found).is_ok() && waker.write_all(b"!").is_ok();
                    tracing::debug!(called, "the question ended");
                    return;
                }
            }
        });
        let (client, id) = (desk.client.clone(), desk.asked.id.clone());
        let keep_open = Box::new(move || {
            let (client, id) = (client.clone(), id.clone());
            runtime.spawn(async move {
                if let Err(error) = client.keep_open(&id, &KeepOpenParams::default()).await {
                    tracing::debug!(%error, "the deadline could not be stopped");
                }
            });
        });
        (
            Office {
                drafts,
                news,
                over: None,
                keep_open,
            },
            saved,
        )
    }
}

impl Outside for Office {
    fn changed(&mut self, draft: &Draft) {
        self.drafts.send_replace(Some(draft.clone()));
    }

    fn deadline_stopped(&mut self) {
        (self.keep_open)();
    }

    fn woken(&mut self) -> Woken {
        match self.news.try_recv() {
            Ok(found) => {
                self.over = Some(found);
                Woken::Over
            }
            Err(_) => Woken::GoOn,
        }
    }
}

/// Stores drafts as they change, until no more can come.
async fn store(
    client: Client,
    asked: InquiryResponse,
    mut changes: watch::Receiver<Option<Draft>>,
) {
    loop {
        let more = changes.changed().await.is_ok();
        let draft = changes.borrow_and_update().clone();
        if let Some(draft) = draft {
            let params = DraftParams {
                draft,
                revision: Some(asked.revision),
            };
            // A question that is over takes no draft, and nothing is lost with it.
            if let Err(error) = client.put_draft(&asked.id, &params).await {
                tracing::debug!(%error, "the draft was not stored");
            }
        }
        if !more {
            return;
        }
        tokio::time::sleep(DRAFT_PAUSE).await;
    }
}

//! What goes on beside a durable prompt.

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, channel};

use askback_api::inquiry::{InquiryResponse, KeepOpenParams};
use askback_core::draft::Draft;
use askback_tui::session::{Outside, Woken};
use tokio::sync::watch;

use super::durable::{Desk, LONG};
use crate::command::drafts::store;

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
        let asked = (desk.asked.id.clone(), desk.asked.revision);
        let saved = runtime.spawn(store(desk.client.clone(), asked, changes));
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

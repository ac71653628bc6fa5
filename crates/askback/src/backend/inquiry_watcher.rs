//! Runs beside the prompt of one stored question: saves its draft, and wakes the prompt when the
//! question is resolved elsewhere.

use std::os::unix::net::UnixStream;
use std::sync::mpsc::Receiver;

use askback_client::{Client, FeedItem};
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_tui::session::{PromptHost, Wakeup};
use askback_wire::event::EventResponse;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::link::LinkResponse;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::draft_saver::save_drafts;
use super::ui_channel::UiChannel;
use super::{LAST_DRAFT_MAX, reply};

enum WatcherEvent {
    Resolved(Box<InquiryResponse>),
    /// A link for another device, or why there is none.
    Linked(Result<LinkResponse, String>),
}

pub(crate) struct InquiryWatcher {
    runtime: Handle,
    client: Client,
    id: InquiryId,
    drafts: Option<(watch::Sender<Option<Draft>>, JoinHandle<()>)>,
    feed: JoinHandle<()>,
    channel: UiChannel<WatcherEvent>,
    events: Receiver<WatcherEvent>,
    resolved: Option<InquiryResponse>,
}

impl InquiryWatcher {
    /// Starts watching. The socket becomes readable when the prompt should call `poll`.
    pub(crate) fn start(
        runtime: &Handle,
        client: &Client,
        asked: &InquiryResponse,
    ) -> anyhow::Result<(InquiryWatcher, UnixStream)> {
        let (drafts, changes) = watch::channel(None);
        let (channel, events, wake) = UiChannel::open()?;
        let id = asked.id.clone();
        let target = (id.clone(), asked.revision);
        let saving = runtime.spawn(save_drafts(client.clone(), target, changes));
        let feed = watch_for_outcome(client.clone(), asked.clone(), channel.clone());
        let watcher = InquiryWatcher {
            runtime: runtime.clone(),
            client: client.clone(),
            id,
            drafts: Some((drafts, saving)),
            feed: runtime.spawn(feed),
            channel,
            events,
            resolved: None,
        };
        Ok((watcher, wake))
    }

    /// Saves the last draft. Returns the inquiry if it was resolved elsewhere.
    pub(crate) async fn save_last_draft(&mut self) -> Option<InquiryResponse> {
        if let Some((drafts, saving)) = self.drafts.take() {
            drop(drafts);
            if tokio::time::timeout(LAST_DRAFT_MAX, saving).await.is_err() {
                tracing::debug!("the last draft was not saved");
            }
        }
        self.resolved.take()
    }

    /// Stops watching. Call it after the reply was sent: until then the feed keeps a server available.
    pub(crate) async fn close(mut self) {
        self.save_last_draft().await;
        self.feed.abort();
        // The only error is the cancellation.
        drop(self.feed.await);
    }
}

async fn watch_for_outcome(
    client: Client,
    asked: InquiryResponse,
    channel: UiChannel<WatcherEvent>,
) {
    let mut events = client.conversation_events(&asked.conversation_id, None);
    let mut may_have_missed_events = true;
    loop {
        if may_have_missed_events && events.open().await.is_ok() {
            may_have_missed_events = false;
            if let Ok(found) = client.inquiry(&asked.id).await
                && found.status.is_resolved()
            {
                return channel.send(WatcherEvent::Resolved(Box::new(found)));
            }
        }
        match events.next().await {
            Ok(FeedItem::Event(event)) => {
                if let EventResponse::InquiryResolved(event) = *event
                    && event.inquiry.id == asked.id
                {
                    return channel.send(WatcherEvent::Resolved(Box::new(event.inquiry)));
                }
            }
            Ok(FeedItem::Reconnected) => may_have_missed_events = true,
            Ok(FeedItem::Disconnected(error)) => {
                tracing::debug!(%error, "lost the connection to the server");
            }
            Err(error) => {
                tracing::debug!(%error, "the question cannot be watched");
                return;
            }
        }
    }
}

impl PromptHost for InquiryWatcher {
    fn draft_changed(&mut self, draft: &Draft) {
        if let Some((drafts, _)) = &self.drafts {
            drafts.send_replace(Some(draft.clone()));
        }
    }

    fn deadline_stopped(&mut self) {
        let (client, id) = (self.client.clone(), self.id.clone());
        self.runtime
            .spawn(async move { reply::keep_open(&client, &id).await });
    }

    fn create_link(&mut self) {
        let (client, id, channel) = (self.client.clone(), self.id.clone(), self.channel.clone());
        self.runtime.spawn(async move {
            channel.send(WatcherEvent::Linked(reply::create_link(&client, &id).await));
        });
    }

    fn poll(&mut self) -> Wakeup {
        match self.events.try_recv() {
            Ok(WatcherEvent::Resolved(found)) => {
                self.resolved = Some(*found);
                Wakeup::EndedElsewhere
            }
            Ok(WatcherEvent::Linked(made)) => Wakeup::LinkCreated(made),
            Err(_) => Wakeup::Continue,
        }
    }
}

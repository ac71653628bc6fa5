//! Runs beside the prompt of one stored question: saves its draft, undoes its answer, and wakes the
//! prompt when the question is resolved or open again.

use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use askback_client::{Client, FeedItem};
use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_terminal::clock::Clock;
use askback_tui::deadline::Deadline;
use askback_tui::prompt::{PromptEvent, PromptRequest};
use askback_tui::session::{PromptHost, Wakeup};
use askback_tui::undo_line::{UndoHost, UndoNews};
use askback_wire::event::EventResponse;
use askback_wire::inquiry::InquiryResponse;
use jiff::Timestamp;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::draft_saver::{DraftSaver, StoredDrafts};
use super::reply;
use super::ui_channel::UiChannel;

enum WatcherEvent {
    Resolved(Box<InquiryResponse>),
    /// For the prompt.
    Prompt(Wakeup),
    /// What happened to the answer while it could be undone.
    Undo(UndoNews),
}

pub(crate) struct InquiryWatcher {
    runtime: Handle,
    client: Client,
    id: InquiryId,
    revision: u32,
    stored: StoredDrafts,
    drafts: DraftSaver,
    feed: JoinHandle<()>,
    channel: UiChannel<WatcherEvent>,
    events: Receiver<WatcherEvent>,
    resolved: Option<InquiryResponse>,
    /// What happened while an answer could be undone, for the prompt that follows.
    unread: Option<Wakeup>,
    /// The end of the undo window of the answer that is held.
    held_until: Option<Timestamp>,
}

impl InquiryWatcher {
    /// Starts watching. The socket becomes readable when the prompt should call `poll`.
    pub(crate) fn start(
        runtime: &Handle,
        client: &Client,
        clock: Clock,
        asked: &InquiryResponse,
    ) -> anyhow::Result<(InquiryWatcher, UnixStream)> {
        let (channel, events, wake) = UiChannel::open()?;
        let feed = watch(client.clone(), clock, asked.clone(), channel.clone());
        let stored = StoredDrafts::new(client.clone());
        let conflicts = channel.clone();
        let on_conflict = Arc::new(move |_: &InquiryId| {
            let event = Wakeup::Event(PromptEvent::OtherDraft);
            conflicts.send(WatcherEvent::Prompt(event));
        });
        let watcher = InquiryWatcher {
            runtime: runtime.clone(),
            client: client.clone(),
            id: asked.id.clone(),
            revision: asked.revision,
            drafts: DraftSaver::new(stored.clone(), runtime.clone(), on_conflict),
            stored,
            feed: runtime.spawn(feed),
            channel,
            events,
            resolved: None,
            unread: None,
            held_until: None,
        };
        Ok((watcher, wake))
    }

    /// The saved draft, for the prompt.
    pub(crate) async fn read_draft(&self) -> Option<Draft> {
        self.stored.read(&self.id).await
    }

    /// The answer whose undo window ends then can be undone and committed from now on.
    pub(crate) fn set_held(&mut self, until: Timestamp) {
        self.held_until = Some(until);
    }

    /// Saves the last draft. Returns the inquiry if it was resolved elsewhere.
    pub(crate) async fn save_last_draft(&mut self) -> Option<InquiryResponse> {
        self.drafts.finish().await;
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

async fn watch(
    client: Client,
    clock: Clock,
    asked: InquiryResponse,
    channel: UiChannel<WatcherEvent>,
) {
    let mut events = client.conversation_events(&asked.conversation_id, None);
    let mut shown = asked;
    let mut may_have_missed_events = true;
    loop {
        let mut found = None;
        if may_have_missed_events && events.open().await.is_ok() {
            may_have_missed_events = false;
            found = client.inquiry(&shown.id).await.ok();
        }
        if found.is_none() {
            match events.next().await {
                Ok(FeedItem::Event(event)) => {
                    if let EventResponse::Inquiry(event) = *event {
                        found = Some(event.inquiry);
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
        if let Some(found) = found
            && found.id == shown.id
        {
            for event in changes(clock, &mut shown, found) {
                let has_ended = matches!(event, WatcherEvent::Resolved(_));
                channel.send(event);
                if has_ended {
                    return;
                }
            }
        }
    }
}

/// Applies the question as it is now. Returns what the prompt has to know.
fn changes(clock: Clock, shown: &mut InquiryResponse, found: InquiryResponse) -> Vec<WatcherEvent> {
    if !found.is_as_new_as(shown) {
        return Vec::new();
    }
    let before = std::mem::replace(shown, found);
    if shown.status.is_resolved() {
        return vec![WatcherEvent::Resolved(Box::new(shown.clone()))];
    }
    let mut changes = Vec::new();
    if before.expires_at != shown.expires_at {
        let moved = Wakeup::DeadlineMoved(Deadline::of(clock, shown));
        changes.push(WatcherEvent::Prompt(moved));
    }
    if before.held.is_some() && shown.held.is_none() {
        changes.push(WatcherEvent::Undo(UndoNews::Reopened));
    }
    changes
}

impl PromptHost for InquiryWatcher {
    fn draft_changed(&mut self, draft: &Draft) {
        let id = self.id.clone();
        self.drafts.save(id, self.revision, draft.clone());
    }

    fn deadline_stopped(&mut self) {
        let (client, id) = (self.client.clone(), self.id.clone());
        self.runtime
            .spawn(async move { drop(reply::keep_open(&client, &id).await) });
    }

    fn request(&mut self, request: PromptRequest) {
        let (client, id, channel) = (self.client.clone(), self.id.clone(), self.channel.clone());
        self.runtime.spawn(async move {
            let event = reply::handle(&client, &id, request).await;
            channel.send(WatcherEvent::Prompt(Wakeup::Event(event)));
        });
    }

    fn poll(&mut self) -> Wakeup {
        if let Some(wakeup) = self.unread.take() {
            return wakeup;
        }
        loop {
            match self.events.try_recv() {
                Ok(WatcherEvent::Resolved(found)) => {
                    self.resolved = Some(*found);
                    return Wakeup::EndedElsewhere;
                }
                Ok(WatcherEvent::Prompt(wakeup)) => return wakeup,
                // About an answer before this prompt.
                Ok(WatcherEvent::Undo(_)) => {}
                Err(_) => return Wakeup::Continue,
            }
        }
    }
}

impl UndoHost for InquiryWatcher {
    fn undo(&mut self) {
        let (client, id, channel) = (self.client.clone(), self.id.clone(), self.channel.clone());
        self.runtime.spawn(async move {
            let undone = reply::undo(&client, &id).await;
            channel.send(WatcherEvent::Undo(match undone {
                Ok(_) => UndoNews::Reopened,
                Err(error) => {
                    tracing::debug!(%error, "it was not undone");
                    UndoNews::TooLate
                }
            }));
        });
    }

    fn commit(&mut self) {
        let (client, id, until) = (self.client.clone(), self.id.clone(), self.held_until);
        self.runtime
            .spawn(async move { reply::commit(&client, &id, until).await });
    }

    fn poll_undo(&mut self) -> UndoNews {
        loop {
            match self.events.try_recv() {
                Ok(WatcherEvent::Resolved(_)) => return UndoNews::Resolved,
                Ok(WatcherEvent::Undo(news)) => return news,
                Ok(WatcherEvent::Prompt(moved @ Wakeup::DeadlineMoved(_))) => {
                    self.unread = Some(moved);
                }
                Ok(WatcherEvent::Prompt(_)) => {}
                Err(_) => return UndoNews::Nothing,
            }
        }
    }
}

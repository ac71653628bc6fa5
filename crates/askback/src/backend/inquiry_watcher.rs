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
use askback_tui::prompt::{HandOnReply, HandOnRequest};
use askback_tui::session::{PromptHost, Wakeup};
use askback_tui::undo_line::{UndoHost, UndoNews};
use askback_wire::event::EventResponse;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::link::LinkResponse;
use jiff::Timestamp;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::draft_saver::StoredDrafts;
use super::ui_channel::UiChannel;
use super::{LAST_DRAFT_MAX, reply};

enum WatcherEvent {
    Resolved(Box<InquiryResponse>),
    /// A link for another device, or why there is none.
    Linked(Result<LinkResponse, String>),
    HandOn(HandOnReply),
    OtherDraft,
    /// The deadline was moved, or removed.
    DeadlineMoved(Option<Deadline>),
    /// The answer was undone.
    Reopened,
    /// The answer could not be undone.
    NotUndone,
}

pub(crate) struct InquiryWatcher {
    runtime: Handle,
    client: Client,
    id: InquiryId,
    revision: u32,
    stored: StoredDrafts,
    drafts: Option<(watch::Sender<Option<Draft>>, JoinHandle<()>)>,
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
        (client, clock): (&Client, Clock),
        asked: &InquiryResponse,
    ) -> anyhow::Result<(InquiryWatcher, UnixStream)> {
        let (channel, events, wake) = UiChannel::open()?;
        let feed = watch((client.clone(), clock), asked.clone(), channel.clone());
        let watcher = InquiryWatcher {
            runtime: runtime.clone(),
            client: client.clone(),
            id: asked.id.clone(),
            revision: asked.revision,
            stored: StoredDrafts::new(client.clone()),
            drafts: None,
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

async fn watch(
    (client, clock): (Client, Clock),
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
        changes.push(WatcherEvent::DeadlineMoved(Deadline::of(clock, shown)));
    }
    if before.held.is_some() && shown.held.is_none() {
        changes.push(WatcherEvent::Reopened);
    }
    changes
}

impl PromptHost for InquiryWatcher {
    fn draft_changed(&mut self, draft: &Draft) {
        let (drafts, _) = self.drafts.get_or_insert_with(|| {
            let (drafts, changes) = watch::channel(None);
            let target = (self.id.clone(), self.revision);
            let channel = self.channel.clone();
            let on_conflict = Arc::new(move |_: &InquiryId| channel.send(WatcherEvent::OtherDraft));
            let saving = self
                .stored
                .clone()
                .save_changes(target, changes, on_conflict);
            (drafts, self.runtime.spawn(saving))
        });
        drafts.send_replace(Some(draft.clone()));
    }

    fn deadline_stopped(&mut self) {
        let (client, id) = (self.client.clone(), self.id.clone());
        self.runtime
            .spawn(async move { drop(reply::keep_open(&client, &id).await) });
    }

    fn create_link(&mut self) {
        let (client, id, channel) = (self.client.clone(), self.id.clone(), self.channel.clone());
        self.runtime.spawn(async move {
            channel.send(WatcherEvent::Linked(reply::create_link(&client, &id).await));
        });
    }

    fn hand_on(&mut self, request: HandOnRequest) {
        let (client, id, channel) = (self.client.clone(), self.id.clone(), self.channel.clone());
        self.runtime.spawn(async move {
            let reply = reply::hand_on(&client, &id, request).await;
            channel.send(WatcherEvent::HandOn(reply));
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
                Ok(WatcherEvent::Linked(made)) => return Wakeup::LinkCreated(made),
                Ok(WatcherEvent::HandOn(reply)) => return Wakeup::HandOn(reply),
                Ok(WatcherEvent::OtherDraft) => return Wakeup::OtherDraft,
                Ok(WatcherEvent::DeadlineMoved(deadline)) => {
                    return Wakeup::DeadlineMoved(deadline);
                }
                // About an answer before this prompt.
                Ok(WatcherEvent::Reopened | WatcherEvent::NotUndone) => {}
                Err(_) => return Wakeup::Continue,
            }
        }
    }
}

impl UndoHost for InquiryWatcher {
    fn undo(&mut self) {
        let (client, id, channel) = (self.client.clone(), self.id.clone(), self.channel.clone());
        self.runtime.spawn(async move {
            channel.send(match reply::undo(&client, &id).await {
                Ok(_) => WatcherEvent::Reopened,
                Err(error) => {
                    tracing::debug!(%error, "it was not undone");
                    WatcherEvent::NotUndone
                }
            });
        });
    }

    fn commit(&mut self) {
        let (client, id, until) = (self.client.clone(), self.id.clone(), self.held_until);
        self.runtime
            .spawn(async move { reply::commit(&client, &id, until).await });
    }

    fn poll_undo(&mut self) -> UndoNews {
        loop {
            return match self.events.try_recv() {
                Ok(WatcherEvent::Resolved(_)) => UndoNews::Resolved,
                Ok(WatcherEvent::Reopened) => UndoNews::Reopened,
                Ok(WatcherEvent::NotUndone) => UndoNews::TooLate,
                Ok(WatcherEvent::DeadlineMoved(deadline)) => {
                    self.unread = Some(Wakeup::DeadlineMoved(deadline));
                    continue;
                }
                Ok(
                    WatcherEvent::Linked(_) | WatcherEvent::HandOn(_) | WatcherEvent::OtherDraft,
                ) => continue,
                Err(_) => UndoNews::Nothing,
            };
        }
    }
}

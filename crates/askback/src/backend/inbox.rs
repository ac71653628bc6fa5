//! The network side of the inbox: carries out its requests and follows the feed of all inquiries.

use std::collections::HashSet;
use std::time::Duration;

use askback_client::{Client, ClientError, FeedItem};
use askback_core::id::InquiryId;
use askback_terminal::clock::{Clock, MonotonicTime};
use askback_tui::inbox::{InboxEvent, InboxRequest};
use askback_wire::event::EventResponse;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;
use jiff::Timestamp;

use super::reply::{self, SendResult};
use super::ui_channel::UiChannel;
use super::{UndoWindow, deadline, deadlines, retry_while_unreachable, undo_until};

#[derive(Clone)]
pub(crate) struct InboxBackend {
    pub(crate) client: Client,
    pub(crate) channel: UiChannel<InboxEvent>,
    pub(crate) clock: Clock,
    pub(crate) undo: UndoWindow,
}

impl InboxBackend {
    /// Emits the pending inquiries and then what happens to them, until the server refuses the feed.
    pub(crate) async fn follow(self) {
        let mut events = self.client.events(None);
        self.emit_pending().await;
        // The list is read again once the feed is open, so that nothing in between is missed.
        while let Err(error) = events.open().await {
            if !self.emit_lost(&error) {
                return;
            }
        }
        self.emit_pending().await;
        loop {
            match events.next().await {
                Ok(FeedItem::Event(event)) => self.handle_event(*event).await,
                Ok(FeedItem::Reconnected) => {
                    self.channel.send(InboxEvent::Connected);
                    self.emit_pending().await;
                }
                Ok(FeedItem::Disconnected(error)) | Err(error) => {
                    if !self.emit_lost(&error) {
                        return;
                    }
                }
            }
        }
    }

    /// Returns whether the client can reconnect.
    fn emit_lost(&self, error: &ClientError) -> bool {
        tracing::debug!(%error, "lost the connection to the server");
        self.channel.send(InboxEvent::Disconnected);
        error.is_transient()
    }

    async fn handle_event(&self, event: EventResponse) {
        match event {
            EventResponse::InquiryAsked(event)
            | EventResponse::InquiryHandedOn(event)
            | EventResponse::InquiryReminder(event) => {
                self.emit_asked(self.fetch_inquiry(event.inquiry).await)
                    .await;
            }
            EventResponse::InquiryHeld(event) => {
                let held = event.inquiry.held.as_ref();
                if let Some(until) = held.map(|held| undo_until(self.clock, held)) {
                    self.channel
                        .send(InboxEvent::ReplyHeld(Box::new(event.inquiry), until));
                }
            }
            EventResponse::InquiryReopened(event) => {
                let id = event.inquiry.id.clone();
                self.emit_asked(self.fetch_inquiry(event.inquiry).await)
                    .await;
                self.channel.send(InboxEvent::Reopened(id));
            }
            EventResponse::InquiryResolved(event) => {
                self.channel
                    .send(InboxEvent::Resolved(Box::new(event.inquiry)));
            }
            EventResponse::InquirySnoozed(event) => {
                let until = event.until.map(|until| shown_again_at(self.clock, until));
                self.channel
                    .send(InboxEvent::Snoozed(event.inquiry_id, until));
            }
            EventResponse::Message(_) => {
                for (id, deadline) in deadlines(self.clock, &event) {
                    self.channel.send(InboxEvent::Deadline(id, deadline));
                }
            }
            EventResponse::InquiryDetached(event) => {
                self.channel
                    .send(InboxEvent::Detached(event.inquiry_id, event.detached));
            }
            EventResponse::StateChange(_)
            | EventResponse::Token(_)
            | EventResponse::Error(_)
            | EventResponse::Reset(_)
            | EventResponse::Unknown(_) => {}
        }
    }

    /// The whole inquiry: an event lacks its source.
    async fn fetch_inquiry(&self, from_event: InquiryResponse) -> InquiryResponse {
        let fetched = self.client.inquiry(&from_event.id).await;
        fetched.unwrap_or(from_event)
    }

    async fn emit_pending(&self) {
        if let Err(error) = self.list_pending().await {
            tracing::debug!(%error, "cannot list the pending inquiries");
        }
    }

    async fn list_pending(&self) -> Result<(), ClientError> {
        self.list_snoozes().await?;
        let mut params = ListInquiriesParams {
            status: Some(InquiryStatus::Pending),
            limit: Some(200),
            ..ListInquiriesParams::default()
        };
        let mut ids = HashSet::new();
        loop {
            let page = retry_while_unreachable(|| self.client.inquiries(&params)).await?;
            for inquiry in page.items {
                ids.insert(inquiry.id.clone());
                self.emit_asked(inquiry).await;
            }
            if page.next.is_none() {
                self.channel.send(InboxEvent::PendingIds(ids));
                return Ok(());
            }
            params.cursor = page.next;
        }
    }

    async fn list_snoozes(&self) -> Result<(), ClientError> {
        let snoozes = retry_while_unreachable(|| self.client.snoozes()).await?;
        let snoozes = snoozes.items.into_iter();
        let snoozes = snoozes.map(|it| (it.inquiry_id, shown_again_at(self.clock, it.until)));
        self.channel.send(InboxEvent::Snoozes(snoozes.collect()));
        Ok(())
    }

    async fn emit_asked(&self, inquiry: InquiryResponse) {
        // A held answer can still be undone, but nobody else can answer meanwhile.
        if inquiry.status.is_resolved() || inquiry.held.is_some() {
            return;
        }
        let draft = reply::saved_draft(&self.client, &inquiry.id).await;
        let deadline = deadline(self.clock, &inquiry);
        self.channel
            .send(InboxEvent::Asked(Box::new(inquiry), draft, deadline));
    }

    async fn emit_answered_first(&self, id: InquiryId) {
        match retry_while_unreachable(|| self.client.inquiry(&id)).await {
            Ok(found) if found.status.is_resolved() || found.held.is_some() => {
                self.channel
                    .send(InboxEvent::AnsweredFirst(Box::new(found)));
            }
            // It was undone meanwhile.
            Ok(found) => {
                self.emit_asked(found).await;
                self.channel.send(InboxEvent::Reopened(id));
            }
            Err(error) => self
                .channel
                .send(InboxEvent::ReplyRefused(id, error.to_string())),
        }
    }

    /// Carries out a request. Its result arrives as an event.
    pub(crate) async fn handle(self, request: InboxRequest) {
        match request {
            InboxRequest::SendReply(target, reply) => {
                match reply::send(&self.client, &target, &reply, self.undo).await {
                    Ok(SendResult::Accepted) => {}
                    Ok(SendResult::AlreadyResolved) => self.emit_answered_first(target.id).await,
                    Err(error) => self
                        .channel
                        .send(InboxEvent::ReplyRefused(target.id, error.to_string())),
                }
            }
            InboxRequest::StopDeadline(id) => reply::keep_open(&self.client, &id).await,
            InboxRequest::Undo(id) => match reply::undo(&self.client, &id).await {
                // The feed says that it is open again, or how it ended if the window was over.
                Ok(()) => {}
                Err(error) => tracing::debug!(%error, "it was not undone"),
            },
            InboxRequest::CreateLink(id) => {
                let made = reply::create_link(&self.client, &id).await;
                self.channel.send(InboxEvent::LinkCreated(id, made));
            }
            InboxRequest::HandOn(id, request) => {
                let reply = reply::hand_on(&self.client, &id, request).await;
                self.channel.send(InboxEvent::HandOn(id, reply));
            }
            InboxRequest::FetchInquiry(id) => match self.client.inquiry(&id).await {
                Ok(found) if found.status.is_resolved() => {
                    self.channel.send(InboxEvent::Resolved(Box::new(found)));
                }
                Ok(_) => {}
                Err(error) => tracing::debug!(%error, "cannot read how it ended"),
            },
            // The caller has a `DraftSaver`.
            InboxRequest::SaveDraft(..) => {}
        }
    }
}

/// The end of a snooze on the clock of the screen.
fn shown_again_at(clock: Clock, until: Timestamp) -> MonotonicTime {
    clock.now() + Duration::try_from(until.duration_since(clock.wall())).unwrap_or_default()
}

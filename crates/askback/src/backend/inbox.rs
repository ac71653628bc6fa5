//! The network side of the inbox: carries out its requests and follows the feed of all inquiries.

use std::collections::HashSet;
use std::sync::Arc;

use askback_client::{Client, ClientError, FeedItem};
use askback_core::id::InquiryId;
use askback_terminal::clock::Clock;
use askback_tui::inbox::{InboxEvent, InboxRequest, Mine};
use askback_tui::inquiry_update::InquiryUpdate;
use askback_tui::prompt::PromptEvent;
use askback_wire::event::{ChangeName, EventResponse};
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;
use askback_wire::snooze::SnoozeParams;

use super::draft_saver::{OnConflict, StoredDrafts};
use super::reply::{self, SendResult};
use super::ui_channel::UiChannel;
use super::{UndoWindow, retry_while_unreachable};
use crate::failure::{Failure, refuse};

#[derive(Clone)]
pub(crate) struct InboxBackend {
    pub(crate) client: Client,
    pub(crate) drafts: StoredDrafts,
    pub(crate) channel: UiChannel<InboxEvent>,
    pub(crate) clock: Clock,
    pub(crate) undo: UndoWindow,
    pub(crate) mine: Mine,
    pub(crate) shown: ShownQuestions,
}

/// Which questions an inbox shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShownQuestions {
    /// All that its user may see.
    All,
    /// Those that name its user, or a group of theirs.
    ForMe,
}

/// Who uses the inbox. Only a person can have questions of their own.
pub(crate) async fn whose_inbox(
    client: &Client,
    wanted: ShownQuestions,
) -> Result<(Mine, ShownQuestions), Failure> {
    let me = client.me().await.ok();
    let person = me.and_then(|me| Some([vec![me.person?], me.groups].concat()));
    if person.is_none() && wanted == ShownQuestions::ForMe {
        return refuse(
            "--for-me needs the token of a person: askback token create NAME --scope respondent --for ALIAS",
        );
    }
    Ok((Mine(person.unwrap_or_default()), wanted))
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
        if let EventResponse::Inquiry(event) = event {
            if event.change == ChangeName::HandedOn && !self.is_shown(&event.inquiry) {
                // It is somebody else's now: the list says what is left.
                self.emit_pending().await;
            } else if self.is_shown(&event.inquiry) {
                self.emit(event.inquiry).await;
            }
        }
    }

    /// A person sees what names nobody, them, or a group of theirs.
    fn is_shown(&self, inquiry: &InquiryResponse) -> bool {
        if inquiry.is_gone() {
            return false;
        }
        let is_mine = self.mine.includes(inquiry);
        match self.shown {
            ShownQuestions::ForMe => is_mine,
            ShownQuestions::All => self.mine.0.is_empty() || inquiry.recipient.is_none() || is_mine,
        }
    }

    /// Emits an inquiry as it is now. One that can be answered may be new to the screen, and comes with its draft.
    async fn emit(&self, inquiry: InquiryResponse) {
        self.channel
            .send(InboxEvent::Inquiry(self.update(inquiry).await));
    }

    async fn update(&self, inquiry: InquiryResponse) -> Box<InquiryUpdate> {
        let is_open = !inquiry.status.is_resolved() && inquiry.held.is_none();
        let draft = if is_open {
            self.drafts.read(&inquiry.id).await
        } else {
            self.drafts.forget(&inquiry.id);
            None
        };
        Box::new(InquiryUpdate::new(self.clock, inquiry, draft))
    }

    async fn emit_pending(&self) {
        if let Err(error) = self.list_pending().await {
            tracing::debug!(%error, "cannot list the pending inquiries");
        }
    }

    async fn list_pending(&self) -> Result<(), ClientError> {
        let mut params = ListInquiriesParams {
            status: Some(InquiryStatus::Pending),
            recipient: (self.shown == ShownQuestions::ForMe).then(|| "me".to_owned()),
            limit: Some(200),
            ..ListInquiriesParams::default()
        };
        let mut ids = HashSet::new();
        loop {
            let page = retry_while_unreachable(|| self.client.inquiries(&params)).await?;
            for inquiry in page.items {
                ids.insert(inquiry.id.clone());
                self.emit(inquiry).await;
            }
            if page.next.is_none() {
                self.channel.send(InboxEvent::PendingIds(ids));
                return Ok(());
            }
            params.cursor = page.next;
        }
    }

    async fn emit_answered_first(&self, id: InquiryId) {
        match retry_while_unreachable(|| self.client.inquiry(&id)).await {
            Ok(found) => {
                let update = self.update(found).await;
                self.channel.send(InboxEvent::AnsweredFirst(update));
            }
            Err(error) => self
                .channel
                .send(InboxEvent::ReplyRefused(id, error.to_string())),
        }
    }

    /// Says that a draft was not saved.
    pub(crate) fn on_draft_conflict(&self) -> OnConflict {
        let channel = self.channel.clone();
        Arc::new(move |id| channel.send(InboxEvent::Prompt(id.clone(), PromptEvent::OtherDraft)))
    }

    /// Carries out a request. Its result arrives as an event.
    pub(crate) async fn handle(self, request: InboxRequest) {
        match request {
            InboxRequest::SendReply(asked, reply) => {
                match reply::send(&self.client, &asked, &reply, self.undo).await {
                    Ok(SendResult::Accepted(inquiry)) => self.emit(*inquiry).await,
                    Ok(SendResult::AlreadyResolved) => self.emit_answered_first(asked.id).await,
                    Err(error) => self
                        .channel
                        .send(InboxEvent::ReplyRefused(asked.id, error.to_string())),
                }
            }
            InboxRequest::StopDeadline(id) => {
                if let Some(kept) = reply::keep_open(&self.client, &id).await {
                    self.emit(kept).await;
                }
            }
            InboxRequest::Undo(id) => match reply::undo(&self.client, &id).await {
                Ok(reopened) => self.emit(reopened).await,
                // The feed says how it ended if the window was over.
                Err(error) => tracing::debug!(%error, "it was not undone"),
            },
            InboxRequest::Snooze(id, until) => {
                match self.client.snooze(&id, &SnoozeParams { until }).await {
                    Ok(changed) => self.emit(changed).await,
                    Err(error) => self
                        .channel
                        .send(InboxEvent::ReplyRefused(id, error.to_string())),
                }
            }
            InboxRequest::Prompt(id, request) => {
                let event = reply::handle(&self.client, &id, request).await;
                self.channel.send(InboxEvent::Prompt(id, event));
            }
            InboxRequest::FetchInquiry(id) => match self.client.inquiry(&id).await {
                Ok(found) => self.emit(found).await,
                Err(error) => tracing::debug!(%error, "cannot read how it ended"),
            },
            // The caller has a `DraftSaver`.
            InboxRequest::SaveDraft(..) => {}
        }
    }
}

//! The network side of the inbox: tells what waits and what happens to it, and sends replies.

use std::collections::HashSet;

use askback_client::{Client, ClientError, FeedItem};
use askback_tui::clock::Clock;
use askback_tui::inbox::{News, Wish};
use askback_wire::event::EventResponse;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus};
use askback_wire::list::ListInquiriesParams;

use crate::command::post::{Post, deadline, insist, moment, words};
use crate::command::reply::{self, Undo};

/// The network side of the inbox.
#[derive(Clone)]
pub(super) struct Desk {
    pub(super) client: Client,
    pub(super) post: Post<News>,
    pub(super) clock: Clock,
    pub(super) undo: Undo,
}

impl Desk {
    /// Tells what waits, and what happens to it. When the server is gone, the client goes on with the
    /// next one.
    pub(super) async fn follow(self) {
        let mut events = self.client.events(None);
        self.list().await;
        // What is asked or answered while the feed comes about is seen when the list is read again.
        while let Err(error) = events.open().await {
            if !self.lost(&error) {
                return;
            }
        }
        self.list().await;
        loop {
            match events.next().await {
                Ok(FeedItem::Event(event)) => self.happened(*event).await,
                Ok(FeedItem::Restored) => {
                    self.post.send(News::Connected);
                    self.list().await;
                }
                Ok(FeedItem::Lost(error)) | Err(error) => {
                    if !self.lost(&error) {
                        return;
                    }
                }
            }
        }
    }

    /// Goes on when the server is gone. Gives whether there is anything to go on with.
    fn lost(&self, error: &ClientError) -> bool {
        tracing::debug!(%error, "the server is gone");
        self.post.send(News::Lost);
        error.is_passing()
    }

    async fn happened(&self, event: EventResponse) {
        match event {
            EventResponse::InquiryAsked(event) | EventResponse::InquiryReminder(event) => {
                self.asked(self.read(event.inquiry).await).await;
            }
            EventResponse::InquiryHeld(event) => {
                let until = event.inquiry.held.as_ref().map(|held| held.until);
                if let Some(until) = until.and_then(|until| moment(self.clock, until)) {
                    self.post.send(News::Held(Box::new(event.inquiry), until));
                }
            }
            EventResponse::InquiryReopened(event) => {
                let id = event.inquiry.id.clone();
                self.asked(self.read(event.inquiry).await).await;
                self.post.send(News::Reopened(id));
            }
            EventResponse::InquiryResolved(event) => {
                self.post.send(News::Ended(Box::new(event.inquiry)));
            }
            EventResponse::StateChange(_)
            | EventResponse::Message(_)
            | EventResponse::Token(_)
            | EventResponse::Error(_)
            | EventResponse::Reset(_)
            | EventResponse::Unknown(_) => {}
        }
    }

    /// An inquiry in full: the feed does not tell who asks.
    async fn read(&self, told: InquiryResponse) -> InquiryResponse {
        let read = self.client.inquiry(&told.id).await;
        read.unwrap_or(told)
    }

    /// Tells of everything that waits.
    async fn list(&self) {
        if let Err(error) = self.pages().await {
            tracing::debug!(%error, "the questions cannot be listed");
        }
    }

    async fn pages(&self) -> Result<(), ClientError> {
        let mut params = ListInquiriesParams {
            status: Some(InquiryStatus::Pending),
            limit: Some(200),
            ..ListInquiriesParams::default()
        };
        let mut ids = HashSet::new();
        loop {
            let page = insist(|| self.client.inquiries(&params)).await?;
            for inquiry in page.items {
                ids.insert(inquiry.id.clone());
                self.asked(inquiry).await;
            }
            if page.next.is_none() {
                self.post.send(News::Listed(ids));
                return Ok(());
            }
            params.cursor = page.next;
        }
    }

    async fn asked(&self, inquiry: InquiryResponse) {
        // What has an answer that can be taken back is nobody's to answer.
        if inquiry.status.is_resolved() || inquiry.held.is_some() {
            return;
        }
        let draft = reply::draft(&self.client, &inquiry.id).await;
        let deadline = deadline(self.clock, &inquiry);
        self.post
            .send(News::Asked(Box::new(inquiry), draft, deadline));
    }

    /// Does what is wished; what comes of it is news.
    pub(super) async fn serve(self, wish: Wish) {
        match wish {
            Wish::Reply(target, reply) => {
                // If somebody else was first, the feed tells who.
                if let Err(error) = reply::send(&self.client, &target, &reply, self.undo).await {
                    self.post.send(News::Refused(target.id, words(&error)));
                }
            }
            Wish::KeepOpen(id) => reply::keep_open(&self.client, &id).await,
            Wish::Undo(id) => match reply::take_back(&self.client, &id).await {
                // The feed tells that it is open again, or how it ended if it was too late.
                Ok(()) => {}
                Err(error) => tracing::debug!(%error, "it was not taken back"),
            },
            Wish::Share(id) => {
                let made = reply::share(&self.client, &id).await;
                self.post.send(News::Shared(id, made));
            }
            Wish::Read(id) => match self.client.inquiry(&id).await {
                Ok(found) if found.status.is_resolved() => {
                    self.post.send(News::Ended(Box::new(found)));
                }
                Ok(_) => {}
                Err(error) => tracing::debug!(%error, "it is not known how it ended"),
            },
            // Kept beside the desk.
            Wish::Draft(..) => {}
        }
    }
}

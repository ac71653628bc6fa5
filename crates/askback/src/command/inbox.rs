//! `askback inbox`: every question that waits, of all agents, at this terminal.

use std::sync::Arc;

use anyhow::Context as _;
use askback_api::client::{Client, ClientError, FeedItem};
use askback_api::event::EventResponse;
use askback_api::inquiry::{InquiryResponse, InquiryStatus, KeepOpenParams};
use askback_api::list::ListInquiriesParams;
use askback_api::respond::{AnswerParams, CancelParams, DeclineParams, RejectParams};
use askback_core::id::InquiryId;
use askback_tui::clock::{Clock, today};
use askback_tui::inbox::{Inbox, News, Setting, Wish};
use askback_tui::stage::Stage;
use askback_tui::surface::Surface;
use tokio::sync::Mutex;

use super::drafts::Drafts;
use super::look::Look;
use super::post::{Post, deadline, insist, key, terminal_client, words};
use crate::args::{InboxArgs, ListArgs};
use crate::connect::{Connection, Model};
use crate::failure::Failure;
use crate::runtime;

pub(crate) fn run(args: &InboxArgs) -> Result<(), Failure> {
    let look = Look::find(&args.look)?;
    match look.surface() {
        Surface::Frames => frames(args, &look),
        Surface::Lines | Surface::Nobody => super::list::run(&ListArgs {
            status: "pending".to_owned(),
            json: false,
            connect: args.connect.clone(),
        }),
    }
}

fn frames(args: &InboxArgs, look: &Look) -> Result<(), Failure> {
    let runtime = runtime::start()?;
    let connection = runtime.block_on(Connection::open(&args.connect, Model::OrNone))?;
    let client = terminal_client(&connection);
    let (post, news, wake) = Post::open()?;
    let desk = Desk {
        client: client.clone(),
        connection: Arc::new(Mutex::new(connection)),
        post,
        clock: look.clock,
    };
    let mut inbox = Inbox::new(Setting {
        locale: look.locale,
        glyphs: look.glyphs,
        today: today(),
        quiet: look.options(None).quiet,
    });
    let feed = runtime.spawn(desk.clone().follow());
    let mut drafts = Drafts::new(client, runtime.handle().clone());
    let stage = Stage::open(look.tty()?, look.setup(), Some(wake), look.clock)
        .context("cannot use the terminal")?;
    let mut tasks = Vec::new();
    let exit = stage.run(&mut inbox, &mut |inbox, _| {
        for item in news.try_iter() {
            inbox.hear(item);
        }
        for wish in inbox.wishes() {
            if let Wish::Draft(id, revision, draft) = wish {
                drafts.keep(id, revision, draft);
            } else {
                tasks.push(runtime.spawn(desk.clone().serve(wish)));
            }
        }
    });
    let exit = exit.context("the terminal failed");
    runtime.block_on(async {
        drafts.finish().await;
        // An answer that was given is sent before the end.
        for task in tasks {
            drop(tokio::time::timeout(LAST, task).await);
        }
        feed.abort();
        drop(feed.await);
    });
    if let Ok(connection) = Arc::try_unwrap(desk.connection) {
        runtime.block_on(connection.into_inner().close())?;
    }
    super::chat::ended(exit?)
}

/// How long it takes a feed to stand.
const CONNECTED: std::time::Duration = std::time::Duration::from_millis(500);
/// How long an end waits for what was sent last.
const LAST: std::time::Duration = std::time::Duration::from_secs(5);

/// The network side of the inbox.
#[derive(Clone)]
struct Desk {
    client: Client,
    connection: Arc<Mutex<Connection>>,
    post: Post<News>,
    clock: Clock,
}

impl Desk {
    /// Tells what waits, and what happens to it. When the server is gone, another one is found or
    /// carried here.
    async fn follow(self) {
        let mut events = self.client.events(None);
        self.list().await;
        // The feed begins when it is first waited for. What was asked before it stood is listed then.
        let mut early = tokio::time::timeout(CONNECTED, events.next()).await.ok();
        self.list().await;
        loop {
            let next = match early.take() {
                Some(next) => next,
                None => events.next().await,
            };
            match next {
                Ok(FeedItem::Event(event)) => self.happened(*event).await,
                Ok(FeedItem::Lost(error)) => {
                    tracing::debug!(%error, "the server is gone");
                    self.post.send(News::Lost);
                    if let Err(error) = self.connection.lock().await.mend().await {
                        tracing::debug!("{error:#}; trying again");
                    }
                }
                Ok(FeedItem::Restored) => {
                    self.post.send(News::Connected);
                    self.list().await;
                }
                Err(error) => {
                    tracing::debug!(%error, "the feed is closed");
                    self.post.send(News::Lost);
                    return;
                }
            }
        }
    }

    async fn happened(&self, event: EventResponse) {
        match event {
            EventResponse::InquiryAsked(event) | EventResponse::InquiryReminder(event) => {
                // The feed does not tell who asks.
                let read = self.client.inquiry(&event.inquiry.id).await;
                self.asked(read.unwrap_or(event.inquiry)).await;
            }
            EventResponse::InquiryResolved(event) => {
                self.post.send(News::Ended(Box::new(event.inquiry)));
            }
            EventResponse::StateChange(_)
            | EventResponse::Message(_)
            | EventResponse::Token(_)
            | EventResponse::Error(_)
            | EventResponse::Unknown(_) => {}
        }
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
        loop {
            let page = insist(|| self.client.inquiries(&params)).await?;
            for inquiry in page.items {
                self.asked(inquiry).await;
            }
            if page.next.is_none() {
                return Ok(());
            }
            params.cursor = page.next;
        }
    }

    async fn asked(&self, inquiry: InquiryResponse) {
        if inquiry.status.is_resolved() {
            return;
        }
        let draft = self.client.draft(&inquiry.id).await.ok();
        let draft = draft.and_then(|found| found.draft);
        let deadline = deadline(self.clock, &inquiry);
        self.post
            .send(News::Asked(Box::new(inquiry), draft, deadline));
    }

    async fn serve(self, wish: Wish) {
        match wish {
            Wish::Answer(id, revision, answers) => {
                let params = AnswerParams {
                    answers: answers.to_json(),
                    revision: Some(revision),
                    idempotency_key: Some(key()),
                    ..AnswerParams::default()
                };
                let sent = insist(|| self.client.answer(&id, &params)).await;
                self.sent(id, sent.map(drop));
            }
            Wish::Reject(conversation, id) => {
                let params = RejectParams {
                    inquiry_id: Some(id.clone()),
                    revision: None,
                    idempotency_key: Some(key()),
                };
                let sent = insist(|| self.client.reject(&conversation, &params)).await;
                self.sent(id, sent.map(drop));
            }
            Wish::Decline(id) => {
                let params = DeclineParams {
                    idempotency_key: Some(key()),
                    ..DeclineParams::default()
                };
                let sent = insist(|| self.client.decline_inquiry(&id, &params)).await;
                self.sent(id, sent.map(drop));
            }
            Wish::Stop(id) => {
                let params = CancelParams {
                    idempotency_key: Some(key()),
                    ..CancelParams::default()
                };
                let sent = insist(|| self.client.cancel_inquiry(&id, &params)).await;
                self.sent(id, sent.map(drop));
            }
            Wish::KeepOpen(id) => {
                let params = KeepOpenParams::default();
                if let Err(error) = self.client.keep_open(&id, &params).await {
                    tracing::debug!(%error, "the deadline could not be stopped");
                }
            }
            // Kept beside the desk.
            Wish::Draft(..) => {}
        }
    }

    fn sent(&self, id: InquiryId, sent: Result<(), ClientError>) {
        match sent {
            // Somebody else was first, and the feed tells who.
            Err(ClientError::Problem(problem)) if problem.winner.is_some() => {}
            Err(error) => self.post.send(News::Refused(id, words(&error))),
            Ok(()) => {}
        }
    }
}

//! Does what a chat wishes, and brings it the news.

use std::sync::Arc;
use std::time::Duration;

use askback_client::{Client, ClientError, FeedItem};
use askback_core::id::{ConversationId, MessageId};
use askback_tui::chat::{Earlier, News, Wish};
use askback_tui::clock::Clock;
use askback_wire::conversation::{
    ConversationDetailResponse, ConversationResponse, NewConversationParams, ReadConversationParams,
};
use askback_wire::inquiry::InquiryResponse;
use askback_wire::list::{ListConversationsParams, ListInquiriesParams};
use askback_wire::message::MessageParams;
use askback_wire::respond::CancelParams;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, oneshot};
use tokio::task::JoinHandle;

use crate::command::drafts::Drafts;
use crate::command::post::{Post, deadline, insist, key, words};
use crate::command::reply::{self, Undo};

/// How long a first message waits for its feed.
const FOLLOWED: Duration = Duration::from_secs(2);
/// How long the name of the agent is waited for.
const NAMED: Duration = Duration::from_secs(2);
/// Messages of an earlier conversation that are shown again.
const SHOWN_AGAIN: usize = 50;
/// Earlier conversations to choose from.
const LISTED: usize = 50;

/// Everything the tasks need.
#[derive(Clone)]
struct Tools {
    client: Client,
    post: Post<News>,
    clock: Clock,
    feed: Arc<Mutex<Option<JoinHandle<()>>>>,
    conversation: Arc<Mutex<Option<ConversationId>>>,
    app: Option<String>,
}

/// The network side of a chat.
pub(super) struct Desk {
    runtime: Handle,
    tools: Tools,
    drafts: Drafts,
    tasks: Vec<JoinHandle<()>>,
}

impl Desk {
    pub(super) fn new(
        runtime: Handle,
        client: Client,
        (post, clock): (Post<News>, Clock),
        app: Option<String>,
    ) -> Desk {
        let drafts = Drafts::new(client.clone(), runtime.clone());
        Desk {
            runtime,
            drafts,
            tools: Tools {
                client,
                post,
                clock,
                feed: Arc::default(),
                conversation: Arc::default(),
                app,
            },
            tasks: Vec::new(),
        }
    }

    /// Does what is wished; what comes of it is news.
    pub(super) fn grant(&mut self, wish: Wish) {
        if let Wish::Draft(id, revision, draft) = wish {
            return self.drafts.keep(id, revision, draft);
        }
        let tools = self.tools.clone();
        self.tasks.retain(|task| !task.is_finished());
        self.tasks.push(self.runtime.spawn(tools.serve(wish)));
    }

    /// Stores the last drafts and ends all tasks.
    pub(super) async fn close(self) {
        self.drafts.finish().await;
        let feed = self.tools.feed.lock().await.take();
        for task in self.tasks.into_iter().chain(feed) {
            task.abort();
            // It was ended on purpose.
            drop(task.await);
        }
    }
}

impl Tools {
    async fn serve(self, wish: Wish) {
        match wish {
            Wish::Say(text) => {
                if let Err(error) = self.say(&text).await {
                    self.post.send(News::SayRefused(text, words(&error)));
                }
            }
            Wish::Reply(target, reply) => {
                // If somebody else was first, the feed tells who.
                if let Err(error) = reply::send(&self.client, &target, &reply, Undo::NEVER).await {
                    let refused = News::AnswerRefused(target.id, words(&error));
                    self.post.send(refused);
                }
            }
            Wish::Stop => self.stop().await,
            Wish::KeepOpen(id) => reply::keep_open(&self.client, &id).await,
            Wish::Share(id) => {
                let made = reply::share(&self.client, &id).await;
                self.post.send(News::Shared(id, made));
            }
            Wish::Prepare(inquiry) => self.prepare(*inquiry).await,
            Wish::List => match self.earlier().await {
                Ok(earlier) => self.post.send(News::Listed(earlier)),
                Err(error) => self.post.send(News::Refused(words(&error))),
            },
            Wish::Open(id) => {
                if let Err(error) = self.open(&id).await {
                    self.post.send(News::Refused(words(&error)));
                }
            }
            // Kept by the desk itself.
            Wish::Draft(..) => {}
        }
    }

    async fn say(&self, text: &str) -> Result<(), ClientError> {
        let message_id = MessageId::new(format!("{}{}", MessageId::PREFIX, key()));
        let known = self.conversation.lock().await.clone();
        let Some(id) = known else {
            return self.begin(text, message_id).await;
        };
        self.send(&id, text, message_id).await
    }

    /// Begins a conversation. It is followed before anything is said in it, so that the first reply
    /// is seen from its first word on.
    async fn begin(&self, text: &str, message_id: MessageId) -> Result<(), ClientError> {
        let title: String = text
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(80)
            .collect();
        let params = NewConversationParams {
            app: self.app.clone(),
            title: Some(title),
            idempotency_key: Some(key()),
            ..NewConversationParams::default()
        };
        let begun = insist(|| self.client.create_conversation(&params)).await?;
        let id = &begun.id;
        *self.conversation.lock().await = Some(id.clone());
        let agent = self.agent(begun.app.as_deref()).await;
        let detail = ConversationDetailResponse {
            conversation: begun.clone(),
            messages: Vec::new(),
            before: None,
            sequence: None,
        };
        self.post
            .send(News::Opened(Box::new(detail), Vec::new(), agent));
        let (ready, followed) = oneshot::channel();
        // From its beginning on: however late the feed comes about, nothing is missed.
        self.replace_feed(self.clone().follow(id.clone(), Some(0), Some(ready)))
            .await;
        // A feed that does not come about tries again by itself; the message does not wait for it.
        drop(tokio::time::timeout(FOLLOWED, followed).await);
        self.send(id, text, message_id).await
    }

    async fn send(
        &self,
        id: &ConversationId,
        text: &str,
        message_id: MessageId,
    ) -> Result<(), ClientError> {
        let params = MessageParams {
            text: text.to_owned(),
            message_id: Some(message_id),
        };
        insist(|| self.client.send_message(id, &params)).await?;
        self.post.send(News::Said);
        Ok(())
    }

    async fn stop(&self) {
        let Some(conversation) = self.conversation.lock().await.clone() else {
            return;
        };
        let params = CancelParams {
            idempotency_key: Some(key()),
            ..CancelParams::default()
        };
        let sent = insist(|| self.client.cancel(&conversation, &params)).await;
        self.post.send(match sent {
            Ok(_) => News::Stopped,
            Err(error) => News::Refused(words(&error)),
        });
    }

    async fn prepare(&self, inquiry: InquiryResponse) {
        let draft = reply::draft(&self.client, &inquiry.id).await;
        let deadline = deadline(self.clock, &inquiry);
        self.post
            .send(News::Asked(Box::new(inquiry), draft, deadline));
    }

    async fn earlier(&self) -> Result<Vec<Earlier>, ClientError> {
        let params = ListConversationsParams {
            limit: Some(LISTED),
            ..ListConversationsParams::default()
        };
        let page = insist(|| self.client.conversations(&params)).await?;
        Ok(page.items.into_iter().map(earlier).collect())
    }

    /// Reads a conversation, and follows it from there on.
    async fn open(&self, id: &ConversationId) -> Result<(), ClientError> {
        let params = ReadConversationParams {
            limit: Some(SHOWN_AGAIN),
            ..ReadConversationParams::default()
        };
        let detail = insist(|| self.client.conversation(id, &params)).await?;
        let params = ListInquiriesParams {
            conversation_id: Some(id.clone()),
            limit: Some(200),
            ..ListInquiriesParams::default()
        };
        let all = insist(|| self.client.inquiries(&params)).await?.items;
        let app = detail.conversation.app.as_deref();
        let agent = self.agent(app).await;
        let (ended, pending): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|one| one.status.is_resolved());
        *self.conversation.lock().await = Some(id.clone());
        let after = detail.sequence;
        self.post.send(News::Opened(Box::new(detail), ended, agent));
        for inquiry in pending {
            self.prepare(inquiry).await;
        }
        self.replace_feed(self.clone().follow(id.clone(), after, None))
            .await;
        Ok(())
    }

    /// What the agent of an app is called, or else the app. A name is not worth a conversation.
    async fn agent(&self, app: Option<&str>) -> String {
        let name = insist(|| agent_name(&self.client, app));
        match tokio::time::timeout(NAMED, name).await {
            Ok(Ok(name)) => name,
            Ok(Err(_)) | Err(_) => app.unwrap_or("askback").to_owned(),
        }
    }

    async fn replace_feed(&self, feed: impl Future<Output = ()> + Send + 'static) {
        let feed = tokio::spawn(feed);
        if let Some(before) = self.feed.lock().await.replace(feed) {
            before.abort();
        }
    }

    /// Tells what happens. When the server is gone, the client goes on with the next one.
    async fn follow(
        self,
        id: ConversationId,
        after: Option<u64>,
        ready: Option<oneshot::Sender<()>>,
    ) {
        let mut events = self.client.conversation_events(&id, after);
        let opened = events.open().await;
        if let Some(ready) = ready {
            // Whoever began the conversation may have stopped waiting.
            let heard = ready.send(()).is_ok();
            tracing::trace!(
                heard,
                opened = opened.is_ok(),
                "the conversation is followed"
            );
        }
        loop {
            match events.next().await {
                Ok(FeedItem::Event(event)) => self.post.send(News::Event(event)),
                Ok(FeedItem::Lost(error)) => {
                    tracing::debug!(%error, "the server is gone");
                    self.post.send(News::Lost);
                }
                Ok(FeedItem::Restored) => {
                    let base = self.client.base_url();
                    let base = base.trim_end_matches('/').to_owned();
                    self.post.send(News::Connected(Some(base)));
                }
                Err(error) => {
                    self.post.send(News::Refused(words(&error)));
                    return;
                }
            }
        }
    }
}

fn earlier(conversation: ConversationResponse) -> Earlier {
    Earlier {
        title: conversation
            .title
            .unwrap_or_else(|| conversation.id.to_string()),
        waits: conversation.state.pending().is_some(),
        at: conversation.updated_at,
        id: conversation.id,
    }
}

/// What the agent of an app is called.
pub(super) async fn agent_name(client: &Client, app: Option<&str>) -> Result<String, ClientError> {
    let apps = client.apps().await?.items;
    let found = apps.into_iter().find(|known| match app {
        Some(id) => known.id == id,
        None => known.default,
    });
    Ok(found.map_or_else(|| app.unwrap_or("askback").to_owned(), |app| app.name))
}

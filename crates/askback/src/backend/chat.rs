//! The network side of a chat: carries out its requests and follows its conversation.

use std::sync::Arc;
use std::time::Duration;

use askback_client::{Client, ClientError, FeedItem, TransportError};
use askback_core::id::{ConversationId, InquiryId, MessageId};
use askback_terminal::clock::Clock;
use askback_tui::chat::{ChatEvent, ChatRequest, EarlierConversation};
use askback_tui::inquiry_update::InquiryUpdate;
use askback_tui::prompt::PromptEvent;
use askback_wire::conversation::{
    ConversationDetailResponse, ConversationResponse, DriverName, NewConversationParams,
    ReadConversationParams,
};
use askback_wire::event::EventResponse;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::list::{ListConversationsParams, ListInquiriesParams};
use askback_wire::message::MessageParams;
use askback_wire::problem::ProblemCode;
use askback_wire::respond::CancelWorkParams;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, oneshot};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::draft_saver::{DraftSaver, StoredDrafts};
use super::reply::{self, SendResult};
use super::ui_channel::UiChannel;
use super::{LAST_REPLY_MAX, UndoWindow, new_key, new_message_id, retry_while_unreachable};

/// How long the first message of a conversation waits for the feed to open.
const FEED_OPEN_MAX: Duration = Duration::from_secs(2);
/// How long a conversation waits for the name of its agent.
const AGENT_NAME_MAX: Duration = Duration::from_secs(2);
/// Messages shown when a conversation is resumed.
const RESUMED_MESSAGES: usize = 50;
/// How many of the newest conversations are read for the list to resume from. Questions of external
/// agents among them are left out.
const READ_CONVERSATIONS: usize = 200;

/// What each request needs; clones share the feed and the conversation.
#[derive(Clone)]
struct RequestHandler {
    client: Client,
    drafts: StoredDrafts,
    channel: UiChannel<ChatEvent>,
    clock: Clock,
    feed: Arc<Mutex<Option<JoinHandle<()>>>>,
    conversation: Arc<Mutex<Option<ConversationId>>>,
    app: Option<String>,
    undo: UndoWindow,
}

pub(crate) struct ChatBackend {
    runtime: Handle,
    handler: RequestHandler,
    drafts: DraftSaver,
    /// What the user gave and the server has not confirmed yet; see [`unconfirmed`].
    sending: Vec<(ChatEvent, JoinHandle<()>)>,
    /// All other requests.
    tasks: Vec<JoinHandle<()>>,
}

impl ChatBackend {
    pub(crate) fn new(
        runtime: Handle,
        client: Client,
        channel: UiChannel<ChatEvent>,
        clock: Clock,
        app: Option<String>,
        undo: UndoWindow,
    ) -> ChatBackend {
        let drafts = StoredDrafts::new(client.clone());
        let conflicts = channel.clone();
        let on_conflict = Arc::new(move |id: &InquiryId| {
            conflicts.send(ChatEvent::Prompt(id.clone(), PromptEvent::OtherDraft));
        });
        ChatBackend {
            drafts: DraftSaver::new(drafts.clone(), runtime.clone(), on_conflict),
            runtime,
            handler: RequestHandler {
                client,
                drafts,
                channel,
                clock,
                feed: Arc::default(),
                conversation: Arc::default(),
                app,
                undo,
            },
            sending: Vec::new(),
            tasks: Vec::new(),
        }
    }

    /// Starts a request. Its result arrives as an event.
    pub(crate) fn dispatch(&mut self, request: ChatRequest) {
        if let ChatRequest::SaveDraft(id, revision, draft) = request {
            return self.drafts.save(id, revision, draft);
        }
        // A message that is typed before an earlier conversation was loaded belongs to it.
        if let ChatRequest::OpenConversation(id) = &request {
            let mut conversation = self.handler.conversation.blocking_lock();
            conversation.get_or_insert_with(|| id.clone());
        }
        let unconfirmed = unconfirmed(&request);
        let task = self.runtime.spawn(self.handler.clone().handle(request));
        if let Some(event) = unconfirmed {
            self.sending.retain(|(_, task)| !task.is_finished());
            self.sending.push((event, task));
        } else {
            self.tasks.retain(|task| !task.is_finished());
            self.tasks.push(task);
        }
    }

    /// Saves the last drafts, finishes sending what the user gave, and stops all other tasks. An event
    /// reports what the server did not confirm in time.
    pub(crate) async fn close(mut self) {
        self.drafts.finish().await;
        let deadline = Instant::now() + LAST_REPLY_MAX;
        for (unconfirmed, mut task) in self.sending {
            let finished = tokio::time::timeout_at(deadline, &mut task).await;
            if finished.is_err() {
                stop(task).await;
                self.handler.channel.send(unconfirmed);
            }
        }
        let feed = self.handler.feed.lock().await.take();
        for task in self.tasks.into_iter().chain(feed) {
            stop(task).await;
        }
    }
}

/// For a request that must reach the server even if the chat is left at once: the event that reports that
/// it did not.
fn unconfirmed(request: &ChatRequest) -> Option<ChatEvent> {
    let reason = || TransportError::Timeout.to_string();
    match request {
        ChatRequest::SendMessage(text) => Some(ChatEvent::MessageRefused(text.clone(), reason())),
        ChatRequest::SendReply(asked, _) => {
            Some(ChatEvent::AnswerRefused(asked.id.clone(), reason()))
        }
        ChatRequest::StopAgent => Some(ChatEvent::Failed(reason())),
        ChatRequest::SaveDraft(..)
        | ChatRequest::StopDeadline(_)
        | ChatRequest::Undo(_)
        | ChatRequest::CommitAnswer(_)
        | ChatRequest::Prompt(..)
        | ChatRequest::ListConversations
        | ChatRequest::OpenConversation(_) => None,
    }
}

async fn stop(task: JoinHandle<()>) {
    task.abort();
    // The only error is the cancellation.
    drop(task.await);
}

impl RequestHandler {
    async fn handle(self, request: ChatRequest) {
        match request {
            ChatRequest::SendMessage(text) => {
                if let Err(error) = self.send_message(&text).await {
                    let refused = match &error {
                        ClientError::Problem(problem)
                            if problem.known_code() == Some(ProblemCode::AwaitingUserResponse) =>
                        {
                            ChatEvent::QuestionFirst(text)
                        }
                        ClientError::Problem(_)
                        | ClientError::Transport(_)
                        | ClientError::Decode(_) => {
                            ChatEvent::MessageRefused(text, error.to_string())
                        }
                    };
                    self.channel.send(refused);
                }
            }
            ChatRequest::SendReply(asked, reply) => {
                match reply::send(&self.client, &asked, &reply, self.undo).await {
                    Ok(SendResult::Accepted(inquiry)) => self.emit(*inquiry).await,
                    // The feed says who was first.
                    Ok(SendResult::AlreadyResolved) => {}
                    Err(error) => {
                        let refused = ChatEvent::AnswerRefused(asked.id, error.to_string());
                        self.channel.send(refused);
                    }
                }
            }
            ChatRequest::StopAgent => self.stop().await,
            ChatRequest::Undo(id) => match reply::undo(&self.client, &id).await {
                Ok(reopened) => self.emit(reopened).await,
                Err(error) => {
                    tracing::debug!(%error, "it was not undone");
                    self.channel.send(ChatEvent::UndoRefused);
                }
            },
            ChatRequest::CommitAnswer(id) => reply::commit(&self.client, &id, None).await,
            ChatRequest::StopDeadline(id) => {
                if let Some(kept) = reply::keep_open(&self.client, &id).await {
                    self.emit(kept).await;
                }
            }
            ChatRequest::Prompt(id, request) => {
                let event = reply::handle(&self.client, &id, request).await;
                self.channel.send(ChatEvent::Prompt(id, event));
            }
            ChatRequest::ListConversations => match self.list_conversations().await {
                Ok(earlier) => self.channel.send(ChatEvent::Conversations(earlier)),
                Err(error) => self.channel.send(ChatEvent::Failed(error.to_string())),
            },
            ChatRequest::OpenConversation(id) => {
                if let Err(error) = self.open_conversation(&id).await {
                    self.channel.send(ChatEvent::Failed(error.to_string()));
                }
            }
            // `dispatch` saves drafts.
            ChatRequest::SaveDraft(..) => {}
        }
    }

    async fn send_message(&self, text: &str) -> Result<(), ClientError> {
        let message_id = new_message_id();
        let known = self.conversation.lock().await.clone();
        let Some(id) = known else {
            return self.start_conversation(text, message_id).await;
        };
        self.post_message(&id, text, message_id).await
    }

    /// Creates a conversation, and opens its feed before the first message is sent, so that the reply
    /// is shown from its first token.
    async fn start_conversation(
        &self,
        text: &str,
        message_id: MessageId,
    ) -> Result<(), ClientError> {
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
            key: Some(new_key()),
            ..NewConversationParams::default()
        };
        let created = retry_while_unreachable(|| self.client.create_conversation(&params)).await?;
        let id = &created.id;
        *self.conversation.lock().await = Some(id.clone());
        let agent = self.agent_name(created.app.as_deref()).await;
        let detail = ConversationDetailResponse {
            conversation: created.clone(),
            messages: Vec::new(),
            before: None,
            sequence: None,
        };
        self.channel
            .send(ChatEvent::Opened(Box::new(detail), Vec::new(), agent));
        let (opened, feed_opened) = oneshot::channel();
        // From sequence number 0, so that a feed that opens late misses nothing.
        self.replace_feed(self.clone().follow(id.clone(), Some(0), Some(opened)))
            .await;
        // A feed that cannot open keeps trying; the message does not wait for it.
        drop(tokio::time::timeout(FEED_OPEN_MAX, feed_opened).await);
        self.post_message(id, text, message_id).await
    }

    async fn post_message(
        &self,
        id: &ConversationId,
        text: &str,
        message_id: MessageId,
    ) -> Result<(), ClientError> {
        let params = MessageParams {
            text: text.to_owned(),
            message_id: Some(message_id),
        };
        retry_while_unreachable(|| self.client.send_message(id, &params)).await?;
        Ok(())
    }

    async fn stop(&self) {
        let Some(conversation) = self.conversation.lock().await.clone() else {
            return;
        };
        let params = CancelWorkParams {
            key: Some(new_key()),
            ..CancelWorkParams::default()
        };
        let sent = retry_while_unreachable(|| self.client.cancel(&conversation, &params)).await;
        self.channel.send(match sent {
            Ok(_) => ChatEvent::AgentStopped,
            Err(error) => ChatEvent::Failed(error.to_string()),
        });
    }

    /// Emits a question as it is now. One that has no outcome may be new to the screen, and comes with its draft.
    async fn emit(&self, inquiry: InquiryResponse) {
        let draft = if inquiry.status.is_resolved() {
            self.drafts.forget(&inquiry.id);
            None
        } else {
            self.drafts.read(&inquiry.id).await
        };
        let update = InquiryUpdate::new(self.clock, inquiry, draft);
        self.channel.send(ChatEvent::Inquiry(Box::new(update)));
    }

    async fn list_conversations(&self) -> Result<Vec<EarlierConversation>, ClientError> {
        let params = ListConversationsParams {
            limit: Some(READ_CONVERSATIONS),
            ..ListConversationsParams::default()
        };
        let page = retry_while_unreachable(|| self.client.conversations(&params)).await?;
        // A question of an external agent is no conversation that could be continued here.
        let own = |one: &ConversationResponse| one.driver == DriverName::BuiltIn;
        Ok(page.items.into_iter().filter(own).map(earlier).collect())
    }

    /// Emits a conversation with its questions, and follows it from there.
    async fn open_conversation(&self, id: &ConversationId) -> Result<(), ClientError> {
        let params = ReadConversationParams {
            limit: Some(RESUMED_MESSAGES),
            ..ReadConversationParams::default()
        };
        let detail = retry_while_unreachable(|| self.client.conversation(id, &params)).await?;
        let params = ListInquiriesParams {
            conversation_id: Some(id.clone()),
            limit: Some(200),
            ..ListInquiriesParams::default()
        };
        let all = retry_while_unreachable(|| self.client.inquiries(&params))
            .await?
            .items;
        let app = detail.conversation.app.as_deref();
        let agent = self.agent_name(app).await;
        let (ended, pending): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|one| one.status.is_resolved());
        *self.conversation.lock().await = Some(id.clone());
        let after = detail.sequence;
        self.channel
            .send(ChatEvent::Opened(Box::new(detail), ended, agent));
        for inquiry in pending {
            self.emit(inquiry).await;
        }
        self.replace_feed(self.clone().follow(id.clone(), after, None))
            .await;
        Ok(())
    }

    /// The name of the app's agent. If it cannot be fetched, the id of the app will do.
    async fn agent_name(&self, app: Option<&str>) -> String {
        let name = retry_while_unreachable(|| agent_name(&self.client, app));
        match tokio::time::timeout(AGENT_NAME_MAX, name).await {
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

    /// Emits the events of a conversation until the server refuses the feed.
    async fn follow(
        self,
        id: ConversationId,
        after: Option<u64>,
        opened: Option<oneshot::Sender<()>>,
    ) {
        let mut events = self.client.conversation_events(&id, after);
        let result = events.open().await;
        if let Some(opened) = opened {
            // Nobody receives this after the time-out.
            let in_time = opened.send(()).is_ok();
            tracing::trace!(in_time, opened = result.is_ok(), "opened the feed");
        }
        loop {
            match events.next().await {
                Ok(FeedItem::Event(event)) => {
                    if let EventResponse::Inquiry(event) = *event {
                        self.emit(event.inquiry).await;
                    } else {
                        self.channel.send(ChatEvent::Event(event));
                    }
                }
                Ok(FeedItem::Disconnected(error)) => {
                    tracing::debug!(%error, "lost the connection to the server");
                    self.channel.send(ChatEvent::Disconnected);
                }
                Ok(FeedItem::Reconnected) => {
                    let base = self.client.base_url();
                    let base = base.trim_end_matches('/').to_owned();
                    self.channel.send(ChatEvent::Connected(Some(base)));
                }
                Err(error) => {
                    self.channel.send(ChatEvent::Failed(error.to_string()));
                    return;
                }
            }
        }
    }
}

fn earlier(conversation: ConversationResponse) -> EarlierConversation {
    EarlierConversation {
        title: conversation
            .title
            .unwrap_or_else(|| conversation.id.to_string()),
        waits: conversation.state.inquiry_id().is_some(),
        at: conversation.updated_at,
        id: conversation.id,
    }
}

/// The name of the app's agent, or the id of an app that the server does not list.
pub(crate) async fn agent_name(client: &Client, app: Option<&str>) -> Result<String, ClientError> {
    let apps = client.apps().await?.items;
    let found = apps.into_iter().find(|known| match app {
        Some(id) => known.id == id,
        None => known.default,
    });
    Ok(found.map_or_else(|| app.unwrap_or("askback").to_owned(), |app| app.name))
}

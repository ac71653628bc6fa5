//! Creates conversations: with a message to the built-in agent, or with an inquiry of an external one.

use std::sync::Arc;

use askback_core::conversation::command::{Command, NewDeadline};
use askback_core::conversation::event::Event;
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::{Conversation, ConversationSettings, Decision, Driver, Parent};
use askback_core::id::{ConversationId, MessageId};
use askback_core::outcome::Actor;
use askback_core::text::Text;

use crate::commit::{self, CommitOptions};
use crate::engine::Engine;
use crate::jobs::start_claimed;
use crate::loaded_conversation::LoadedConversation;
use crate::run_to_end::RunToEnd;
use crate::submit::{SubmitError, Submitted};

/// What [`Engine::create`] starts a conversation from.
#[derive(Debug, Clone)]
pub struct ConversationStart {
    /// Chosen by the engine if absent. Sub-agents get theirs from the decision that starts them.
    pub id: Option<ConversationId>,
    /// The built-in agent, or an external one that only asks.
    pub driver: Driver,
    /// The id of the app; absent for the default app.
    pub app: Option<String>,
    /// The call that starts this conversation as a sub-agent.
    pub parent: Option<Parent>,
    /// Taken from the first message if absent.
    pub title: Option<Text>,
    /// The first message. Without one, the conversation waits for it.
    pub message: Option<String>,
    /// The sender's id for the message.
    pub message_id: Option<MessageId>,
}

impl Engine {
    /// Creates a conversation, with its first message if it has one, in one commit.
    pub async fn create(
        &self,
        new: ConversationStart,
        by: Actor,
        options: CommitOptions,
    ) -> Result<Submitted, SubmitError> {
        let first = new.message.clone().map(|text| Command::SendMessage {
            message: new.message_id.clone(),
            text,
        });
        self.start_conversation(new, first, by, options).await
    }

    /// Creates a conversation of an external agent with its first inquiry, in one commit.
    pub async fn ask(
        &self,
        inquiry: askback_core::inquiry::Inquiry,
        deadline: Option<NewDeadline>,
        by: Actor,
        options: CommitOptions,
    ) -> Result<Submitted, SubmitError> {
        let new = ConversationStart {
            id: None,
            driver: Driver::External,
            app: None,
            parent: None,
            title: inquiry.given_source().cloned(),
            message: None,
            message_id: None,
        };
        let ask = Command::Ask { inquiry, deadline };
        self.start_conversation(new, Some(ask), by, options).await
    }

    async fn start_conversation(
        &self,
        new: ConversationStart,
        first: Option<Command>,
        by: Actor,
        options: CommitOptions,
    ) -> Result<Submitted, SubmitError> {
        let engine = self.clone();
        // A caller that is cancelled must not leave a commit unpublished.
        RunToEnd::new(async move { engine.commit_start(new, first, by, options).await }).await
    }

    async fn commit_start(
        &self,
        new: ConversationStart,
        first: Option<Command>,
        by: Actor,
        options: CommitOptions,
    ) -> Result<Submitted, SubmitError> {
        let mut context = self.context(by);
        let id = new.id.unwrap_or_else(|| context.ids.draw());
        let policy = self
            .apps()
            .app(new.app.as_deref())
            .map(|app| app.policy.clone());
        let is_built_in = new.driver == Driver::BuiltIn;
        let provider = self.inner.parts.llm.name().filter(|_| is_built_in);
        let (conversation, started) = Conversation::start(ConversationSettings {
            id: id.clone(),
            driver: new.driver,
            parent: new.parent,
            policy: policy.unwrap_or_default(),
            provider: provider.map(str::to_owned),
        });
        let decision = match decide_start(&conversation, started, first.as_ref(), &context) {
            Ok(decision) => decision,
            Err(rejection) => return Err(self.explain_rejection(&id, rejection, &options).await),
        };
        if let Err(rejection) = self.require_room(first.as_ref()).await? {
            return Err(self.explain_rejection(&id, rejection, &options).await);
        }
        let guard = self.inner.conversations.lock(&id).await;
        let before = LoadedConversation {
            conversation: Arc::new(conversation),
            title: new.title.map(String::from),
            app: new.app,
            created_at: context.now,
            pending: Vec::new(),
        };
        let after = commit::apply(&before, &decision, &options);
        let commit = commit::build_first(&after, &decision, &options, context.now)?;
        let (submitted, claimed) = self.write(&before, after, decision, commit).await?;
        drop(guard);
        start_claimed(self, claimed);
        Ok(submitted)
    }
}

/// The start of a conversation and its first command, as one decision.
fn decide_start(
    conversation: &Conversation,
    started: Event,
    first: Option<&Command>,
    context: &askback_core::conversation::Context,
) -> Result<Decision, Rejection> {
    let mut decision = match first {
        Some(command) => conversation.decide(command, context)?,
        None => Decision {
            events: Vec::new(),
            jobs: Vec::new(),
            after: conversation.clone(),
        },
    };
    decision.events.insert(0, started);
    Ok(decision)
}

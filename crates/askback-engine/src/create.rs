//! Conversations begin: with a message for the built-in agent, or with a question of an external one.

use std::sync::Arc;

use askback_core::conversation::command::Command;
use askback_core::conversation::event::Event;
use askback_core::conversation::rejection::Rejection;
use askback_core::conversation::{Conversation, Decision, Driver, Parent, Settings};
use askback_core::id::{ConversationId, MessageId};
use askback_core::outcome::Actor;
use jiff::SignedDuration;

use crate::commit::{self, Extras};
use crate::engine::Engine;
use crate::loaded_conversation::Active;
use crate::submit::{SubmitError, Submitted};

/// A conversation to begin.
#[derive(Debug, Clone)]
pub struct NewConversation {
    /// Its id, where it is known beforehand.
    pub id: Option<ConversationId>,
    /// Who drives it.
    pub driver: Driver,
    /// The app it runs.
    pub app: Option<String>,
    /// The conversation that starts it.
    pub parent: Option<Parent>,
    /// What to call it.
    pub title: Option<String>,
    /// The first message.
    pub message: Option<String>,
    /// The sender's id for it.
    pub message_id: Option<MessageId>,
}

impl Engine {
    /// Begins a conversation, with its first message if it has one, in one commit.
    pub async fn create(
        &self,
        new: NewConversation,
        by: Actor,
        extras: Extras,
    ) -> Result<Submitted, SubmitError> {
        let first = new.message.clone().map(|text| Command::SendMessage {
            message: new.message_id.clone(),
            text,
        });
        self.begin(new, first, by, extras).await
    }

    /// Begins a conversation of an external agent with a question, in one commit.
    pub async fn ask(
        &self,
        inquiry: askback_core::inquiry::Inquiry,
        expires_after: Option<SignedDuration>,
        by: Actor,
        extras: Extras,
    ) -> Result<Submitted, SubmitError> {
        let new = NewConversation {
            id: None,
            driver: Driver::External,
            app: None,
            parent: None,
            title: extras.source.clone(),
            message: None,
            message_id: None,
        };
        let ask = Command::Ask {
            inquiry,
            expires_after,
        };
        self.begin(new, Some(ask), by, extras).await
    }

    async fn begin(
        &self,
        new: NewConversation,
        first: Option<Command>,
        by: Actor,
        extras: Extras,
    ) -> Result<Submitted, SubmitError> {
        let engine = self.clone();
        // As for every commit: a caller who goes away must not leave it unpublished.
        let task = tokio::spawn(async move { engine.begin_now(new, first, by, extras).await });
        task.await.unwrap_or(Err(SubmitError::Closing))
    }

    async fn begin_now(
        &self,
        new: NewConversation,
        first: Option<Command>,
        by: Actor,
        extras: Extras,
    ) -> Result<Submitted, SubmitError> {
        let mut context = self.context(by);
        let id = new.id.unwrap_or_else(|| context.ids.draw());
        let policy = self
            .apps()
            .app(new.app.as_deref())
            .map(|app| app.policy.clone());
        let thinks = new.driver == Driver::BuiltIn;
        let provider = self.inner.parts.llm.name().filter(|_| thinks);
        let (conversation, started) = Conversation::start(Settings {
            id: id.clone(),
            driver: new.driver,
            parent: new.parent,
            policy: policy.unwrap_or_default(),
            provider: provider.map(str::to_owned),
        });
        let decision = match with_first(&conversation, started, first.as_ref(), &context) {
            Ok(decision) => decision,
            Err(rejection) => return Err(self.refused(&id, rejection, &extras).await),
        };
        let turn = self.lock(&id).await;
        let fresh = Active {
            conversation: Arc::new(conversation),
            title: new.title,
            app: new.app,
            created_at: context.now,
            asked: Vec::new(),
        };
        let after = commit::after(&fresh, &decision, &extras);
        let commit = commit::plan_new(&after, &decision, &extras, context.now)?;
        let (submitted, work) = self.write(&fresh, after, decision, commit).await?;
        drop(turn);
        self.start_claimed(work);
        Ok(submitted)
    }
}

/// The start of a conversation together with what its first command leads to.
fn with_first(
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

//! What people write that is no reply to a question: taken if it can only be meant for one prompt, and else answered with
//! how to answer.

use askback_core::id::InquiryId;
use askback_locale::Locale;
use askback_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::answer::handle_incoming::{ChannelHandler, Unhandled, feedback};
use crate::contract::button::{Button, Press};
use crate::contract::channel::{Address, MessageId};
use crate::contract::feedback::{Feedback, PressResult, TextPrompt};
use crate::contract::incoming::Incoming;
use crate::state::{self, Kept};

/// The newest prompt of a chat. It outlives the question, so that a late reply is told how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LastPrompt {
    message: String,
    /// [`Button::encode`].
    data: String,
    /// Whether it still waits for a text.
    is_open: bool,
}

impl ChannelHandler {
    /// Stores that a prompt was shown.
    pub(crate) async fn remember_prompt(
        &self,
        address: &Address,
        prompt: &TextPrompt,
        message: &MessageId,
    ) -> Result<(), StoreError> {
        let state = self.shared.state();
        let key = state::prompt(&prompt.button.inquiry, &self.name, address, message);
        state.set(key, &prompt.button.encode()).await?;
        let last = LastPrompt {
            message: message.0.clone(),
            data: prompt.button.encode(),
            is_open: true,
        };
        self.set_last_prompt(address, &last).await
    }

    /// What a prompt asks for. The newest one of a chat is known also after its question has ended.
    pub(crate) async fn prompt_of(
        &self,
        address: &Address,
        message: &MessageId,
    ) -> Result<Option<Button>, Unhandled> {
        let key = state::prompt_of(&self.name, address, message);
        let found = self.shared.state().get(key).await?;
        if let Some(button) = found.and_then(|data| Button::decode(&data)) {
            return Ok(Some(button));
        }
        let last = self.last_prompt(address).await?;
        let last = last.filter(|last| last.message == message.0);
        Ok(last.and_then(|last| Button::decode(&last.data)))
    }

    /// A text without a reply is for the newest prompt, if that waits for one and no other question does.
    pub(crate) async fn loose_text(
        &self,
        incoming: &Incoming,
        text: &str,
    ) -> Result<Feedback, Unhandled> {
        let address = &incoming.address;
        let last = self.last_prompt(address).await?;
        if let Some(last) = last.filter(|last| last.is_open) {
            let keys = state::prompts(&self.name, address);
            let open = self.shared.state().list(keys).await?;
            let newest = Button::decode(&last.data);
            let asked = newest.as_ref().map(|newest| &newest.inquiry);
            let of_other = |prompt: &Kept<String>| prompt.inquiry() != asked;
            let is_only = !open.is_empty() && !open.iter().any(of_other);
            if let (true, Some(button)) = (is_only, &newest) {
                return self.answer_prompt(incoming, button, text).await;
            }
        }
        self.explain(incoming, "channel-help").await
    }

    /// A reason is no longer asked for: a text that follows is none.
    pub(crate) async fn close_reason_prompt(
        &self,
        incoming: &Incoming,
        inquiry: &InquiryId,
    ) -> Result<(), Unhandled> {
        let last = self.last_prompt(&incoming.address).await?;
        let button = last.and_then(|last| Button::decode(&last.data));
        let is_reason = button
            .is_some_and(|button| button.press == Press::Reason && button.inquiry == *inquiry);
        if is_reason {
            self.close_prompt(&incoming.address).await?;
        }
        Ok(())
    }

    /// The newest prompt got its text.
    pub(crate) async fn close_prompt(&self, address: &Address) -> Result<(), Unhandled> {
        if let Some(last) = self.last_prompt(address).await? {
            let closed = LastPrompt {
                is_open: false,
                ..last
            };
            self.set_last_prompt(address, &closed).await?;
        }
        Ok(())
    }

    /// A reply to a message that asks nothing: explained to one person, ignored among several.
    pub(crate) async fn explain_in_private(
        &self,
        incoming: &Incoming,
    ) -> Result<Feedback, Unhandled> {
        let account = incoming.identity.as_str().split_once(':');
        if account.is_some_and(|(_, account)| account == incoming.address.0) {
            return self.explain(incoming, "channel-help").await;
        }
        Ok(feedback(PressResult::Ignored, String::new()))
    }

    /// Says what to do. Somebody whose account is unknown is told how to link it.
    pub(crate) async fn explain(
        &self,
        incoming: &Incoming,
        key: &str,
    ) -> Result<Feedback, Unhandled> {
        let config = self.shared.config();
        let text = match self.owner(&config.recipients, incoming).await? {
            Some((_, person)) => person.locale.text(key, &[]),
            None => Locale::choose(&["en"]).text("channel-how-to-link", &[]),
        };
        Ok(feedback(PressResult::NotAnAnswer, text))
    }

    async fn last_prompt(&self, address: &Address) -> Result<Option<LastPrompt>, StoreError> {
        let key = state::last_prompt(&self.name, address);
        self.shared.state().get(key).await
    }

    async fn set_last_prompt(
        &self,
        address: &Address,
        last: &LastPrompt,
    ) -> Result<(), StoreError> {
        let key = state::last_prompt(&self.name, address);
        self.shared.state().set(key, last).await
    }
}

//! The prompts of a chat: messages that ask for a text.

use askback_core::id::InquiryId;
use askback_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::contract::button::{Button, Press};
use crate::contract::channel::{Address, MessageId};
use crate::contract::feedback::TextPrompt;
use crate::state::{self, ChannelState, Kept};

/// The newest prompt of a chat. It outlives the question, so that a late reply is told how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LastPrompt {
    message: String,
    /// [`Button::encode`].
    data: String,
    /// Whether it still waits for a text.
    is_open: bool,
}

/// The prompts of one chat.
pub(crate) struct Prompts<'a> {
    pub(crate) state: ChannelState<'a>,
    pub(crate) channel: &'a str,
    pub(crate) address: &'a Address,
}

impl Prompts<'_> {
    /// Stores that a prompt was shown.
    pub(crate) async fn remember(
        &self,
        prompt: &TextPrompt,
        message: &MessageId,
    ) -> Result<(), StoreError> {
        let data = prompt.button.encode();
        let inquiry = &prompt.button.inquiry;
        let key = state::prompt(inquiry, self.channel, self.address, message);
        self.state.set(key, &data).await?;
        let last = LastPrompt {
            message: message.0.clone(),
            data,
            is_open: true,
        };
        self.set_last(&last).await
    }

    /// What a prompt asks for. The newest one is known also after its question has ended.
    pub(crate) async fn asked_by(&self, message: &MessageId) -> Result<Option<Button>, StoreError> {
        let key = state::prompt_of(self.channel, self.address, message);
        let found = self.state.get(key).await?;
        if let Some(button) = found.and_then(|data| Button::decode(&data)) {
            return Ok(Some(button));
        }
        let last = self.last().await?;
        let last = last.filter(|last| last.message == message.0);
        Ok(last.and_then(|last| Button::decode(&last.data)))
    }

    /// What a text without a reply is for: the newest prompt, if that waits for one and no other question does.
    pub(crate) async fn only_open(&self) -> Result<Option<Button>, StoreError> {
        let last = self.last().await?.filter(|last| last.is_open);
        let Some(newest) = last.and_then(|last| Button::decode(&last.data)) else {
            return Ok(None);
        };
        let keys = state::prompts(self.channel, self.address);
        let open = self.state.list(keys).await?;
        let is_of_it = |prompt: &Kept<String>| prompt.inquiry() == Some(&newest.inquiry);
        let is_only = !open.is_empty() && open.iter().all(is_of_it);
        Ok(is_only.then_some(newest))
    }

    /// A reason is no longer asked for: a text that follows is none.
    pub(crate) async fn close_reason(&self, inquiry: &InquiryId) -> Result<(), StoreError> {
        let last = self.last().await?;
        let button = last.and_then(|last| Button::decode(&last.data));
        let is_reason = button
            .is_some_and(|button| button.press == Press::Reason && button.inquiry == *inquiry);
        if is_reason {
            self.close().await?;
        }
        Ok(())
    }

    /// The newest prompt got its text.
    pub(crate) async fn close(&self) -> Result<(), StoreError> {
        if let Some(last) = self.last().await? {
            let closed = LastPrompt {
                is_open: false,
                ..last
            };
            self.set_last(&closed).await?;
        }
        Ok(())
    }

    async fn last(&self) -> Result<Option<LastPrompt>, StoreError> {
        let key = state::last_prompt(self.channel, self.address);
        self.state.get(key).await
    }

    async fn set_last(&self, last: &LastPrompt) -> Result<(), StoreError> {
        let key = state::last_prompt(self.channel, self.address);
        self.state.set(key, last).await
    }
}

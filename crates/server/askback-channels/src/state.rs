//! What channels keep between restarts, besides deliveries: every kind of value, with its key and its type.
//!
//! A [`Key`] names one value, or what the keys of several begin with. A value that belongs to a question goes when
//! the question ends; the store sees to that.

use std::marker::PhantomData;

use askback_core::id::InquiryId;
use askback_store::{ChannelValue, DeliveryNumber, DeliveryPlan, Store, StoreError};
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answer::prompts::LastPrompt;
use crate::contract::channel::{Address, MessageId};
use crate::deliver::copies::Copy;
use crate::deliver::follow_up::FollowUps;
use crate::deliver::messages::RefusedMessage;
use crate::deliver::thread_text::ThreadText;
use crate::people::account::{LinkCode, LinkedAccount};
use crate::people::former_people::FormerPerson;
use crate::people::stored_people::StoredRecipient;

/// The key of one value of type `T`, or the beginning of the keys of several.
pub(crate) struct Key<T> {
    text: String,
    inquiry: Option<InquiryId>,
    of: PhantomData<fn() -> T>,
}

/// Each part ends with a semicolon, so that no key is the beginning of another.
fn text(kind: &str, parts: &[&str]) -> String {
    let parts = parts.iter().map(|part| part.replace(';', "%3B") + ";");
    format!("{kind}:{}", parts.collect::<String>())
}

fn key<T>(kind: &str, parts: &[&str]) -> Key<T> {
    Key {
        text: text(kind, parts),
        inquiry: None,
        of: PhantomData,
    }
}

/// Of a value that goes with a question.
fn key_of<T>(inquiry: &InquiryId, kind: &str, parts: &[&str]) -> Key<T> {
    Key {
        inquiry: Some(inquiry.clone()),
        ..key(kind, parts)
    }
}

/// An account that somebody has linked to a recipient.
pub(crate) fn account(channel: &str, identity: &str) -> Key<LinkedAccount> {
    key("link", &[channel, identity])
}

pub(crate) fn accounts() -> Key<LinkedAccount> {
    key("link", &[])
}

/// A person or a group that an administrator has added.
pub(crate) fn recipient(alias: &str) -> Key<StoredRecipient> {
    key("recipient", &[alias])
}

pub(crate) fn recipients() -> Key<StoredRecipient> {
    key("recipient", &[])
}

/// Somebody who was forgotten.
pub(crate) fn former_person(pseudonym: &str) -> Key<FormerPerson> {
    key("former", &[pseudonym])
}

pub(crate) fn former_people() -> Key<FormerPerson> {
    key("former", &[])
}

/// A one-time code with which an account is linked.
pub(crate) fn link_code(code: &str) -> Key<LinkCode> {
    key("code", &[code])
}

pub(crate) fn link_codes() -> Key<LinkCode> {
    key("code", &[])
}

/// How far a channel has read the stream of its provider.
pub(crate) fn position(channel: &str) -> Key<String> {
    key("position", &[channel])
}

/// When a person was last seen at a surface of any node, by the clock of the store.
pub(crate) fn last_seen(alias: &str) -> Key<Timestamp> {
    key("presence", &["seen", alias])
}

/// A key that signs for us at push services, in base64url. It is never replaced: browsers are bound to it.
pub(crate) fn vapid_key(public: &str) -> Key<String> {
    key("vapid", &[public])
}

pub(crate) fn vapid_keys() -> Key<String> {
    key("vapid", &[])
}

/// Reminders and escalations of a question.
pub(crate) fn follow_ups(inquiry: &InquiryId) -> Key<FollowUps> {
    key_of(inquiry, "follow", &[inquiry.as_str()])
}

pub(crate) fn all_follow_ups() -> Key<FollowUps> {
    key("follow", &[])
}

/// A message that its provider has refused.
pub(crate) fn refused(inquiry: &InquiryId, delivery: DeliveryNumber) -> Key<RefusedMessage> {
    key_of(inquiry, "refused", &[&delivery.to_string()])
}

pub(crate) fn all_refused() -> Key<RefusedMessage> {
    key("refused", &[])
}

/// Until when a person has hidden a question from their inbox.
pub(crate) fn snooze(inquiry: &InquiryId, alias: &str) -> Key<Timestamp> {
    key_of(inquiry, "snooze", &[alias, inquiry.as_str()])
}

pub(crate) fn snoozes(alias: &str) -> Key<Timestamp> {
    key("snooze", &[alias])
}

/// When a person got a new link to a question.
pub(crate) fn new_link(inquiry: &InquiryId, alias: &str) -> Key<Timestamp> {
    key_of(inquiry, "new-link", &[inquiry.as_str(), alias])
}

/// That a message shows to whom the question can be handed on, and the reason so far.
pub(crate) fn hand_on_menu(inquiry: &InquiryId, channel: &str, alias: &str) -> Key<String> {
    key_of(inquiry, "people", &[inquiry.as_str(), channel, alias])
}

pub(crate) fn hand_on_menus(inquiry: &InquiryId) -> Key<String> {
    key("people", &[inquiry.as_str()])
}

/// The data of the button that stands for the reply to a prompt.
pub(crate) fn prompt(
    inquiry: &InquiryId,
    channel: &str,
    address: &Address,
    message: &MessageId,
) -> Key<String> {
    key_of(inquiry, "prompt", &[channel, &address.0, &message.0])
}

/// The prompt that a message is, whatever its question.
pub(crate) fn prompt_of(channel: &str, address: &Address, message: &MessageId) -> Key<String> {
    key("prompt", &[channel, &address.0, &message.0])
}

pub(crate) fn prompts(channel: &str, address: &Address) -> Key<String> {
    key("prompt", &[channel, &address.0])
}

/// The newest prompt of a chat. It outlives its question.
pub(crate) fn last_prompt(channel: &str, address: &Address) -> Key<LastPrompt> {
    key("last-prompt", &[channel, &address.0])
}

/// A message that was sent twice. It goes when it says how the question ended.
pub(crate) fn copy(channel: &str, inquiry: &InquiryId, address: &str, message: &str) -> Key<Copy> {
    key("copy", &[channel, inquiry.as_str(), address, message])
}

pub(crate) fn copies(channel: &str, inquiry: &InquiryId, address: &str) -> Key<Copy> {
    key("copy", &[channel, inquiry.as_str(), address])
}

/// A short text that waits for a message. It goes when it was sent.
pub(crate) fn thread_text(delivery: DeliveryNumber, text: ThreadText) -> Key<ThreadText> {
    key("reply", &[&delivery.to_string(), &format!("{text:?}")])
}

pub(crate) fn thread_texts(delivery: DeliveryNumber) -> Key<ThreadText> {
    key("reply", &[&delivery.to_string()])
}

impl<T: Serialize> Key<T> {
    fn with(self, value: &T) -> Result<ChannelValue, StoreError> {
        let json = serde_json::to_string(value);
        let json = json.map_err(|error| StoreError::Corrupt(error.to_string()))?;
        Ok(ChannelValue {
            key: self.text,
            value: json,
            inquiry: self.inquiry,
        })
    }

    /// Sets the value with a plan.
    pub(crate) fn plan(self, plan: &mut DeliveryPlan, value: &T) -> Result<(), StoreError> {
        plan.set(self.with(value)?);
        Ok(())
    }
}

impl<T> Key<T> {
    /// Removes the value with a plan.
    pub(crate) fn plan_removal(self, plan: &mut DeliveryPlan) {
        plan.values.insert(self.text, None);
    }
}

/// A value with its key.
pub(crate) struct Kept<T> {
    pub(crate) key: Key<T>,
    pub(crate) value: T,
}

impl<T> Kept<T> {
    /// The question that the value belongs to.
    pub(crate) fn inquiry(&self) -> Option<&InquiryId> {
        self.key.inquiry.as_ref()
    }
}

/// What is kept in a store. A value that cannot be read counts as missing.
pub(crate) struct ChannelState<'a>(pub(crate) &'a dyn Store);

impl ChannelState<'_> {
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        key: Key<T>,
    ) -> Result<Option<T>, StoreError> {
        let found = self.0.channel_values(&key.text).await?;
        Ok(found
            .first()
            .and_then(|found| serde_json::from_str(&found.value).ok()))
    }

    pub(crate) async fn list<T: DeserializeOwned>(
        &self,
        keys: Key<T>,
    ) -> Result<Vec<Kept<T>>, StoreError> {
        let found = self.0.channel_values(&keys.text).await?;
        let read = found.into_iter().filter_map(|found| {
            Some(Kept {
                value: serde_json::from_str(&found.value).ok()?,
                key: Key {
                    text: found.key,
                    inquiry: found.inquiry,
                    of: PhantomData,
                },
            })
        });
        Ok(read.collect())
    }

    pub(crate) async fn values<T: DeserializeOwned>(
        &self,
        keys: Key<T>,
    ) -> Result<Vec<T>, StoreError> {
        let kept = self.list(keys).await?.into_iter();
        Ok(kept.map(|kept| kept.value).collect())
    }

    pub(crate) async fn set<T: Serialize>(&self, key: Key<T>, value: &T) -> Result<(), StoreError> {
        self.0.set_channel_value(key.with(value)?).await
    }

    /// Removes a value and returns it. Of several callers, one gets it.
    pub(crate) async fn take<T: DeserializeOwned>(
        &self,
        key: Key<T>,
    ) -> Result<Option<T>, StoreError> {
        let taken = self.0.take_channel_value(&key.text).await?;
        Ok(taken.and_then(|taken| serde_json::from_str(&taken).ok()))
    }

    /// Removes what was kept of a chat for the questions in it.
    pub(crate) async fn remove_of_chat(
        &self,
        channel: &str,
        address: &str,
    ) -> Result<(), StoreError> {
        let address = Address(address.to_owned());
        for prompt in self.list(prompts(channel, &address)).await? {
            self.remove(prompt.key).await?;
        }
        self.remove(last_prompt(channel, &address)).await
    }

    pub(crate) async fn remove<T>(&self, key: Key<T>) -> Result<(), StoreError> {
        self.0.take_channel_value(&key.text).await.map(drop)
    }
}

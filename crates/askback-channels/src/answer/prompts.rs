//! Messages that ask for a text: which question a reply to one of them answers.
//!
//! They are found by the message, and listed by the question, so that what belongs to a question is removed with it
//! without reading what belongs to others.

use std::collections::{BTreeMap, BTreeSet};

use askback_core::id::InquiryId;
use askback_store::{DeliveryPlan, Store, StoreError};

use crate::contract::button::Button;
use crate::contract::channel::{Address, MessageId};
use crate::contract::feedback::TextPrompt;
use crate::dispatcher::Shared;

/// The keys of all prompts begin with this.
const PROMPT: &str = "prompt:";
/// The keys of all entries in the lists begin with this.
const LISTED: &str = "prompts:";

fn key(channel: &str, address: &Address, message: &MessageId) -> String {
    format!("{PROMPT}{channel}:{}:{};", address.0, message.0)
}

/// The keys of what is listed for a question begin with this; the key of the prompt follows.
fn list(inquiry: &InquiryId) -> String {
    format!("{LISTED}{inquiry};")
}

/// Remembers what a message asks for.
pub(crate) async fn store_prompt(
    shared: &Shared,
    (channel, address): (&str, &Address),
    message: &MessageId,
    prompt: &TextPrompt,
) -> Result<(), StoreError> {
    let key = key(channel, address, message);
    let listed = format!("{}{key}", list(&prompt.button.inquiry));
    let values = [
        (key, Some(prompt.button.encode())),
        (listed, Some(String::new())),
    ];
    write(shared, values.into()).await
}

/// The button that stands for the reply to a message.
pub(crate) async fn find_prompt(
    store: &dyn Store,
    (channel, address): (&str, &Address),
    message: &MessageId,
) -> Result<Option<Button>, StoreError> {
    let stored = store.channel_values(&key(channel, address, message));
    let stored = stored.await?.into_iter().next();
    Ok(stored.and_then(|(_, data)| Button::decode(&data)))
}

/// The data of the buttons of all prompts in a chat.
pub(crate) async fn open_prompts(
    store: &dyn Store,
    (channel, address): (&str, &Address),
) -> Result<Vec<String>, StoreError> {
    let in_chat = format!("{PROMPT}{channel}:{}:", address.0);
    let stored = store.channel_values(&in_chat).await?;
    Ok(stored.into_iter().map(|(_, data)| data).collect())
}

/// Removes the prompts of a question that has ended.
pub(crate) async fn remove_prompts(
    store: &dyn Store,
    plan: &mut DeliveryPlan,
    inquiry: &InquiryId,
) -> Result<(), StoreError> {
    let list = list(inquiry);
    for (listed, _) in store.channel_values(&list).await? {
        if let Some(prompt) = listed.strip_prefix(&list) {
            plan.values.insert(prompt.to_owned(), None);
        }
        plan.values.insert(listed, None);
    }
    Ok(())
}

/// Lists the prompts that earlier versions have stored without doing so.
pub(crate) async fn list_prompts(shared: &Shared) -> Result<(), StoreError> {
    let store = shared.engine.store();
    let listed = store.channel_values(LISTED).await?.into_iter();
    let listed: BTreeSet<String> = listed.map(|(key, _)| key).collect();
    let mut missing = BTreeMap::new();
    for (key, data) in store.channel_values(PROMPT).await? {
        match Button::decode(&data) {
            Some(button) => {
                let entry = format!("{}{key}", list(&button.inquiry));
                if !listed.contains(&entry) {
                    missing.insert(entry, Some(String::new()));
                }
            }
            None => drop(missing.insert(key, None)),
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    write(shared, missing).await
}

async fn write(
    shared: &Shared,
    values: BTreeMap<String, Option<String>>,
) -> Result<(), StoreError> {
    let plan = DeliveryPlan {
        new: Vec::new(),
        changed: Vec::new(),
        due_at: shared.engine.clock().now(),
        values,
        cursor: None,
    };
    shared.engine.store().plan_deliveries(plan).await
}

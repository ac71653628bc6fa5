//! Accounts that people have linked to a recipient with a one-time code.

use askback_core::identity::Identity;
use askback_store::{Store, StoreError};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The keys of linked accounts begin with this, followed by the channel and the identity.
const LINK: &str = "link:";
/// The keys of one-time codes begin with this.
const CODE: &str = "code:";

/// An account that belongs to a recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinkedAccount {
    pub(crate) channel: String,
    pub(crate) recipient: String,
    /// `telegram:42`.
    pub(crate) identity: String,
    /// Where messages go.
    pub(crate) address: String,
    /// Of a browser, with which messages are sent to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) subscription: Option<BrowserSubscription>,
}

/// What a browser gave when it subscribed. `Debug` shows nothing of it: whoever knows it can write to the
/// browser.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BrowserSubscription {
    pub(crate) endpoint: String,
    /// The key of the browser, in base64url.
    pub(crate) p256dh: String,
    /// The secret that it shares with us, in base64url.
    pub(crate) auth: String,
    /// The public key of ours that it was made with.
    pub(crate) vapid: String,
    /// Which token of the server it was made with: another token locks everybody out.
    pub(crate) token: String,
    /// The session of the browser, with which the subscription ends. None if it was made with the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<String>,
}

impl std::fmt::Debug for BrowserSubscription {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BrowserSubscription(…)")
    }
}

impl LinkedAccount {
    fn key(&self) -> String {
        format!("{LINK}{}:{}", self.channel, self.identity)
    }
}

/// What a one-time code is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinkCode {
    pub(crate) channel: String,
    pub(crate) recipient: String,
    pub(crate) expires_at: Timestamp,
}

/// The accounts that were linked, of all channels.
pub(crate) async fn linked_accounts(store: &dyn Store) -> Result<Vec<LinkedAccount>, StoreError> {
    let values = store.channel_values(LINK).await?;
    let accounts = values.iter();
    let accounts = accounts.filter_map(|(_, value)| serde_json::from_str(value).ok());
    Ok(accounts.collect())
}

/// The account with this address in a channel whose addresses are the ids of its accounts.
pub(crate) async fn linked_account(
    store: &dyn Store,
    channel: &str,
    address: &str,
) -> Result<Option<LinkedAccount>, StoreError> {
    let values = store
        .channel_values(&format!("{LINK}{channel}:{channel}:{address}"))
        .await?;
    let mut accounts = values.iter();
    let account = accounts.find_map(|(_, value)| serde_json::from_str(value).ok());
    Ok(account.filter(|account: &LinkedAccount| account.address == address))
}

/// Links an account, or changes it.
pub(crate) async fn put_account(
    store: &dyn Store,
    account: &LinkedAccount,
) -> Result<(), StoreError> {
    let value = serde_json::to_string(account).ok();
    store.set_channel_value(&account.key(), value).await
}

/// Removes what [`linked_account`] finds.
pub(crate) async fn remove_account(
    store: &dyn Store,
    channel: &str,
    address: &str,
) -> Result<(), StoreError> {
    let key = format!("{LINK}{channel}:{channel}:{address}");
    store.set_channel_value(&key, None).await
}

/// Stores a one-time code.
pub(crate) async fn store_code(
    store: &dyn Store,
    code: &str,
    meaning: &LinkCode,
) -> Result<(), StoreError> {
    let key = format!("{CODE}{code}");
    let value = serde_json::to_string(meaning).ok();
    store.set_channel_value(&key, value).await
}

/// Makes a code useless, because others have seen it.
pub(crate) async fn revoke_code(store: &dyn Store, code: &str) -> Result<(), StoreError> {
    store
        .set_channel_value(&format!("{CODE}{code}"), None)
        .await
}

/// Links the account of somebody who sent a code. `None` if the code is wrong, was used or is too old. A
/// code works once, also if it is sent by several people at the same time.
pub(crate) async fn redeem_code(
    store: &dyn Store,
    code: &str,
    (channel, identity, address): (&str, &Identity, &str),
    now: Timestamp,
) -> Result<Option<LinkedAccount>, StoreError> {
    let taken = store.take_channel_value(&format!("{CODE}{code}")).await?;
    let meaning = taken.and_then(|value| serde_json::from_str::<LinkCode>(&value).ok());
    let Some(meaning) = meaning.filter(|code| code.channel == channel && now < code.expires_at)
    else {
        return Ok(None);
    };
    let account = LinkedAccount {
        channel: meaning.channel,
        recipient: meaning.recipient,
        identity: identity.to_string(),
        address: address.to_owned(),
        subscription: None,
    };
    put_account(store, &account).await?;
    Ok(Some(account))
}

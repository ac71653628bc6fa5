//! Accounts that people have linked to a recipient with a one-time code.

use askback_store::{Store, StoreError};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::contract::incoming::Incoming;
use crate::state::{self, ChannelState, Key};

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
    /// The credential that subscribed, with which the subscription ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) credential: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) expires_at: Option<Timestamp>,
}

impl std::fmt::Debug for BrowserSubscription {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BrowserSubscription(…)")
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
    let kept = ChannelState(store).list(state::accounts()).await?;
    Ok(kept.into_iter().map(|kept| kept.value).collect())
}

/// The key of the account with this address in a channel whose addresses are the ids of its accounts.
pub(crate) fn account_at(channel: &str, address: &str) -> Key<LinkedAccount> {
    state::account(channel, &format!("{channel}:{address}"))
}

/// Links an account, or changes it.
pub(crate) async fn put_account(
    store: &dyn Store,
    account: &LinkedAccount,
) -> Result<(), StoreError> {
    let key = state::account(&account.channel, &account.identity);
    ChannelState(store).set(key, account).await
}

/// Links the account of somebody who sent a code. `None` if the code is wrong, was used or is too old. A
/// code works once, also if it is sent by several people at the same time.
pub(crate) async fn redeem_code(
    store: &dyn Store,
    code: &str,
    channel: &str,
    incoming: &Incoming,
    now: Timestamp,
) -> Result<Option<LinkedAccount>, StoreError> {
    let meaning = ChannelState(store).take(state::link_code(code)).await?;
    let Some(meaning) = meaning.filter(|code| code.channel == channel && now < code.expires_at)
    else {
        return Ok(None);
    };
    let account = LinkedAccount {
        channel: meaning.channel,
        recipient: meaning.recipient,
        identity: incoming.identity.to_string(),
        address: incoming.address.0.clone(),
        subscription: None,
    };
    put_account(store, &account).await?;
    Ok(Some(account))
}

//! Accounts of recipients, which the configuration names or people have linked with a one-time code.

use std::sync::Arc;

use askback_core::outcome::Actor;
use askback_engine::Engine;
use askback_store::StoreError;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::config::CurrentConfig;
use crate::contract::incoming::Incoming;
use crate::people::reachable::{ReachableAccount, reachable_among};
use crate::people::recipients::Recipients;
use crate::state::{self, ChannelState, Key};

/// How long a one-time code works.
const CODE_LIFETIME: SignedDuration = SignedDuration::from_mins(30);

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

askback_core::debug_only!(BrowserSubscription);

/// What a one-time code is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinkCode {
    pub(crate) channel: String,
    pub(crate) recipient: String,
    pub(crate) expires_at: Timestamp,
}

/// The key of the account with this address in a channel whose addresses are the ids of its accounts.
pub(crate) fn account_at(channel: &str, address: &str) -> Key<LinkedAccount> {
    state::account(channel, &format!("{channel}:{address}"))
}

impl LinkedAccount {
    pub(crate) fn key(&self) -> Key<LinkedAccount> {
        state::account(&self.channel, &self.identity)
    }
}

/// The accounts of all recipients: those of the configuration, and those that were linked.
#[derive(Clone)]
pub struct Accounts {
    engine: Engine,
    config: Arc<CurrentConfig>,
    /// Those of the configuration, who cannot be removed.
    declared: Arc<Recipients>,
}

impl Accounts {
    /// The configuration has no people of the store yet.
    pub(crate) fn new(engine: Engine, config: Arc<CurrentConfig>) -> Accounts {
        Accounts {
            declared: Arc::clone(&config.get().recipients),
            engine,
            config,
        }
    }

    fn state(&self) -> ChannelState<'_> {
        ChannelState(self.engine.store().as_ref())
    }

    /// The accounts that were linked, of all channels.
    pub(crate) async fn linked(&self) -> Result<Vec<LinkedAccount>, StoreError> {
        self.state().values(state::accounts()).await
    }

    /// The accounts that a recipient has linked.
    pub(crate) async fn linked_of(&self, alias: &str) -> Result<Vec<LinkedAccount>, StoreError> {
        let mut accounts = self.linked().await?;
        accounts.retain(|account| account.recipient == alias);
        Ok(accounts)
    }

    /// Whether somebody who acted is the person with this alias, however they proved it: the only rule for whose answer it is.
    /// `actor` is as the record has it, not as it is shown.
    pub async fn is_person(&self, actor: &Actor, alias: &str) -> Result<bool, StoreError> {
        let linked = self.linked().await?;
        let recipients = &self.config.get().recipients;
        Ok(recipients.is_person(actor, alias, &linked))
    }

    /// Links an account, or changes it.
    pub(crate) async fn put(&self, account: &LinkedAccount) -> Result<(), StoreError> {
        self.state().set(account.key(), account).await
    }

    pub(crate) async fn unlink(&self, account: Key<LinkedAccount>) -> Result<(), StoreError> {
        self.state().remove(account).await
    }

    /// Stores a one-time code with which somebody links their account to a recipient.
    pub async fn add_code(
        &self,
        code: &str,
        channel: &str,
        recipient: &str,
    ) -> Result<Timestamp, StoreError> {
        let expires_at = self.engine.clock().now() + CODE_LIFETIME;
        let meaning = LinkCode {
            channel: channel.to_owned(),
            recipient: recipient.to_owned(),
            expires_at,
        };
        self.state().set(state::link_code(code), &meaning).await?;
        Ok(expires_at)
    }

    /// Links the account of somebody who sent a code. `None` if the code is wrong, was used or is too old, or if the person was
    /// removed meanwhile. A code works once, also if it is sent by several people at the same time.
    pub(crate) async fn redeem_code(
        &self,
        code: &str,
        channel: &str,
        incoming: &Incoming,
    ) -> Result<Option<LinkedAccount>, StoreError> {
        let state = self.state();
        let Some(known) = state.get(state::link_code(code)).await? else {
            return Ok(None);
        };
        // Before the code is taken: somebody who is removed and added again removes the code before.
        let person = state.get(state::recipient(&known.recipient)).await?;
        let meaning = state.take(state::link_code(code)).await?;
        let now = self.engine.clock().now();
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
        self.put(&account).await?;
        // After the account is linked: whoever removes the person later finds it.
        let now_stored = state.get(state::recipient(&account.recipient)).await?;
        let is_same = person.is_some() && person == now_stored;
        if !is_same && !self.declared.has(&account.recipient) {
            self.unlink(account.key()).await?;
            return Ok(None);
        }
        Ok(Some(account))
    }

    /// The aliases of the recipients with an account in a channel.
    pub async fn recipients_in(&self, channel: &str) -> Result<Vec<String>, StoreError> {
        let linked = self.linked().await?.into_iter();
        let linked = linked.filter(|account| account.channel == channel);
        let mut aliases: Vec<String> = linked.map(|account| account.recipient).collect();
        let config = self.config.get();
        let service = config.channels.get(channel).map(|it| it.service.as_str());
        let people = config.recipients.people.iter();
        let configured = people.filter(|(_, person)| {
            let mut identities = person.identities.iter();
            identities.any(|identity| Some(identity.service()) == service)
        });
        aliases.extend(configured.map(|(alias, _)| alias.clone()));
        aliases.sort();
        aliases.dedup();
        Ok(aliases)
    }

    /// The accounts of a person, of the members of a group, or of who was on call there when they got the question; of
    /// everybody, if none is named. One that belongs to two members is there once. If a channel is named, it is the only one.
    pub(crate) async fn reachable(
        &self,
        named: Option<&str>,
        since: Timestamp,
    ) -> Result<Vec<ReachableAccount>, StoreError> {
        let mut linked = self.linked().await?;
        let now = self.engine.clock().now();
        linked.retain(|account| {
            let browser = account.subscription.as_ref();
            browser
                .and_then(|it| it.expires_at)
                .is_none_or(|at| now < at)
        });
        Ok(reachable_among(&self.config.get(), &linked, named, since))
    }

    /// Whether a question to this person or group is sent to anybody now. Otherwise it waits where people look
    /// for it: in the browser and at the terminal.
    pub async fn is_reachable(&self, alias: &str) -> Result<bool, StoreError> {
        let now = self.engine.clock().now();
        Ok(!self.reachable(Some(alias), now).await?.is_empty())
    }
}

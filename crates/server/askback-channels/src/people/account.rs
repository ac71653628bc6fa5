//! Accounts of recipients, which the configuration names or people have linked with a one-time code.

use std::sync::Arc;

use askback_core::outcome::Actor;
use askback_engine::Engine;
use askback_store::{NewDelivery, StoreError};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::config::{ChannelsConfig, ConfiguredChannel, CurrentConfig};
use crate::contract::channel::Address;
use crate::contract::incoming::Incoming;
use crate::people::recipients::{NamedRecipient, Recipient, Recipients};
use crate::provider::webpush::WEBPUSH;
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

    /// The name of the credential with which a browser has subscribed.
    pub(crate) fn credential(&self) -> Option<&str> {
        self.subscription.as_ref()?.credential.as_deref()
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

/// An account that gets messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReachableAccount {
    pub(crate) channel: String,
    /// The alias of its owner.
    pub(crate) recipient: String,
    /// As it is stored with deliveries.
    pub(crate) address: String,
}

/// What [`crate::people::account::Accounts::reachable`] returns, of linked accounts that were read before.
pub(crate) fn reachable_among(
    config: &ChannelsConfig,
    linked: &[LinkedAccount],
    named: Option<&str>,
    since: Timestamp,
) -> Vec<ReachableAccount> {
    let only = named.and_then(|named| NamedRecipient::parse(named).channel);
    let mut accounts: Vec<ReachableAccount> = Vec::new();
    for (alias, person) in config.recipients.addressed(named, since) {
        for (name, channel) in &config.channels {
            // Who subscribed in a browser wants it there.
            let is_wanted = person.wants(name) || channel.service == WEBPUSH;
            if !only.map_or(is_wanted, |only| only == name) {
                continue;
            }
            let configured = configured_accounts(channel, alias, person);
            let configured = configured.iter().map(|account| account.stored.as_str());
            let linked = linked.iter();
            let linked =
                linked.filter(|account| account.channel == *name && account.recipient == alias);
            let linked = linked.filter(|account| config.accepts(account));
            let linked = linked.map(|account| account.address.as_str());
            for address in configured.chain(linked) {
                let is_known = |it: &ReachableAccount| it.channel == *name && it.address == address;
                if !accounts.iter().any(is_known) {
                    accounts.push(ReachableAccount {
                        channel: name.clone(),
                        recipient: alias.to_owned(),
                        address: address.to_owned(),
                    });
                }
            }
        }
    }
    accounts
}

// Where the message of a delivery goes, and how that is stored. A topic of ntfy is a secret: whoever knows it can read the
// questions. A delivery through such a channel is stored with the name of the account, such as `zoe` or `zoe#2`, and the topic is
// looked up in the configuration when something is sent. Other addresses are stored as they are.

/// An account that the configuration gives to a person.
pub(crate) struct ConfiguredAccount {
    /// How deliveries to it are stored.
    pub(crate) stored: String,
    pub(crate) address: Address,
}

/// The accounts of a person in a channel, in the order of the configuration.
pub(crate) fn configured_accounts(
    channel: &ConfiguredChannel,
    alias: &str,
    person: &Recipient,
) -> Vec<ConfiguredAccount> {
    let identities = person.identities.iter();
    let identities = identities.filter(|identity| identity.service() == channel.service);
    let is_secret = channel.channel.has_secret_addresses();
    let mut accounts: Vec<ConfiguredAccount> = Vec::new();
    for id in identities.map(|identity| account_id(identity.as_str())) {
        if accounts.iter().any(|account| account.address.0 == id) {
            continue;
        }
        accounts.push(ConfiguredAccount {
            stored: if is_secret {
                account_name(alias, accounts.len())
            } else {
                id.to_owned()
            },
            address: Address(id.to_owned()),
        });
    }
    accounts
}

/// The address of a delivery. `None` if the configuration no longer has the account.
pub(crate) fn resolve(
    config: &ChannelsConfig,
    channel: &ConfiguredChannel,
    target: &NewDelivery,
) -> Option<Address> {
    if !channel.channel.has_secret_addresses() {
        return Some(Address(target.address.clone()));
    }
    let person = config.recipients.people.get(&target.recipient)?;
    let accounts = configured_accounts(channel, &target.recipient, person);
    let mut accounts = accounts.into_iter();
    let account = accounts.find(|account| account.stored == target.address)?;
    Some(account.address)
}

/// The name of an account by its place in the list of the person.
fn account_name(alias: &str, index: usize) -> String {
    match index {
        0 => alias.to_owned(),
        _ => format!("{alias}#{}", index + 1),
    }
}

/// What follows the service in an identity: the address of the account.
pub(crate) fn account_id(identity: &str) -> &str {
    identity.split_once(':').map_or(identity, |(_, id)| id)
}

//! Where the message of a delivery goes, and how that is stored.
//!
//! A topic of ntfy is a secret: whoever knows it can read the questions. A delivery through such a channel is stored with
//! the name of the account, such as `zoe` or `zoe#2`, and the topic is looked up in the configuration when something is
//! sent. Other addresses are stored as they are.

use askback_store::NewDelivery;

use crate::config::{ChannelsConfig, ConfiguredChannel};
use crate::contract::channel::Address;
use crate::people::recipients::Recipient;

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

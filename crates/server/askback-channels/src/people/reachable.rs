//! Through which accounts a recipient can be reached.

use jiff::Timestamp;

use crate::config::ChannelsConfig;
use crate::people::account::LinkedAccount;
use crate::people::recipients::NamedRecipient;
use crate::people::stored_address::configured_accounts;
use crate::provider::webpush::WEBPUSH;

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

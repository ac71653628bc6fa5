//! People and groups in the store. Administrators add and remove them while the server runs, on any node.
//!
//! Those of the configuration come first: they are changed there, and the store cannot replace them.

use askback_core::identity::Identity;
use askback_core::text::{Lines, Text};
use askback_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::config::ChannelsConfig;
use crate::dispatcher::{Dispatcher, Shared};
use crate::people::account::linked_accounts;
use crate::people::former_people::FormerPeople;
use crate::people::recipients::{Group, OnCall, Recipient, Recipients, is_alias};
use crate::state;

/// More than a team has people and groups.
const RECIPIENTS_MAX: usize = 1_000;
const NAME_CHARS_MAX: usize = 100;
const IDENTITIES_MAX: usize = 20;
/// A shift of a year is a mistake.
const SHIFT_DAYS_MAX: u32 = 366;

/// A person or a group in the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredRecipient {
    /// What questions name.
    pub alias: String,
    /// Who it is.
    #[serde(flatten)]
    pub kind: RecipientKind,
}

/// A person, or a group of people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RecipientKind {
    /// A person.
    Person {
        /// The name that others see.
        name: String,
        /// Accounts of theirs, such as `proxy:anna@example.org`. Accounts that are linked come in addition.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        identities: Vec<String>,
    },
    /// A group.
    Group {
        /// The aliases of people, in order.
        members: Vec<String>,
        /// Who gets a question first.
        on_call: OnCall,
    },
}

/// Why a recipient is not added or removed.
#[derive(Debug, thiserror::Error)]
pub enum RecipientError {
    /// What was sent cannot be used. The text says why.
    #[error("{0}")]
    Invalid(String),
    /// It is not known whether it was stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn invalid<T>(why: impl Into<String>) -> Result<T, RecipientError> {
    Err(RecipientError::Invalid(why.into()))
}

impl Dispatcher {
    /// Whether a recipient is in the configuration, and is changed there.
    pub fn is_declared(&self, alias: &str) -> bool {
        self.shared.declared.has(alias)
    }

    /// Adds a person or a group, or changes it.
    pub async fn put_recipient(&self, mut new: StoredRecipient) -> Result<(), RecipientError> {
        self.refresh_recipients().await?;
        self.refuse_declared(&new.alias)?;
        let config = self.shared.config();
        check(&config.recipients, &mut new)?;
        let key = state::recipient(&new.alias);
        self.shared.state().set(key, &new).await?;
        self.refresh_recipients().await?;
        Ok(())
    }

    /// Whether a person or a group can be removed. False if there is none.
    pub async fn is_removable(&self, alias: &str) -> Result<bool, RecipientError> {
        self.refuse_declared(alias)?;
        let stored = self.stored_recipients().await?;
        for group in &stored {
            if let RecipientKind::Group { members, .. } = &group.kind
                && members.iter().all(|it| it == alias)
            {
                return invalid(format!(
                    "{alias} is the only member of {}. Remove that group first, or add somebody to it.",
                    group.alias
                ));
            }
        }
        Ok(stored.iter().any(|known| known.alias == alias))
    }

    async fn stored_recipients(&self) -> Result<Vec<StoredRecipient>, StoreError> {
        let kept = self.shared.state().list(state::recipients()).await?;
        Ok(kept.into_iter().map(|kept| kept.value).collect())
    }

    /// Removes a person or a group that is [removable](Self::is_removable). People leave their groups, and their accounts are no
    /// longer linked.
    pub async fn remove_recipient(&self, alias: &str) -> Result<(), StoreError> {
        for mut group in self.stored_recipients().await? {
            if let RecipientKind::Group { members, .. } = &mut group.kind
                && members.iter().any(|it| it == alias)
            {
                members.retain(|it| it != alias);
                let key = state::recipient(&group.alias);
                self.shared.state().set(key, &group).await?;
            }
        }
        // Nobody who gets this alias later gets these accounts with it.
        for account in linked_accounts(self.shared.engine.store().as_ref()).await? {
            if account.recipient == alias {
                let key = state::account(&account.channel, &account.identity);
                self.shared.state().remove(key).await?;
            }
        }
        for snooze in self.shared.state().list(state::snoozes(alias)).await? {
            self.shared.state().remove(snooze.key).await?;
        }
        self.shared.state().remove(state::recipient(alias)).await?;
        self.refresh_recipients().await
    }

    /// Reads the people and groups of the store, which another node may have changed.
    pub async fn refresh_recipients(&self) -> Result<(), StoreError> {
        read_stored_recipients(&self.shared).await
    }

    fn refuse_declared(&self, alias: &str) -> Result<(), RecipientError> {
        if self.is_declared(alias) {
            return invalid(format!(
                "{alias} is in the configuration of the server. Change it there, and restart the server."
            ));
        }
        Ok(())
    }
}

pub(crate) async fn read_stored_recipients(shared: &Shared) -> Result<(), StoreError> {
    // No older reading replaces a newer one: a proxy could still name somebody who was removed.
    let _reading = shared.reading_recipients.lock().await;
    let kept = shared.state().list(state::recipients()).await?;
    let stored = kept.into_iter().map(|kept| kept.value);
    let mut recipients = merged(&shared.declared, &shared.config(), stored);
    let former = shared.state().list(state::former_people()).await?;
    recipients.former = FormerPeople::new(former.into_iter().map(|kept| kept.value).collect());
    shared.set_recipients(recipients);
    Ok(())
}

/// Those of the configuration, and those of the store that it does not name.
fn merged(
    declared: &Recipients,
    config: &ChannelsConfig,
    stored: impl Iterator<Item = StoredRecipient>,
) -> Recipients {
    let mut all = declared.clone();
    for StoredRecipient { alias, kind } in stored {
        if declared.has(&alias) {
            continue;
        }
        match kind {
            RecipientKind::Person { name, identities } => {
                let person = Recipient {
                    name,
                    identities: identities
                        .iter()
                        .filter_map(|it| Identity::parse(it))
                        .collect(),
                    ..config.new_person.clone()
                };
                all.people.insert(alias, person);
            }
            RecipientKind::Group { members, on_call } => {
                all.groups.insert(alias, Group { members, on_call });
            }
        }
    }
    if all.people.len() > 1 {
        // Whoever uses a server alone needs no name.
        for (alias, person) in &mut all.people {
            if person.name.is_empty() {
                person.name.clone_from(alias);
            }
        }
    }
    all
}

/// Refuses what cannot be used, and cleans names.
fn check(known: &Recipients, new: &mut StoredRecipient) -> Result<(), RecipientError> {
    let alias = new.alias.as_str();
    if !is_alias(alias) {
        return invalid("An alias has 1 to 40 small letters, digits and hyphens, and is not `me`.");
    }
    if !known.has(alias) && known.people.len() + known.groups.len() >= RECIPIENTS_MAX {
        return invalid(format!("There can be {RECIPIENTS_MAX} people and groups."));
    }
    match &mut new.kind {
        RecipientKind::Person { name, identities } => {
            if known.groups.contains_key(alias) {
                return invalid(format!("{alias} is a group. Remove it first."));
            }
            *name = cleaned_name(name)?;
            check_identities(known, alias, identities)
        }
        RecipientKind::Group { members, on_call } => {
            if known.people.contains_key(alias) {
                return invalid(format!("{alias} is a person. Remove them first."));
            }
            check_group(known, members, *on_call)
        }
    }
}

fn cleaned_name(name: &str) -> Result<String, RecipientError> {
    match Text::clean(name, Lines::One).filter(|name| name.chars() <= NAME_CHARS_MAX) {
        Some(name) => Ok(name.to_string()),
        None => invalid(format!(
            "`name` must have 1 to {NAME_CHARS_MAX} readable characters."
        )),
    }
}

fn check_identities(
    known: &Recipients,
    alias: &str,
    identities: &[String],
) -> Result<(), RecipientError> {
    if identities.len() > IDENTITIES_MAX {
        return invalid(format!("A person has at most {IDENTITIES_MAX} accounts."));
    }
    for text in identities {
        let Some(identity) = Identity::parse(text) else {
            return invalid("An account is SERVICE:ID, such as proxy:anna@example.org.");
        };
        if known
            .owner(&identity)
            .is_some_and(|(owner, _)| owner != alias)
        {
            return invalid("Another person has this account.");
        }
    }
    Ok(())
}

fn check_group(
    known: &Recipients,
    members: &[String],
    on_call: OnCall,
) -> Result<(), RecipientError> {
    if members.is_empty() {
        return invalid("A group needs a member: nobody would get a question for it.");
    }
    for (index, member) in members.iter().enumerate() {
        if !known.people.contains_key(member) {
            return invalid(format!("No person is called {member:?}."));
        }
        if members[..index].contains(member) {
            return invalid(format!("{member} is named twice."));
        }
    }
    if let OnCall::Rotation { days, .. } = on_call
        && !(1..=SHIFT_DAYS_MAX).contains(&days)
    {
        return invalid(format!(
            "A shift has 1 to {SHIFT_DAYS_MAX} days, such as 7."
        ));
    }
    Ok(())
}

#[cfg(test)]
#[path = "stored_people_tests.rs"]
mod tests;

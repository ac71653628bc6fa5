//! People and groups in the store: what may be added to those of the configuration, and what they are together.

use askback_core::identity::Identity;
use askback_core::text::{Lines, Text};
use askback_store::StoreError;
use serde::{Deserialize, Serialize};

use crate::config::ChannelsConfig;
use crate::people::recipients::{Group, OnCall, Recipient, Recipients, is_alias};

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

pub(crate) fn invalid<T>(why: impl Into<String>) -> Result<T, RecipientError> {
    Err(RecipientError::Invalid(why.into()))
}

/// Those of the configuration, and those of the store that it does not name.
pub(crate) fn merged(
    declared: &Recipients,
    config: &ChannelsConfig,
    stored: impl IntoIterator<Item = StoredRecipient>,
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
pub(crate) fn check(known: &Recipients, new: &mut StoredRecipient) -> Result<(), RecipientError> {
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

//! People who were forgotten: the record keeps who acted, and everything that is made from it says a pseudonym instead.
//!
//! The record is written once and never changed, so names are hidden where it is read. What is kept for that are digests of the
//! names, not the names: they outlive the conversations in which the names are.

use std::borrow::Cow;

use askback_core::identity::Identity;
use askback_core::inquiry::HandedOn;
use askback_core::outcome::Actor;
use askback_core::text::{Lines, Text};
use askback_engine::InquiryView;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::dispatcher::Dispatcher;
use crate::people::account::linked_accounts;
use crate::people::recipients::{NamedRecipient, Recipients};
use crate::people::stored_people::RecipientError;
use crate::provider::base64url;
use crate::state;

/// Other nodes learn within a second that somebody is forgotten, and requests that have begun are completed.
const STILL_THEIRS: SignedDuration = SignedDuration::from_mins(1);

/// The services that prove a person by their alias.
const ALIAS_SERVICES: [&str; 3] = ["token", "session", "proxy"];

/// Somebody who was forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FormerPerson {
    /// What is shown in place of the name and of the alias.
    pseudonym: String,
    /// Up to when the names were theirs. Somebody else may have them later.
    until: Timestamp,
    /// SHA-256 of everything that the record may call them, in base64url.
    digests: Vec<String>,
}

/// Everybody who was forgotten.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FormerPeople(Vec<FormerPerson>);

fn digest(kind: &str, text: &str) -> String {
    base64url::encode(&Sha256::digest(format!("{kind}:{text}")))
}

impl FormerPeople {
    pub(crate) fn new(people: Vec<FormerPerson>) -> FormerPeople {
        FormerPeople(people)
    }

    /// How many. Nobody is ever taken from them, so another number means that somebody was added.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nobody was forgotten.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn find(&self, kind: &str, text: &str, at: Timestamp) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        let digest = digest(kind, text);
        let people = self.0.iter();
        let had_it = people.filter(|it| at <= it.until && it.digests.contains(&digest));
        let first = had_it.min_by_key(|it| it.until);
        first.map(|it| it.pseudonym.as_str())
    }

    /// The pseudonym of somebody who acted at this time under a name or with an identity, if they were forgotten.
    pub fn pseudonym(
        &self,
        name: Option<&str>,
        identity: Option<&str>,
        at: Timestamp,
    ) -> Option<&str> {
        let by_identity = identity.and_then(|it| self.find("identity", it, at));
        by_identity.or_else(|| self.find("name", name?, at))
    }

    /// The actor as everybody sees them.
    #[must_use]
    pub fn actor(&self, actor: &Actor, at: Timestamp) -> Actor {
        let name = actor.name.as_ref().map(Text::as_str);
        let identity = actor.identity.as_ref().map(Identity::as_str);
        match self.pseudonym(name, identity, at) {
            Some(pseudonym) => Actor::new(Text::clean(pseudonym, Lines::One), actor.surface),
            None => actor.clone(),
        }
    }

    /// The recipient whom something named at this time, as everybody sees them.
    #[must_use]
    pub fn recipient(&self, named: &Text, at: Timestamp) -> Text {
        let alias = NamedRecipient::parse(named.as_str()).alias;
        let pseudonym = alias.and_then(|alias| self.find("alias", alias, at));
        let shown = pseudonym.and_then(|it| Text::clean(it, Lines::One));
        shown.unwrap_or_else(|| named.clone())
    }

    /// The inquiry as everybody sees it.
    pub fn view<'a>(&self, view: &'a InquiryView) -> Cow<'a, InquiryView> {
        if self.is_empty() {
            return Cow::Borrowed(view);
        }
        let mut shown = view.clone();
        let handed_on = view.inquiry.handed_on();
        let addressed_at = handed_on.map_or(view.row.asked_at, |it| it.at);
        let recipient = view.inquiry.recipient();
        let recipient = recipient.map(|named| self.recipient(named, addressed_at));
        let handed_on = handed_on.map(|it| HandedOn {
            by: self.actor(&it.by, it.at),
            from: it.from.as_ref().map(|from| self.recipient(from, it.at)),
            ..it.clone()
        });
        shown.inquiry = shown
            .inquiry
            .addressed_to(recipient)
            .restore_handed_on(handed_on);
        let held = shown.held.as_mut().map(|it| &mut it.resolution);
        let ended = shown.resolution.as_mut().map(|it| &mut it.resolution);
        for resolution in held.into_iter().chain(ended) {
            resolution.by = self.actor(&resolution.by, resolution.at);
        }
        Cow::Owned(shown)
    }
}

impl Recipients {
    /// An alias of something that does not say when it was written: of nobody who has it now, it is that of who had it last.
    pub fn shown_alias(&self, alias: String) -> String {
        if self.has(&alias) || self.former.is_empty() {
            return alias;
        }
        let digest = digest("alias", &alias);
        let people = self.former.0.iter();
        let had_it = people.filter(|it| it.digests.contains(&digest));
        let last = had_it.max_by_key(|it| it.until);
        last.map_or(alias, |it| it.pseudonym.clone())
    }
}

impl Dispatcher {
    /// Hides a person in everything that is made from the record, under this pseudonym. They may be removed already; other names
    /// that they have acted under come in addition. Removes what channels keep of them besides.
    pub async fn forget_person(
        &self,
        alias: &str,
        other_names: &[String],
        pseudonym: &str,
    ) -> Result<(), RecipientError> {
        let recipients = self.recipients();
        let person = recipients.people.get(alias);
        let mut names: Vec<&str> = other_names.iter().map(String::as_str).collect();
        names.push(alias);
        names.extend(person.map(|it| it.name.as_str()));
        // Without an identity it would not be known which of them acted.
        let is_shared = |name: &str| {
            let mut others = recipients.people.iter().filter(|(it, _)| *it != alias);
            others.any(|(_, other)| other.name == name)
        };
        names.retain(|name| !name.is_empty() && !is_shared(name));
        let accounts = linked_accounts(self.shared.engine.store().as_ref()).await?;
        let accounts: Vec<_> = accounts
            .into_iter()
            .filter(|account| account.recipient == alias)
            .collect();
        let mut identities: Vec<String> = ALIAS_SERVICES.map(|it| format!("{it}:{alias}")).into();
        identities.extend(accounts.iter().map(|account| account.identity.clone()));
        identities.extend(
            person
                .iter()
                .flat_map(|it| &it.identities)
                .map(ToString::to_string),
        );
        let names = names.into_iter().map(|name| digest("name", name));
        let identities = identities.iter().map(|it| digest("identity", it));
        let former = FormerPerson {
            pseudonym: pseudonym.to_owned(),
            until: self.shared.engine.clock().now() + STILL_THEIRS,
            digests: names
                .chain(identities)
                .chain([digest("alias", alias)])
                .collect(),
        };
        let state = self.shared.state();
        state.set(state::former_person(pseudonym), &former).await?;
        for account in &accounts {
            state
                .remove_of_chat(&account.channel, &account.address)
                .await?;
        }
        for code in state.list(state::link_codes()).await? {
            if code.value.recipient == alias {
                state.remove(code.key).await?;
            }
        }
        for kept in state.list(state::all_follow_ups()).await? {
            let mut follow_ups = kept.value;
            if follow_ups.escalated.iter().any(|it| it == alias) {
                follow_ups.escalated.retain(|it| it != alias);
                state.set(kept.key, &follow_ups).await?;
            }
        }
        Ok(self.refresh_recipients().await?)
    }
}

#[cfg(test)]
#[path = "former_people_tests.rs"]
mod tests;

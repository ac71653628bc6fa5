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
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::people::alias_proof::AliasProof;
use crate::people::recipients::{NamedRecipient, Recipients};
use crate::provider::base64url;

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

impl FormerPerson {
    /// Somebody who had these names and identities besides their alias.
    pub(crate) fn new(
        pseudonym: &str,
        until: Timestamp,
        alias: &str,
        names: &[&str],
        identities: impl Iterator<Item = String>,
    ) -> FormerPerson {
        let names = names.iter().map(|name| digest("name", name));
        let proven = AliasProof::ALL.iter();
        let proven = proven.filter_map(|proof| Some(proof.identity(alias)?.to_string()));
        let identities = proven.chain(identities);
        let identities = identities.map(|it| digest("identity", &it));
        FormerPerson {
            pseudonym: pseudonym.to_owned(),
            until,
            digests: names
                .chain(identities)
                .chain([digest("alias", alias)])
                .collect(),
        }
    }
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

#[cfg(test)]
#[path = "former_people_tests.rs"]
mod tests;

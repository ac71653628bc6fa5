//! Who gets questions: people and groups of them, as the configuration and the store name them.

use std::collections::BTreeMap;
use std::fmt;

use askback_core::identity::Identity;
use askback_core::outcome::Actor;
use askback_core::text::Text;
use askback_locale::Locale;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::contract::button::PersonCode;
use crate::people::account::LinkedAccount;
use crate::people::alias_proof::AliasProof;
use crate::people::former_people::FormerPeople;

/// A person who gets questions. Its `Debug` output has the services of the accounts, not the accounts: a topic of
/// ntfy is a secret.
#[derive(Clone, PartialEq)]
pub struct Recipient {
    /// The name that others see.
    pub name: String,
    /// The language of their messages.
    pub locale: Locale,
    /// Where they are.
    pub time_zone: TimeZone,
    /// When messages make no sound.
    pub quiet_hours: Option<QuietHours>,
    /// Whether first messages wait while somebody is at the terminal or in the browser: it is them.
    pub presence: bool,
    /// The channels that they want; `None` for all.
    pub channels: Option<Vec<String>>,
    /// Who gets a question too if this person has not answered when half of its time is over: a person or a group.
    pub escalate_to: Option<String>,
    /// After which time the person is reminded of a question without a deadline.
    pub remind_after: Option<SignedDuration>,
    /// Their accounts, such as `telegram:42`. Accounts that were linked come in addition.
    pub identities: Vec<Identity>,
}

/// A time of the day, which may pass midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietHours {
    /// When it begins.
    pub from: Time,
    /// When it ends.
    pub to: Time,
}

impl QuietHours {
    /// Reads `22:00-07:00`.
    pub fn parse(text: &str) -> Option<QuietHours> {
        let (from, to) = text.split_once('-')?;
        let time = |text: &str| {
            let (hour, minute) = text.trim().split_once(':')?;
            Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
        };
        Some(QuietHours {
            from: time(from)?,
            to: time(to)?,
        })
    }

    /// Whether it is quiet at this time of the day.
    pub fn contains(self, time: Time) -> bool {
        if self.from <= self.to {
            self.from <= time && time < self.to
        } else {
            self.from <= time || time < self.to
        }
    }
}

impl fmt::Debug for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let services: Vec<&str> = self.identities.iter().map(Identity::service).collect();
        f.debug_struct("Recipient")
            .field("name", &self.name)
            .field("channels", &self.channels)
            .field("identities", &services)
            .finish_non_exhaustive()
    }
}

impl Recipient {
    /// Whether a message must not make a sound now.
    pub fn is_quiet_at(&self, now: Timestamp) -> bool {
        let there = now.to_zoned(self.time_zone.clone()).time();
        self.quiet_hours.is_some_and(|hours| hours.contains(there))
    }

    /// Whether they want messages of this channel.
    pub fn wants(&self, channel: &str) -> bool {
        let wanted = self.channels.as_ref();
        wanted.is_none_or(|wanted| wanted.iter().any(|name| name == channel))
    }
}

/// Whom a question names: `zoe` for a person or group, `zoe@telegram` to reach them through one channel only, and
/// `@telegram` for everybody in that channel. Aliases have no `@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedRecipient<'a> {
    /// The alias of the person or group; everybody if there is none.
    pub alias: Option<&'a str>,
    /// The only channel to use.
    pub channel: Option<&'a str>,
}

impl<'a> NamedRecipient<'a> {
    /// Reads what a question names.
    pub fn parse(named: &'a str) -> NamedRecipient<'a> {
        let (alias, channel) = match named.split_once('@') {
            Some((alias, channel)) => (alias, Some(channel)),
            None => (named, None),
        };
        NamedRecipient {
            alias: (!alias.is_empty()).then_some(alias),
            channel,
        }
    }
}

/// All recipients by alias, and groups of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recipients {
    /// People by alias.
    pub people: BTreeMap<String, Recipient>,
    /// Groups by alias.
    pub groups: BTreeMap<String, Group>,
    /// People who were forgotten.
    pub former: FormerPeople,
}

/// A group of people, by their aliases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its members, in order.
    pub members: Vec<String>,
    /// Who gets a question for the group first.
    pub on_call: OnCall,
}

/// Who gets a question for a group first. All members see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "snake_case")]
pub enum OnCall {
    /// All members at once.
    Everybody,
    /// The first member, then by and by the others, in their order.
    First,
    /// The same, but another member is the first after so many days. The first one began at the start of this day, in UTC.
    Rotation {
        /// At least one.
        days: u32,
        /// When the first member began.
        since: Date,
    },
}

impl Group {
    /// A group whose members get questions at the same time.
    pub fn of(members: Vec<String>) -> Group {
        Group {
            members,
            on_call: OnCall::Everybody,
        }
    }

    /// The members in the order in which they get a question at this time, or none if they get it at once.
    pub fn order(&self, at: Timestamp) -> Option<Vec<&str>> {
        let turn = match self.on_call {
            OnCall::Everybody => return None,
            OnCall::First => 0,
            OnCall::Rotation { days, since } => {
                let today = at.to_zoned(TimeZone::UTC).date();
                let passed = today.since(since).map_or(0, |passed| passed.get_days());
                let turns = i64::from(passed).div_euclid(i64::from(days.max(1)));
                let members = i64::try_from(self.members.len().max(1)).unwrap_or(1);
                usize::try_from(turns.rem_euclid(members)).unwrap_or(0)
            }
        };
        let mut members: Vec<&str> = self.members.iter().map(String::as_str).collect();
        members.rotate_left(turn);
        Some(members)
    }
}

/// Whether a recipient may have this alias. `me` is whoever asks for a list.
pub fn is_alias(alias: &str) -> bool {
    let is_plain = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '-';
    (1..=40).contains(&alias.len()) && alias.chars().all(is_plain) && alias != "me"
}

impl Recipients {
    /// The aliases that a question may name, people first.
    pub fn aliases(&self) -> Vec<&str> {
        let people = self.people.keys().chain(self.groups.keys());
        people.map(String::as_str).collect()
    }

    /// Whether this is the name or the alias of a person, whatever its case.
    pub fn is_called(&self, name: &str) -> bool {
        let name = name.trim().to_lowercase();
        let mut people = self.people.iter();
        people.any(|(alias, person)| *alias == name || person.name.trim().to_lowercase() == name)
    }

    /// Whether a question may name this alias.
    pub fn has(&self, alias: &str) -> bool {
        self.people.contains_key(alias) || self.groups.contains_key(alias)
    }

    /// Who gets a question that is asked at this time: the person whom it names, the members of the group or the one who is on
    /// call, or everybody. An alias that is gone reaches nobody, because it was not for the others. Administrators see it.
    pub fn addressed<'a>(
        &'a self,
        alias: Option<&str>,
        at: Timestamp,
    ) -> Vec<(&'a str, &'a Recipient)> {
        let all = || {
            self.people
                .iter()
                .map(|(alias, person)| (alias.as_str(), person))
        };
        let alias = alias.and_then(|named| NamedRecipient::parse(named).alias);
        let named: Vec<&str> = match alias {
            Some(alias) if self.people.contains_key(alias) => vec![alias],
            Some(alias) => match self.groups.get(alias) {
                Some(group) => match group.order(at) {
                    Some(order) => order.into_iter().take(1).collect(),
                    None => group.members.iter().map(String::as_str).collect(),
                },
                None => return Vec::new(),
            },
            None => return all().collect(),
        };
        all().filter(|(alias, _)| named.contains(alias)).collect()
    }

    /// Whether a question for this alias is for the person too: they are named, or a member of the group.
    pub fn includes(&self, alias: &str, person: &str) -> bool {
        let group = self.groups.get(alias);
        let is_member = |group: &Group| group.members.iter().any(|member| member == person);
        alias == person || group.is_some_and(is_member)
    }

    /// The aliases of the groups that a person is in.
    pub fn groups_of(&self, person: &str) -> Vec<String> {
        let groups = self.groups.keys();
        groups
            .filter(|alias| self.includes(alias, person))
            .cloned()
            .collect()
    }

    /// Whether questions are ever escalated.
    pub(crate) fn escalates(&self) -> bool {
        let mut people = self.people.values();
        let mut groups = self.groups.values();
        people.any(|person| person.escalate_to.is_some())
            || groups.any(|group| group.on_call != OnCall::Everybody)
    }

    /// The people to whom a question for this alias is escalated if the person does not answer, nearest first: the others of
    /// a group with somebody on call, or else those whom the person names.
    pub(crate) fn escalations_of<'a>(
        &'a self,
        alias: Option<&str>,
        at: Timestamp,
        person: &'a Recipient,
    ) -> Vec<Vec<&'a str>> {
        let alias = alias.and_then(|named| NamedRecipient::parse(named).alias);
        let group = alias.and_then(|alias| self.groups.get(alias));
        match group.and_then(|group| group.order(at)) {
            Some(order) => {
                let others = order.into_iter().skip(1);
                others.map(|other| vec![other]).collect()
            }
            None => self.escalations(person, at),
        }
    }

    /// The people to whom a question of this person is escalated, nearest first: the members of a group at the same
    /// step. The configuration has no cycles.
    pub fn escalations<'a>(&'a self, person: &'a Recipient, at: Timestamp) -> Vec<Vec<&'a str>> {
        let mut steps = Vec::new();
        let mut next = person.escalate_to.as_deref();
        while let Some(alias) = next.filter(|alias| self.has(alias)) {
            let people = self.addressed(Some(alias), at);
            steps.push(people.iter().map(|(alias, _)| *alias).collect());
            if steps.len() > self.people.len() {
                break;
            }
            let person = self.people.get(alias);
            next = person.and_then(|person| person.escalate_to.as_deref());
        }
        steps
    }

    /// How a recipient is called: the name of a person, or the alias of a group.
    pub fn name_of(&self, alias: Option<&Text>) -> String {
        let alias = alias.map_or("", Text::as_str);
        self.person_name(alias).to_owned()
    }

    /// The name of the person with this alias, or the alias.
    pub(crate) fn person_name<'a>(&'a self, alias: &'a str) -> &'a str {
        let alias = NamedRecipient::parse(alias).alias.unwrap_or(alias);
        let person = self.people.get(alias);
        person.map_or(alias, |person| &person.name)
    }

    /// Whether somebody who acted is the person with this alias, however they proved it. Without a proof they are if nobody else
    /// could be: terminals and browsers do not say who uses them. Two people may have the same name, which proves nothing.
    pub(crate) fn is_person(&self, actor: &Actor, alias: &str, linked: &[LinkedAccount]) -> bool {
        let Some(identity) = &actor.identity else {
            return self.people.len() == 1 && self.people.contains_key(alias);
        };
        if let Some(proven) = AliasProof::alias_of(identity) {
            return proven == alias;
        }
        if let Some((owner, _)) = self.owner(identity) {
            return owner == alias;
        }
        // Two people may have linked one account, each with another bot: it would not be known which of them acted.
        let mut linked = linked
            .iter()
            .filter(|account| account.identity == identity.as_str())
            .peekable();
        linked.peek().is_some() && linked.all(|account| account.recipient == alias)
    }

    /// The person with this code. Nobody if two people have it.
    pub(crate) fn with_code(&self, code: PersonCode) -> Option<(&str, &Recipient)> {
        let people = self.people.iter();
        let mut people = people.filter(|(alias, _)| PersonCode::new(alias) == code);
        match (people.next(), people.next()) {
            (Some((alias, person)), None) => Some((alias.as_str(), person)),
            _ => None,
        }
    }

    /// The recipient to whom the configuration gives this account.
    pub fn owner(&self, identity: &Identity) -> Option<(&str, &Recipient)> {
        let mut people = self.people.iter();
        let found = people.find(|(_, person)| person.identities.contains(identity));
        found.map(|(alias, person)| (alias.as_str(), person))
    }
}

#[cfg(test)]
#[path = "recipients_tests.rs"]
mod tests;

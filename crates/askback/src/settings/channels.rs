//! Channels and recipients: the tables `[channels.NAME]` and `[recipients.ALIAS]` of the configuration file, and
//! of `channels.toml` in the data directory, which `askback channel add` writes.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail};
use askback_channels::{
    Channel, CommandChannel, ConfiguredChannel, ContentLevel, Email, Group, Ntfy, QuietHours,
    Recipient, Recipients, Secret, Slack, Telegram, WEBPUSH, WebPush, WebPushConfig, is_alias,
};
use askback_core::identity::Identity;
use askback_core::limits;
use askback_locale::Locale;
use askback_store::Store;
use askback_wire::duration::HumanDuration;
use askback_wire::limits::UNDO_SECONDS;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::toml_error::{read_toml, without_values};

/// The file in the data directory.
pub(crate) const FILE_NAME: &str = "channels.toml";

/// The alias of the person who uses a server without recipients.
const OWNER: &str = "owner";
/// Shorter pauses between reminders are a mistake.
const REMIND_AFTER_MIN: SignedDuration = SignedDuration::from_mins(1);

/// The tables of one file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ChannelTables {
    pub(crate) channels: BTreeMap<String, ChannelTable>,
    pub(crate) recipients: BTreeMap<String, RecipientTable>,
}

/// A `[channels.NAME]` table: what every channel has, and the settings of its kind. Its `Debug` output has the
/// names of the settings, not their values: any of them may be a secret.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ChannelTable {
    kind: Option<String>,
    content: Option<String>,
    undo_seconds: Option<u32>,
    #[serde(flatten)]
    settings: toml::Table,
}

/// A `[recipients.ALIAS]` table: a person, or with `members` a group.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RecipientTable {
    name: Option<String>,
    language: Option<String>,
    time_zone: Option<String>,
    quiet_hours: Option<String>,
    presence: Option<bool>,
    channels: Option<Vec<String>>,
    escalate_to: Option<String>,
    remind_after: Option<String>,
    /// A topic of ntfy is a secret.
    identities: Vec<Secret>,
    members: Option<Vec<String>>,
}

impl fmt::Debug for ChannelTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings: Vec<&String> = self.settings.keys().collect();
        f.debug_struct("ChannelTable")
            .field("kind", &self.kind)
            .field("content", &self.content)
            .field("undo_seconds", &self.undo_seconds)
            .field("settings", &settings)
            .finish()
    }
}

impl ChannelTables {
    /// Adds the tables of the data directory. Those of the configuration file come first.
    pub(crate) fn with_data_dir(self, data: &Path) -> anyhow::Result<ChannelTables> {
        let path = data.join(FILE_NAME);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(self),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", path.display()));
            }
        };
        self.with_text(&text)
            .with_context(|| format!("{} is not a valid channel file", path.display()))
    }

    /// Whether a value in them is a secret, rather than the name of a file or variable that has one.
    pub(super) fn has_secrets(&self) -> bool {
        const SECRETS: [&str; 5] = ["token", "password", "secret", "key", "header"];
        let is_secret = |name: &String| {
            let is_elsewhere = name.ends_with("_env") || name.ends_with("_file");
            let is_named_so = SECRETS.iter().any(|secret| name.contains(secret));
            !is_elsewhere && (is_named_so || name == "url")
        };
        let mut settings = self.channels.values().flat_map(|it| it.settings.keys());
        settings.any(is_secret)
    }

    /// Adds the tables of this text.
    pub(crate) fn with_text(mut self, text: &str) -> anyhow::Result<ChannelTables> {
        let found: ChannelTables = read_toml(text)?;
        for (name, table) in found.channels {
            self.channels.entry(name).or_insert(table);
        }
        for (alias, table) in found.recipients {
            self.recipients.entry(alias).or_insert(table);
        }
        Ok(self)
    }

    /// Web Push, which is there without a table. `None` if its table turns it off.
    pub(crate) fn webpush(
        &self,
        store: Arc<dyn Store>,
    ) -> anyhow::Result<Option<(ConfiguredChannel, Arc<WebPush>)>> {
        let table = self.channels.get(WEBPUSH).cloned().unwrap_or_default();
        let configured = || -> anyhow::Result<_> {
            let config: WebPushConfig = table.settings()?;
            if !config.enabled {
                return Ok(None);
            }
            let webpush = Arc::new(WebPush::new(&config, store)?);
            let channel = Arc::clone(&webpush) as Arc<dyn Channel>;
            Ok(Some((table.configured(channel, WEBPUSH)?, webpush)))
        };
        configured().with_context(|| format!("[channels.{WEBPUSH}] is not valid"))
    }

    /// The channels by name, without Web Push.
    pub(crate) fn channels(&self) -> anyhow::Result<BTreeMap<String, ConfiguredChannel>> {
        let channel = |(name, table): (&String, &ChannelTable)| {
            let channel = table.channel(name);
            let channel = channel.with_context(|| format!("[channels.{name}] is not valid"))?;
            Ok((name.clone(), channel))
        };
        let others = self.channels.iter().filter(|(name, _)| *name != WEBPUSH);
        let channels = others.map(channel);
        let channels: BTreeMap<_, _> = channels.collect::<anyhow::Result<_>>()?;
        check_receiving_secrets(&channels)?;
        Ok(channels)
    }

    /// The people and groups.
    pub(crate) fn recipients(&self) -> anyhow::Result<Recipients> {
        let mut recipients = Recipients::default();
        let people = self.recipients.values();
        let people = people.filter(|table| table.members.is_none()).count();
        for (alias, table) in &self.recipients {
            let wrong = || format!("[recipients.{alias}] is not valid");
            check_alias(alias).with_context(wrong)?;
            if let Some(members) = &table.members {
                self.check_members(members).with_context(wrong)?;
                let group = Group::of(members.clone());
                recipients.groups.insert(alias.clone(), group);
                continue;
            }
            let mut person = table.person(alias, &self.channels).with_context(wrong)?;
            // Terminals and browsers do not say who uses them: one person is known, several are not.
            person.presence = table.presence.unwrap_or(people == 1);
            if let Some(other) = same_account(&recipients, &person) {
                bail!("[recipients.{alias}] and [recipients.{other}] have the same identity");
            }
            recipients.people.insert(alias.clone(), person);
        }
        if recipients.people.is_empty() {
            let nameless = RecipientTable {
                name: Some(String::new()),
                ..RecipientTable::default()
            };
            let owner = nameless.person(OWNER, &self.channels)?;
            recipients.people.insert(OWNER.to_owned(), owner);
        }
        for (alias, person) in &recipients.people {
            let checked = check_escalation(&recipients, alias, person);
            checked.with_context(|| format!("[recipients.{alias}] is not valid"))?;
        }
        Ok(recipients)
    }

    /// What people have whom an administrator adds while the server runs.
    pub(crate) fn new_person(&self) -> anyhow::Result<Recipient> {
        let person = RecipientTable::default().person("", &self.channels)?;
        Ok(Recipient {
            presence: false,
            ..person
        })
    }

    fn check_members(&self, members: &[String]) -> anyhow::Result<()> {
        if members.is_empty() {
            bail!("`members` is empty: nobody would get a question for this group");
        }
        for member in members {
            let person = self.recipients.get(member);
            if person.is_none_or(|person| person.members.is_some()) {
                bail!("`members` names {member:?}, which is no person in [recipients]");
            }
        }
        Ok(())
    }
}

/// With one token, each of two channels would receive only a part of what people do. A secret that cannot be read
/// yet is reported by its channel.
fn check_receiving_secrets(channels: &BTreeMap<String, ConfiguredChannel>) -> anyhow::Result<()> {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    for (name, channel) in channels {
        let secret = channel.channel.receiving_secret();
        let Some(secret) = secret.and_then(|secret| secret.read().ok()) else {
            continue;
        };
        if let Some(other) = known.insert(secret, name) {
            bail!(
                "[channels.{other}] and [channels.{name}] have the same token: create another bot or app for \
                 one of them, or remove it"
            );
        }
    }
    Ok(())
}

fn same_account<'a>(recipients: &'a Recipients, person: &Recipient) -> Option<&'a str> {
    let mut owners = person.identities.iter();
    owners.find_map(|identity| Some(recipients.owner(identity)?.0))
}

/// Refuses an unknown alias, and one that leads back to the same person.
fn check_escalation(
    recipients: &Recipients,
    alias: &str,
    person: &Recipient,
) -> anyhow::Result<()> {
    let Some(to) = &person.escalate_to else {
        return Ok(());
    };
    if !recipients.has(to) {
        let known = recipients.aliases().join(", ");
        bail!("`escalate_to` names {to:?}, which is not in [recipients]. Configured: {known}");
    }
    // Groups of the configuration have nobody on call, so that it is the same at any time.
    let steps = recipients.escalations(person, Timestamp::UNIX_EPOCH);
    let mut steps = steps.into_iter().flatten();
    if steps.any(|other| other == alias) {
        bail!("`escalate_to` = {to:?} leads back to {alias:?}: remove it here or there");
    }
    Ok(())
}

/// The language with this tag. `de-AT` is German; a language without texts is refused.
fn known_language(tag: &str) -> anyhow::Result<Locale> {
    let primary = |tag: &str| tag.split(['-', '_']).next().map(str::to_ascii_lowercase);
    if !Locale::tags().any(|known| primary(known) == primary(tag)) {
        let known: Vec<&str> = Locale::tags().collect();
        bail!(
            "`language` {tag:?} is unknown: choose one of {}",
            known.join(", ")
        );
    }
    Ok(Locale::choose(&[tag]))
}

/// People of Telegram have numbers; a name there can be given up and taken by somebody else.
fn check_telegram_id(identity: &Identity) -> anyhow::Result<()> {
    let (service, id) = identity.as_str().split_once(':').unwrap_or_default();
    if service == "telegram" && id.parse::<i64>().is_err() {
        bail!(
            "an identity of Telegram is a number, such as telegram:42. `askback channel link telegram` finds it out \
             by itself"
        );
    }
    Ok(())
}

/// Fails unless a recipient may have this alias.
pub(crate) fn check_alias(alias: &str) -> anyhow::Result<()> {
    if !is_alias(alias) {
        bail!("an alias has 1 to 40 small letters, digits and hyphens, and is not `me`");
    }
    Ok(())
}

impl ChannelTable {
    fn channel(&self, name: &str) -> anyhow::Result<ConfiguredChannel> {
        let kind = self.kind.as_deref().unwrap_or(name);
        let channel: Arc<dyn Channel> = match kind {
            "telegram" => Arc::new(Telegram::new(&self.settings()?)?),
            "slack" => Arc::new(Slack::new(&self.settings()?)?),
            "ntfy" => Arc::new(Ntfy::new(&self.settings()?)?),
            "command" => Arc::new(CommandChannel::new(self.settings()?)?),
            "email" => Arc::new(Email::new(&self.settings()?)?),
            WEBPUSH => bail!("Web Push is one channel: call its table [channels.{WEBPUSH}]"),
            other => bail!("`kind` must be telegram, slack, ntfy, email or command, not {other:?}"),
        };
        self.configured(channel, kind)
    }

    /// A channel with what every channel has.
    fn configured(
        &self,
        channel: Arc<dyn Channel>,
        kind: &str,
    ) -> anyhow::Result<ConfiguredChannel> {
        let content = self.content.as_deref().unwrap_or("full");
        let content = ContentLevel::from_name(content)
            .with_context(|| format!("`content` must be full, title or link, not {content:?}"))?;
        let undo = self.undo_seconds.unwrap_or(UNDO_SECONDS);
        if i64::from(undo) > limits::UNDO_SECONDS_MAX {
            bail!("`undo_seconds` must be 0 to {}", limits::UNDO_SECONDS_MAX);
        }
        Ok(ConfiguredChannel {
            channel,
            service: kind.to_owned(),
            content,
            undo_seconds: (undo > 0).then_some(undo),
        })
    }

    /// The settings of the kind of channel. An unknown one is an error.
    fn settings<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        let settings = toml::Value::Table(self.settings.clone());
        settings
            .try_into()
            .map_err(|error: toml::de::Error| anyhow!("{}", without_values(&error.to_string())))
    }
}

impl RecipientTable {
    fn person(
        &self,
        alias: &str,
        channels: &BTreeMap<String, ChannelTable>,
    ) -> anyhow::Result<Recipient> {
        for name in self.channels.iter().flatten() {
            if !channels.contains_key(name) && name != WEBPUSH {
                bail!("`channels` names {name:?}, but there is no [channels.{name}]");
            }
        }
        let identity = |(index, Secret(text)): (usize, &Secret)| {
            let number = index + 1;
            let identity = Identity::parse(text).with_context(|| {
                format!("entry {number} of `identities` must be SERVICE:ID, such as telegram:42")
            })?;
            check_telegram_id(&identity)
                .with_context(|| format!("entry {number} of `identities` is not valid"))?;
            Ok::<_, anyhow::Error>(identity)
        };
        let quiet_hours = self.quiet_hours.as_deref().map(|text| {
            let wrong =
                || format!("`quiet_hours` must be FROM-TO, such as 22:00-07:00, not {text:?}");
            QuietHours::parse(text).with_context(wrong)
        });
        let remind_after = self.remind_after.as_deref().map(|text| {
            let pause: Option<HumanDuration> = text.parse().ok();
            let pause = pause.map(HumanDuration::duration);
            pause
                .filter(|pause| *pause >= REMIND_AFTER_MIN)
                .with_context(|| {
                    format!("`remind_after` must be at least a minute, such as 4h, not {text:?}")
                })
        });
        let time_zone = match &self.time_zone {
            Some(name) => TimeZone::get(name).map_err(|_| {
                anyhow!("`time_zone` {name:?} is unknown: write a name such as Europe/Berlin")
            })?,
            None => TimeZone::system(),
        };
        Ok(Recipient {
            name: self.name.clone().unwrap_or_else(|| alias.to_owned()),
            locale: match &self.language {
                Some(language) => known_language(language)?,
                None => Locale::from_env(super::variable),
            },
            time_zone,
            quiet_hours: quiet_hours.transpose()?,
            presence: true,
            channels: self.channels.clone(),
            escalate_to: self.escalate_to.clone(),
            remind_after: remind_after.transpose()?,
            identities: self
                .identities
                .iter()
                .enumerate()
                .map(identity)
                .collect::<Result<_, _>>()?,
        })
    }
}

#[cfg(test)]
#[path = "channels_tests.rs"]
mod tests;

//! `askback channel add`: asks for the settings of a channel, and writes its secrets and its tables into the data
//! directory.

mod channels_file;
mod prompter;
mod questions;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::args::AddChannelArgs;
use crate::failure::{Failure, refuse};
use crate::settings::{CHANNELS_FILE, ChannelTables, Settings, check_alias, variable};
use crate::{output, private_text};
use channels_file::{ChannelsFile, quoted};
use prompter::Prompter;
use questions::{KINDS, NewChannel, ask_for};

pub(crate) fn run(args: &AddChannelArgs) -> Result<(), Failure> {
    let kind = args.kind.as_str();
    if !KINDS.contains(&kind) {
        let known = KINDS.join(", ");
        let said = format!("There is no channel {kind:?}. Available: {known}.");
        return refuse(said);
    }
    let settings = Settings::gather(&args.connect.settings)?;
    let name = args.channel.as_deref().unwrap_or(kind);
    check_name(name)?;
    let known = settings.channels()?;
    let path = settings.data.join(CHANNELS_FILE);
    if known.channels.contains_key(name) {
        let said = format!(
            "The channel {name} is set up already. Change it in {}, or add another one with --channel NAME.",
            path.display()
        );
        return refuse(said);
    }
    let alias = recipient(args, &known)?;
    let new = ask_for(args, &alias, &mut Prompter::new())?;
    let created = askback_server::create_directory(&settings.data);
    created.context("cannot create the data directory")?;
    let secrets = write_secrets(&settings.data, name, &new)?;
    let written = write_tables(
        &settings,
        &path,
        &AddedChannel {
            name,
            alias: &alias,
            new: &new,
            secrets: &secrets,
        },
        args,
    );
    if written.is_err() {
        for secret in &secrets {
            // A channel that is refused leaves nothing behind.
            drop(std::fs::remove_file(&secret.path));
        }
    }
    let by_hand = written?;
    let mut out = output::stdout();
    let files = secrets.iter().map(|secret| secret.path.as_path());
    for file in std::iter::once(path.as_path()).chain(files) {
        writeln!(out, "Wrote {}.", file.display())?;
    }
    if let Some(by_hand) = by_hand {
        writeln!(out, "{by_hand}")?;
    }
    if let Some(to_do) = &new.to_do {
        writeln!(out, "{to_do}")?;
    }
    let next = if new.identity.is_some() {
        "test"
    } else {
        "link"
    };
    writeln!(
        out,
        "Next: restart the server, then run: askback channel {next} {name}"
    )?;
    Ok(())
}

/// A name is a key of TOML and a part of file names.
fn check_name(name: &str) -> Result<(), Failure> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.is_empty() || name.len() > 40 || !name.bytes().all(is_plain) {
        return refuse("The name of a channel has 1 to 40 small letters, digits and hyphens.");
    }
    Ok(())
}

/// The person who gets the questions: as given, the only one, or a new one named like the user.
fn recipient(args: &AddChannelArgs, known: &ChannelTables) -> Result<String, Failure> {
    if let Some(alias) = &args.recipient {
        check_alias(alias).map_err(|why| Failure::Refused(format!("--recipient: {why}.")))?;
        return Ok(alias.clone());
    }
    let people = known.recipients()?.people;
    let mut aliases = people.keys();
    match (aliases.next(), aliases.next()) {
        (None, _) => Ok(user_alias()),
        (Some(only), None) => Ok(only.clone()),
        (Some(_), Some(_)) => {
            let all: Vec<&str> = people.keys().map(String::as_str).collect();
            let said = format!(
                "Say whose account it is, with --recipient: {}.",
                all.join(", ")
            );
            refuse(said)
        }
    }
}

/// An alias that is made from the user name.
fn user_alias() -> String {
    let user = variable("USER").unwrap_or_default().to_lowercase();
    let plain = user
        .chars()
        .filter(|char| char.is_ascii_alphanumeric() || *char == '-');
    let plain: String = plain.take(40).collect();
    if plain.is_empty() {
        "me".to_owned()
    } else {
        plain
    }
}

/// A secret in a file of its own, and the setting that names the file.
struct WrittenSecret {
    setting: &'static str,
    path: PathBuf,
}

fn write_secrets(data: &Path, name: &str, new: &NewChannel) -> Result<Vec<WrittenSecret>, Failure> {
    let mut written = Vec::new();
    for (setting, secret) in &new.secrets {
        let what = setting.trim_end_matches("_file");
        let path = std::path::absolute(data.join(format!("{name}.{what}")));
        let path = path.context("the data directory has no path")?;
        private_text::write(&path, &format!("{secret}\n"))?;
        written.push(WrittenSecret { setting, path });
    }
    Ok(written)
}

/// A channel, and the person whom it reaches.
struct AddedChannel<'a> {
    name: &'a str,
    alias: &'a str,
    new: &'a NewChannel,
    secrets: &'a [WrittenSecret],
}

/// Writes the tables, if the server would take them. Returns what is left to do by hand.
fn write_tables(
    settings: &Settings,
    path: &Path,
    added: &AddedChannel<'_>,
    args: &AddChannelArgs,
) -> Result<Option<String>, Failure> {
    let AddedChannel { alias, new, .. } = *added;
    let mut file = ChannelsFile::read(path)?;
    let mut lines = Vec::new();
    if added.name != args.kind {
        lines.push(("kind", quoted(&args.kind)));
    }
    for secret in added.secrets {
        lines.push((secret.setting, quoted(&secret.path.to_string_lossy())));
    }
    lines.extend(new.settings.iter().cloned());
    file.add_channel(added.name, &lines);
    let in_configuration = settings.has_configured_recipient(alias);
    let mut by_hand = None;
    if in_configuration {
        by_hand = new.identity.as_ref().map(|identity| {
            format!(
                "Add {} to `identities` of [recipients.{alias}] in your configuration file.",
                quoted(identity)
            )
        });
    } else {
        let shown = args.name.as_deref().unwrap_or(alias);
        file.add_recipient(alias, shown, new.identity.as_deref());
    }
    let tables = settings.channels_with(file.text());
    let checked = tables.and_then(|tables| {
        tables.channels()?;
        tables.recipients().map(drop)
    });
    checked.map_err(|why| Failure::Refused(format!("Nothing was written: {why:#}")))?;
    private_text::write(path, file.text())?;
    Ok(by_hand)
}

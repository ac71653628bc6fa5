//! `channels.toml`: new tables are added to its text, so that comments and order stay.

use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use crate::failure::Failure;

/// A TOML string. Those of JSON are a part of them.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// An array of strings.
pub(super) fn quoted_list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", texts.join(", "))
}

/// The text of the file.
pub(super) struct ChannelsFile(String);

impl ChannelsFile {
    pub(super) fn read(path: &Path) -> Result<ChannelsFile, Failure> {
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(ChannelsFile(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Ok(ChannelsFile(String::new()))
            }
            Err(error) => {
                let failed = Err(error).with_context(|| format!("cannot read {}", path.display()));
                failed.map_err(Failure::Broken)
            }
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    pub(super) fn add_channel(&mut self, name: &str, lines: &[(&str, String)]) {
        self.add_table(&format!("channels.{name}"), lines);
    }

    fn add_table(&mut self, header: &str, settings: &[(&str, String)]) {
        let separator = if self.0.is_empty() { "" } else { "\n" };
        let settings = settings
            .iter()
            .map(|(key, value)| format!("{key} = {value}\n"));
        let settings: String = settings.collect();
        self.0 = format!("{}{separator}[{header}]\n{settings}", self.0);
    }

    /// Adds the account to the table of the person, which is added if there is none.
    pub(super) fn add_recipient(&mut self, alias: &str, name: &str, identity: Option<&str>) {
        let header = format!("[recipients.{alias}]");
        let lines: Vec<&str> = self.0.lines().collect();
        let Some(start) = lines.iter().position(|line| line.trim() == header) else {
            let mut settings = vec![("name", quoted(name))];
            settings
                .extend(identity.map(|identity| ("identities", format!("[{}]", quoted(identity)))));
            self.add_table(&format!("recipients.{alias}"), &settings);
            return;
        };
        let Some(identity) = identity else {
            return;
        };
        let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
        let table = lines.iter().enumerate().skip(start + 1);
        let mut table = table.take_while(|(_, line)| !line.trim_start().starts_with('['));
        let known = table.find_map(|(at, line)| Some((at, identities_with(line, identity)?)));
        match known {
            Some((at, line)) => lines[at] = line,
            None => lines.insert(start + 1, format!("identities = [{}]", quoted(identity))),
        }
        self.0 = lines.join("\n") + "\n";
    }
}

/// The line `identities = […]` with one more; `None` if it is another line.
fn identities_with(line: &str, identity: &str) -> Option<String> {
    let (key, list) = line.split_once('=')?;
    if key.trim() != "identities" {
        return None;
    }
    let (before, after) = list.trim().strip_prefix('[')?.rsplit_once(']')?;
    let before = before.trim().trim_end_matches(',');
    if before.contains(&quoted(identity)) {
        return Some(line.to_owned());
    }
    let comma = if before.is_empty() { "" } else { ", " };
    Some(format!(
        "identities = [{before}{comma}{}]{after}",
        quoted(identity)
    ))
}

#[cfg(test)]
#[path = "channels_file_tests.rs"]
mod tests;

//! Which settings files of an agent change, and how, when askback is installed or removed.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};

use super::record::Record;
use super::setting::{INLINE_ENTRY, INLINE_SERVERS, Setting};
use super::{AgentClient, Environment, Part, Purpose, check, settings_file, toml_text};

/// The value of a rule that allows the ask tools.
const ALLOW: &str = r#""allow""#;

/// What an agent's settings should have. Every other setting of askback is removed.
#[derive(Debug)]
pub(crate) struct Wanted {
    /// The entry of the MCP server.
    pub(crate) entry: Option<String>,
    /// The hook, as JSON.
    pub(crate) hook: Option<String>,
    /// Whether the agent may call the ask tools without asking for permission.
    pub(crate) permission: bool,
    /// Whether the agent's own question tool is hidden from the model, if it would compete with the ask tools.
    pub(crate) own_tool_off: bool,
}

impl Wanted {
    fn content(&self, part: &Part) -> Option<String> {
        let has_tools = self.entry.is_some();
        match part.purpose {
            Purpose::AskTools => self.entry.clone(),
            Purpose::Hook => self.hook.clone(),
            Purpose::Permission => (has_tools && self.permission).then(|| ALLOW.to_owned()),
            Purpose::OwnToolOff => (has_tools && self.own_tool_off).then(|| r#""deny""#.to_owned()),
        }
    }
}

/// The changes to the settings of one agent.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) changes: Vec<Change>,
    /// What could not be done, and what to do about it.
    pub(crate) notes: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) file: PathBuf,
    /// None if there is no file.
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    /// What is added.
    pub(crate) purposes: Vec<Purpose>,
    old_record: Option<Record>,
    /// None if nothing of askback is left in the file.
    new_record: Option<Record>,
}

impl Plan {
    /// Installs what is wanted, or removes what is there. No changes if everything is so already.
    pub(crate) fn new(
        agent: AgentClient,
        env: &Environment,
        wanted: Option<&Wanted>,
    ) -> anyhow::Result<Plan> {
        let mut plan = Plan {
            changes: Vec::new(),
            notes: Vec::new(),
        };
        for file in SettingsFile::read_all(agent, env)? {
            if !file.is_as(wanted)? {
                let change = file.change(wanted, &mut plan.notes)?;
                plan.changes.extend(change);
            }
        }
        if wanted.is_none() {
            // The directory of one file may be in a directory that was created for another.
            plan.changes.reverse();
        }
        Ok(plan)
    }

    /// Another program in place of one that has gone. Everything else stays, such as arguments.
    pub(crate) fn repair(
        agent: AgentClient,
        env: &Environment,
        repair: Repair<'_>,
    ) -> anyhow::Result<Plan> {
        let mut changes = Vec::new();
        for file in SettingsFile::read_all(agent, env)? {
            changes.extend(file.repaired(repair));
        }
        Ok(Plan {
            changes,
            notes: Vec::new(),
        })
    }

    /// Writes nothing if somebody has changed one of the files meanwhile.
    pub(crate) fn write(&self, env: &Environment) -> anyhow::Result<()> {
        for change in &self.changes {
            settings_file::check_unchanged(&change.file, change.before.as_deref())?;
        }
        for change in &self.changes {
            change.write(env)?;
        }
        Ok(())
    }
}

/// What the settings files would be if there were none.
pub(crate) fn snippets(
    agent: AgentClient,
    env: &Environment,
    wanted: &Wanted,
) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let mut found = Vec::new();
    for (file, parts) in by_file(agent, env)? {
        let empty = SettingsFile {
            agent,
            file,
            parts,
            text: None,
            record: None,
        };
        if let Some(change) = empty.change(Some(wanted), &mut Vec::new())? {
            found.extend(change.after.map(|text| (change.file, text)));
        }
    }
    Ok(found)
}

fn by_file(agent: AgentClient, env: &Environment) -> anyhow::Result<Vec<(PathBuf, Vec<Part>)>> {
    let mut files: Vec<(PathBuf, Vec<Part>)> = Vec::new();
    for part in agent.parts(env)? {
        match files.iter_mut().find(|(file, _)| *file == part.file) {
            Some((_, parts)) => parts.push(part),
            None => files.push((part.file.clone(), vec![part])),
        }
    }
    Ok(files)
}

impl Change {
    fn write(&self, env: &Environment) -> anyhow::Result<()> {
        let before = self.before.as_deref();
        let old_directories = self.old_record.iter().flat_map(|old| &old.directories);
        let mut directories: Vec<PathBuf> = old_directories.cloned().collect();
        let Some(record) = &self.new_record else {
            match &self.after {
                Some(after) => settings_file::write(&self.file, before, after)?,
                None => settings_file::remove(&self.file, before)?,
            }
            settings_file::remove_empty_directories(&directories);
            return Record::forget(env, &self.file);
        };
        directories.extend(settings_file::missing_directories(&self.file)?);
        let mut record = record.clone();
        record.directories = directories;
        // First the record: without it, the file could not be put back.
        record.write(env)?;
        settings_file::create_directories(&self.file)?;
        let after = self.after.as_deref().unwrap_or_default();
        settings_file::write(&self.file, before, after)
    }
}

/// A settings file of an agent, as it is.
struct SettingsFile {
    agent: AgentClient,
    file: PathBuf,
    parts: Vec<Part>,
    text: Option<String>,
    record: Option<Record>,
}

impl SettingsFile {
    fn read_all(agent: AgentClient, env: &Environment) -> anyhow::Result<Vec<SettingsFile>> {
        let mut files = Vec::new();
        for (file, parts) in by_file(agent, env)? {
            let text = settings_file::read(&file)?;
            // What install wrote is not in a file that has gone.
            let record = Record::read(env, &file)?.filter(|_| text.is_some());
            files.push(SettingsFile {
                agent,
                file,
                parts,
                text,
                record,
            });
        }
        Ok(files)
    }

    fn text(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// A rule that cannot be read is not there: the ask tools do not depend on it.
    fn has(&self, part: &Part, text: &str) -> anyhow::Result<bool> {
        match part.setting.value(text) {
            Ok(found) => Ok(found.is_some()),
            Err(_) if is_rule(part) => Ok(false),
            Err(why) => Err(not_editable(&self.file, &why)),
        }
    }

    /// Whether `askback install` wrote the part. A rule may be the user's, and so may an entry that only has the name.
    fn is_ours(&self, part: &Part) -> bool {
        match part.purpose {
            Purpose::AskTools => {
                let value = part.setting.value(self.text());
                value.map_or(true, |value| value.is_some_and(|it| check::is_ours(&it)))
            }
            Purpose::Hook => true,
            Purpose::Permission => part.setting.has(self.text(), ALLOW),
            Purpose::OwnToolOff => {
                matches!(part.setting, Setting::Lines(_))
                    || self.record.as_ref().is_some_and(|it| it.own_tool_off)
            }
        }
    }

    /// Whether every part is as wanted, or not there if nothing is wanted.
    fn is_as(&self, wanted: Option<&Wanted>) -> anyhow::Result<bool> {
        let text = self.text();
        for part in &self.parts {
            let is_there = self.has(part, text)?;
            let is_right = match wanted.and_then(|wanted| wanted.content(part)) {
                Some(_) if is_rule(part) => is_there,
                Some(content) => part.setting.has(text, &content),
                None => !is_there || !self.is_ours(part),
            };
            if !is_right {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The text without askback, which undo puts back; none if there would be no file.
    fn original(&self) -> anyhow::Result<Option<String>> {
        // The target of a link is not ours to remove.
        let may_remove = !settings_file::is_link(&self.file);
        if let Some(record) = &self.record
            && let Ok(original) = record.original(self.text())
            && (original.is_some() || may_remove)
        {
            return Ok(original);
        }
        let mut rest = self.text().to_owned();
        for part in self.parts.iter().filter(|part| self.is_ours(part)) {
            rest = self.without(part, rest)?;
        }
        let was_created = self.record.as_ref().is_some_and(Record::created_the_file);
        let is_empty = matches!(rest.trim(), "" | "{}") || rest == self.agent.traits().header;
        let has_file = self.text.is_some() && !(was_created && is_empty && may_remove);
        Ok(has_file.then_some(rest))
    }

    fn without(&self, part: &Part, text: String) -> anyhow::Result<String> {
        if !self.has(part, &text)? {
            return Ok(text);
        }
        self.refuse_other_keys(part, &text)?;
        let removed = part.setting.remove(&text);
        removed.map_err(|why| not_editable(&self.file, &why))
    }

    /// What somebody else added to askback's table is not removed with it.
    fn refuse_other_keys(&self, part: &Part, text: &str) -> anyhow::Result<()> {
        let Setting::TomlTable(table) = part.setting else {
            return Ok(());
        };
        let others = toml_text::other_keys(text, table, &self.agent.entry_fields());
        if !others.is_empty() {
            bail!(
                "{} was not changed: its table [{}.{}] has settings that askback did not write, which would be lost: {}. \
                 Remove them, or move them above the first [table] of the file, then run the command again.",
                self.file.display(),
                table.parent,
                table.name,
                others.join(", ")
            );
        }
        Ok(())
    }

    fn repaired(self, repair: Repair<'_>) -> Option<Change> {
        let text = repair.apply(self.text());
        if text == self.text() {
            return None;
        }
        let new_record = self.record.clone().map(|old| {
            let Ok(original) = old.original(self.text()) else {
                return old;
            };
            let mut new = Record::new(&self.file, original.as_deref(), &text);
            new.own_tool_off = old.own_tool_off;
            new
        });
        Some(Change {
            file: self.file,
            before: self.text,
            after: Some(text),
            purposes: Vec::new(),
            old_record: self.record,
            new_record,
        })
    }

    fn change(
        self,
        wanted: Option<&Wanted>,
        notes: &mut Vec<String>,
    ) -> anyhow::Result<Option<Change>> {
        let original = self.original()?;
        let mut text = original.clone().unwrap_or_default();
        let mut added = Vec::new();
        for part in &self.parts {
            let Some(content) = wanted.and_then(|wanted| wanted.content(part)) else {
                continue;
            };
            if part.purpose == Purpose::AskTools {
                // An entry of another program that has the name.
                text = self.without(part, text)?;
            }
            if self.has(part, &text)? {
                if part.purpose == Purpose::Permission && !part.setting.has(&text, &content) {
                    notes.push(permission_kept(&self.file));
                }
                continue;
            }
            let is_new = text.trim().is_empty() && part.purpose == Purpose::AskTools;
            let start = if is_new {
                self.agent.traits().header
            } else {
                &text
            };
            match part.setting.add(start, &content) {
                Ok(after) => {
                    text = after;
                    added.push(part.purpose);
                }
                Err(why) if is_rule(part) => notes.push(rule_not_added(&self.file, part, &why)),
                Err(why) => return Err(not_editable(&self.file, &why)),
            }
        }
        let new_record = (!added.is_empty()).then(|| {
            let mut record = Record::new(&self.file, original.as_deref(), &text);
            record.own_tool_off = added.contains(&Purpose::OwnToolOff);
            record
        });
        let after = if added.is_empty() {
            original
        } else {
            Some(text)
        };
        Ok((after != self.text).then_some(Change {
            file: self.file,
            before: self.text,
            after,
            purposes: added,
            old_record: self.record,
            new_record,
        }))
    }
}

/// The path of a program that has gone, and of another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Repair<'a> {
    pub(crate) gone: &'a str,
    pub(crate) instead: &'a str,
}

impl Repair<'_> {
    /// Replaces the path where it is a whole word, or all that is between quotes.
    fn apply(self, text: &str) -> String {
        let ends_word = |next: Option<char>| {
            next.is_none_or(|char| char.is_whitespace() || matches!(char, '"' | '\''))
        };
        let mut replaced = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(self.gone) {
            let is_word = ends_word(before.chars().next_back()) && ends_word(after.chars().next());
            replaced.push_str(before);
            replaced.push_str(if is_word { self.instead } else { self.gone });
            rest = after;
        }
        replaced + rest
    }
}

/// Whether a part only adds to the ask tools, which work without it.
fn is_rule(part: &Part) -> bool {
    matches!(part.purpose, Purpose::Permission | Purpose::OwnToolOff)
}

fn rule_not_added(file: &Path, part: &Part, why: &str) -> String {
    let what = match part.purpose {
        Purpose::OwnToolOff => "the rule that switches off the agent's own question tool",
        Purpose::AskTools | Purpose::Hook | Purpose::Permission => {
            "the rule that allows the ask tools"
        }
    };
    let file = file.display();
    format!("{file} does not get {what}: {why}. --print shows it; add it yourself.")
}

fn permission_kept(file: &Path) -> String {
    format!(
        "{} has a rule of yours for askback's tools, which stays. If it forbids them, the agent cannot ask.",
        file.display()
    )
}

fn not_editable(file: &Path, why: &str) -> anyhow::Error {
    if [INLINE_ENTRY, INLINE_SERVERS].contains(&why) {
        return anyhow!("{} was not changed: {why}.", file.display());
    }
    anyhow!(
        "{} cannot be edited safely: {why}. Nothing was written. Repair the file and try again, or add the \
         entry yourself; --print shows it.",
        file.display()
    )
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;

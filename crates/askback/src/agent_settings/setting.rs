//! One setting in the text of a settings file: how it is recognised, added and removed.

use serde_json::Value;

use super::{claude_hook, json_text, toml_text, yaml_text};

/// Where a setting is, and what tells it apart from the settings of others.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Setting {
    /// The member of a JSON object at this path.
    JsonMember(&'static [&'static str]),
    /// This string in the JSON list at the path.
    JsonItem(&'static [&'static str], &'static str),
    /// The hook in Claude Code's settings.
    ClaudeHook,
    TomlTable(toml_text::TableName),
    YamlEntry(yaml_text::Place),
    /// These lines, in a format in which their place does not matter.
    Lines(&'static str),
}

impl Setting {
    /// The value in this text; none if it is not there. JSON, except that a YAML entry is its fields.
    pub(crate) fn value(self, text: &str) -> Result<Option<String>, String> {
        match self {
            Setting::JsonMember(path) => {
                let found = json_text::get(text, path)?;
                Ok(found.map(str::to_owned))
            }
            Setting::JsonItem(path, item) => {
                let items = json_text::items(text, path)?;
                let is_it = |source: &&str| is_string(source, item);
                Ok(items.into_iter().find(is_it).map(str::to_owned))
            }
            Setting::ClaudeHook => claude_hook::command_in(text),
            Setting::TomlTable(table) => {
                let found = toml_text::get(text, table).map_err(|_| toml_problem(text, table))?;
                Ok(found.and_then(|table| serde_json::to_string(&table).ok()))
            }
            Setting::YamlEntry(place) => {
                yaml_text::fields(text, place).map_err(|_| UNUSUAL_YAML.to_owned())
            }
            Setting::Lines(lines) => Ok(text.contains(lines).then(|| lines.to_owned())),
        }
    }

    /// Whether the text has the setting with just this content.
    pub(crate) fn has(self, text: &str, content: &str) -> bool {
        let Ok(Some(found)) = self.value(text) else {
            return false;
        };
        let json = |text: &str| serde_json::from_str::<Value>(text).ok();
        match self {
            Setting::JsonMember(_) => json(&found) == json(content),
            Setting::ClaudeHook => claude_hook::has(text, content),
            Setting::TomlTable(table) => {
                let wanted = toml_text::get(content, table).ok().flatten();
                json(&found) == wanted.and_then(|table| serde_json::to_value(table).ok())
            }
            Setting::YamlEntry(_) => found.trim_end() == content.trim_end(),
            Setting::JsonItem(..) | Setting::Lines(_) => true,
        }
    }

    /// The text with the setting, which must not have it yet: JSON, a TOML table, or the fields of a YAML entry.
    pub(crate) fn add(self, text: &str, content: &str) -> Result<String, String> {
        let json = |content| serde_json::from_str(content).map_err(|_| "no JSON".to_owned());
        match self {
            Setting::JsonMember(path) => json_text::insert(text, path, &json(content)?),
            Setting::JsonItem(path, item) => json_text::push(text, path, &Value::from(item)),
            Setting::ClaudeHook => json_text::push(text, claude_hook::PATH, &json(content)?),
            Setting::TomlTable(table) => {
                toml_text::insert(text, table, content).map_err(|_| toml_problem(text, table))
            }
            Setting::YamlEntry(place) => {
                yaml_text::insert(text, place, content).map_err(|_| UNUSUAL_YAML.to_owned())
            }
            Setting::Lines(lines) => Ok(format!("{text}{lines}")),
        }
    }

    /// The text without the setting; unchanged if it is not there.
    pub(crate) fn remove(self, text: &str) -> Result<String, String> {
        match self {
            Setting::JsonMember(path) => {
                let path: Vec<json_text::Step<'_>> =
                    path.iter().map(|key| json_text::Step::Key(key)).collect();
                json_text::remove(text, &path)
            }
            Setting::JsonItem(path, item) => {
                let items = json_text::items(text, path)?;
                let Some(index) = items.iter().position(|source| is_string(source, item)) else {
                    return Ok(text.to_owned());
                };
                let keys = path.iter().map(|key| json_text::Step::Key(key));
                let path: Vec<json_text::Step<'_>> =
                    keys.chain([json_text::Step::Index(index)]).collect();
                json_text::remove(text, &path)
            }
            Setting::ClaudeHook => claude_hook::remove(text),
            Setting::TomlTable(table) => {
                toml_text::remove(text, table).map_err(|_| toml_problem(text, table))
            }
            Setting::YamlEntry(place) => {
                yaml_text::remove(text, place).map_err(|_| UNUSUAL_YAML.to_owned())
            }
            Setting::Lines(lines) => Ok(text.replacen(lines, "", 1)),
        }
    }
}

fn is_string(source: &str, wanted: &str) -> bool {
    serde_json::from_str::<String>(source).is_ok_and(|found| found == wanted)
}

const UNUSUAL_YAML: &str =
    "its YAML has a form that is not recognised, such as tabs or a list in one line";

/// The file is right, but written in a way that is not edited. The sentence says what to do.
pub(crate) const INLINE_ENTRY: &str = "its entry for askback is written inline or in another unusual way, not below a line \
     [mcp_servers.askback]. Nothing is broken: remove that entry (its line), then run the command again";
pub(crate) const INLINE_SERVERS: &str = "its mcp_servers are written inline, where no table can be added. Nothing is broken: \
     write each server below a line [mcp_servers.NAME], then run the command again";

fn toml_problem(text: &str, table: toml_text::TableName) -> String {
    match toml::from_str::<toml::Table>(text) {
        Err(error) => format!("it is not valid TOML: {}", error.message()),
        Ok(_) if toml_text::get(text, table) == Ok(None) => INLINE_SERVERS.to_owned(),
        Ok(_) if !toml_text::has_header(text, table) => INLINE_ENTRY.to_owned(),
        Ok(_) => "where the table for askback begins and ends is not certain".to_owned(),
    }
}

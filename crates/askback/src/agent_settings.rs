//! Settings files of other agents: where each lists its MCP servers, and in which format.

pub(crate) mod claude_hook;
mod json_text;
mod server_entry;
mod toml_text;
mod yaml_text;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::settings::variable;
pub(crate) use server_entry::McpServer;
use yaml_text::Place;

const SERVER_NAME: &str = "askback";

/// A new settings file of Continue is refused without these.
const CONTINUE_HEADER: &str = "name: Local Config\nversion: 1.0.0\nschema: v1\n";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AgentClient {
    ClaudeCode,
    Codex,
    Gemini,
    Opencode,
    Copilot,
    Qwen,
    Kimi,
    Cline,
    Goose,
    Continue,
}

/// The format of a settings file, and where in it the entry is.
enum SettingsFormat {
    Json(&'static [&'static str]),
    Toml((&'static str, &'static str)),
    Yaml(Place),
}

#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) file: PathBuf,
    /// None for a new file.
    pub(crate) before: Option<String>,
    pub(crate) after: String,
}

impl AgentClient {
    pub(crate) const ALL: [AgentClient; 10] = [
        AgentClient::ClaudeCode,
        AgentClient::Codex,
        AgentClient::Gemini,
        AgentClient::Opencode,
        AgentClient::Copilot,
        AgentClient::Qwen,
        AgentClient::Kimi,
        AgentClient::Cline,
        AgentClient::Goose,
        AgentClient::Continue,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            AgentClient::ClaudeCode => "claude-code",
            AgentClient::Codex => "codex",
            AgentClient::Gemini => "gemini",
            AgentClient::Opencode => "opencode",
            AgentClient::Copilot => "copilot",
            AgentClient::Qwen => "qwen",
            AgentClient::Kimi => "kimi",
            AgentClient::Cline => "cline",
            AgentClient::Goose => "goose",
            AgentClient::Continue => "continue",
        }
    }

    /// The settings file of this user.
    pub(crate) fn file(self) -> anyhow::Result<PathBuf> {
        Ok(match self {
            AgentClient::ClaudeCode => match variable("CLAUDE_CONFIG_DIR") {
                Some(directory) => Path::new(&directory).join(".claude.json"),
                None => home()?.join(".claude.json"),
            },
            AgentClient::Codex => directory("CODEX_HOME", ".codex")?.join("config.toml"),
            AgentClient::Gemini => home()?.join(".gemini/settings.json"),
            AgentClient::Opencode => {
                let config = directory("XDG_CONFIG_HOME", ".config")?.join("opencode");
                let commented = config.join("opencode.jsonc");
                if commented.exists() {
                    commented
                } else {
                    config.join("opencode.json")
                }
            }
            AgentClient::Copilot => home()?.join(".copilot/mcp-config.json"),
            AgentClient::Qwen => home()?.join(".qwen/settings.json"),
            AgentClient::Kimi => directory("KIMI_CODE_HOME", ".kimi-code")?.join("mcp.json"),
            AgentClient::Cline => match variable("CLINE_MCP_SETTINGS_PATH") {
                Some(file) => PathBuf::from(file),
                None => home()?.join(".cline/data/settings/cline_mcp_settings.json"),
            },
            AgentClient::Goose => {
                directory("XDG_CONFIG_HOME", ".config")?.join("goose/config.yaml")
            }
            AgentClient::Continue => {
                directory("CONTINUE_GLOBAL_DIR", ".continue")?.join("config.yaml")
            }
        })
    }

    fn format(self) -> SettingsFormat {
        match self {
            AgentClient::Opencode => SettingsFormat::Json(&["mcp", SERVER_NAME]),
            AgentClient::Codex => SettingsFormat::Toml(("mcp_servers", SERVER_NAME)),
            AgentClient::Goose => SettingsFormat::Yaml(Place::Map {
                section: "extensions",
                name: SERVER_NAME,
            }),
            AgentClient::Continue => SettingsFormat::Yaml(Place::List {
                section: "mcpServers",
                name: SERVER_NAME,
            }),
            AgentClient::ClaudeCode
            | AgentClient::Gemini
            | AgentClient::Copilot
            | AgentClient::Qwen
            | AgentClient::Kimi
            | AgentClient::Cline => SettingsFormat::Json(&["mcpServers", SERVER_NAME]),
        }
    }

    /// A settings file with nothing but the entry.
    pub(crate) fn snippet(self, entry: &str) -> anyhow::Result<String> {
        self.edited("", entry)?.map_err(anyhow::Error::msg)
    }

    pub(crate) fn is_set_up(self) -> bool {
        let text = self
            .file()
            .ok()
            .and_then(|file| std::fs::read_to_string(file).ok());
        let Some(text) = text else { return false };
        match self.format() {
            SettingsFormat::Json(path) => {
                json_text::get(&text, path).is_ok_and(|entry| entry.is_some())
            }
            SettingsFormat::Toml(table) => toml_text::has(&text, table),
            SettingsFormat::Yaml(place) => yaml_text::has(&text, place),
        }
    }

    /// The text with the entry, or why it cannot be edited.
    fn edited(self, text: &str, entry: &str) -> anyhow::Result<Result<String, String>> {
        Ok(match self.format() {
            SettingsFormat::Json(path) => {
                let value: Value = serde_json::from_str(entry).context("the entry is not JSON")?;
                json_text::set(text, path, &value).map_err(|error| error.to_string())
            }
            SettingsFormat::Toml(table) => {
                toml_text::set(text, table, entry).map_err(|_| toml_problem(text))
            }
            SettingsFormat::Yaml(place) => {
                let is_new = self == AgentClient::Continue && text.trim().is_empty();
                let text = if is_new { CONTINUE_HEADER } else { text };
                yaml_text::set(text, place, entry).map_err(|_| UNUSUAL_YAML.to_owned())
            }
        })
    }

    /// What is wrong with the settings of an agent that is set up, or whose file cannot be read.
    pub(crate) fn problem(self) -> Option<String> {
        let file = self.file().ok()?;
        let text = read_optional(&file).ok()??;
        let shown = file.display();
        let program = match self.format() {
            SettingsFormat::Json(path) => match json_text::get(&text, path) {
                Err(why) => return Some(format!("{shown} is broken: {why}")),
                Ok(entry) => program_in(&serde_json::from_str(entry?).ok()?),
            },
            SettingsFormat::Toml((parent, name)) => match toml::from_str::<toml::Table>(&text) {
                Err(_) => return Some(format!("{shown} is broken: {}", toml_problem(&text))),
                Ok(table) => {
                    let command = table.get(parent)?.get(name)?.get("command");
                    command.and_then(toml::Value::as_str).map(str::to_owned)
                }
            },
            SettingsFormat::Yaml(_) => None,
        }?;
        let is_missing = Path::new(&program).is_absolute() && !Path::new(&program).exists();
        is_missing.then(|| {
            let name = self.name();
            format!("{shown} starts {program}, which does not exist; run `askback install {name}`")
        })
    }

    /// None if the entry is there already.
    pub(crate) fn install(self, entry: &str) -> anyhow::Result<Option<Change>> {
        let file = self.file()?;
        let before = read_optional(&file)?;
        let after = self.edited(before.as_deref().unwrap_or_default(), entry)?;
        let after = match after {
            Ok(after) => after,
            Err(why) => bail!(not_editable(&file, &why)),
        };
        if before.as_deref() == Some(after.as_str()) {
            return Ok(None);
        }
        Ok(Some(Change {
            file,
            before,
            after,
        }))
    }

    /// None if there is no entry.
    pub(crate) fn uninstall(self) -> anyhow::Result<Option<Change>> {
        let file = self.file()?;
        let before = read_optional(&file)?;
        let Some(text) = &before else { return Ok(None) };
        let after = match self.format() {
            SettingsFormat::Json(path) => {
                json_text::remove(text, path).map_err(|error| error.to_string())
            }
            SettingsFormat::Toml(table) => {
                toml_text::remove(text, table).map_err(|_| toml_problem(text))
            }
            SettingsFormat::Yaml(place) => {
                yaml_text::remove(text, place).map_err(|_| UNUSUAL_YAML.to_owned())
            }
        };
        let after = match after {
            Ok(after) => after,
            Err(why) => bail!(not_editable(&file, &why)),
        };
        Ok(after.map(|after| Change {
            file,
            before,
            after,
        }))
    }
}

fn home() -> anyhow::Result<PathBuf> {
    variable("HOME")
        .map(PathBuf::from)
        .context("HOME is not set")
}

/// The directory in this environment variable, or else this one in the home directory.
fn directory(variable_name: &str, in_home: &str) -> anyhow::Result<PathBuf> {
    match variable(variable_name) {
        Some(directory) => Ok(PathBuf::from(directory)),
        None => Ok(home()?.join(in_home)),
    }
}

fn claude_directory() -> anyhow::Result<PathBuf> {
    directory("CLAUDE_CONFIG_DIR", ".claude")
}

pub(crate) fn read_optional(file: &Path) -> anyhow::Result<Option<String>> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
    }
}

/// The command of an entry: a program, or a list that begins with one.
fn program_in(entry: &Value) -> Option<String> {
    let command = &entry["command"];
    let program = command.as_str().or_else(|| command[0].as_str());
    program.map(str::to_owned)
}

const UNUSUAL_YAML: &str =
    "its YAML has a form that is not recognised, such as tabs or a list in one line";

fn toml_problem(text: &str) -> String {
    match toml::from_str::<toml::Table>(text) {
        Err(error) => format!("it is not valid TOML: {}", error.message()),
        Ok(_) => "where the table for askback begins and ends is not certain".to_owned(),
    }
}

fn not_editable(file: &Path, why: &str) -> String {
    format!(
        "{} cannot be edited safely: {why}. Nothing was written. Repair the file and try again, or add the \
         entry yourself; --print shows it.",
        file.display()
    )
}

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
        self.edited("", entry)?
            .context("the entry cannot be written")
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

    /// The text with the entry. None if it cannot be edited.
    fn edited(self, text: &str, entry: &str) -> anyhow::Result<Option<String>> {
        Ok(match self.format() {
            SettingsFormat::Json(path) => {
                let value: Value = serde_json::from_str(entry).context("the entry is not JSON")?;
                json_text::set(text, path, &value).ok()
            }
            SettingsFormat::Toml(table) => toml_text::set(text, table, entry).ok(),
            SettingsFormat::Yaml(place) => {
                let is_new = self == AgentClient::Continue && text.trim().is_empty();
                let text = if is_new { CONTINUE_HEADER } else { text };
                yaml_text::set(text, place, entry).ok()
            }
        })
    }

    /// None if the entry is there already.
    pub(crate) fn install(self, entry: &str) -> anyhow::Result<Option<Change>> {
        let file = self.file()?;
        let before = read_optional(&file)?;
        let after = self.edited(before.as_deref().unwrap_or_default(), entry)?;
        let Some(after) = after else {
            bail!(not_editable(&file))
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
            SettingsFormat::Json(path) => json_text::remove(text, path).ok(),
            SettingsFormat::Toml(table) => toml_text::remove(text, table).ok(),
            SettingsFormat::Yaml(place) => yaml_text::remove(text, place).ok(),
        };
        let Some(after) = after else {
            bail!(not_editable(&file))
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

fn not_editable(file: &Path) -> String {
    format!(
        "{} cannot be edited safely: its format is not recognised. Nothing was written. Add the entry \
         yourself; --print shows it.",
        file.display()
    )
}

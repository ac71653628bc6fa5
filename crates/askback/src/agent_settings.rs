//! Settings files of other agents: where each lists its MCP servers, and in which format.

mod json_text;
mod toml_text;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use crate::settings::variable;

const SERVER_NAME: &str = "askback";

/// The tool time-out for agents whose default is short. A call returns shortly before it.
const TOOL_TIMEOUT_SECONDS: u32 = 3_600;
const HOLD_WINDOW: &str = "3590s";

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
}

#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) file: PathBuf,
    /// None for a new file.
    pub(crate) before: Option<String>,
    pub(crate) after: String,
}

impl AgentClient {
    pub(crate) const ALL: [AgentClient; 8] = [
        AgentClient::ClaudeCode,
        AgentClient::Codex,
        AgentClient::Gemini,
        AgentClient::Opencode,
        AgentClient::Copilot,
        AgentClient::Qwen,
        AgentClient::Kimi,
        AgentClient::Cline,
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
        }
    }

    /// The settings file of this user.
    pub(crate) fn file(self) -> anyhow::Result<PathBuf> {
        let home = || {
            let home = variable("HOME").map(PathBuf::from);
            home.context("HOME is not set")
        };
        let below = |name: &str, file: &str| match variable(name) {
            Some(directory) => Ok::<_, anyhow::Error>(Some(Path::new(&directory).join(file))),
            None => Ok(None),
        };
        Ok(match self {
            AgentClient::ClaudeCode => match below("CLAUDE_CONFIG_DIR", ".claude.json")? {
                Some(file) => file,
                None => home()?.join(".claude.json"),
            },
            AgentClient::Codex => match below("CODEX_HOME", "config.toml")? {
                Some(file) => file,
                None => home()?.join(".codex/config.toml"),
            },
            AgentClient::Gemini => home()?.join(".gemini/settings.json"),
            AgentClient::Opencode => {
                let config = match below("XDG_CONFIG_HOME", "opencode")? {
                    Some(directory) => directory,
                    None => home()?.join(".config/opencode"),
                };
                let commented = config.join("opencode.jsonc");
                if commented.exists() {
                    commented
                } else {
                    config.join("opencode.json")
                }
            }
            AgentClient::Copilot => home()?.join(".copilot/mcp-config.json"),
            AgentClient::Qwen => home()?.join(".qwen/settings.json"),
            AgentClient::Kimi => match below("KIMI_CODE_HOME", "mcp.json")? {
                Some(file) => file,
                None => home()?.join(".kimi-code/mcp.json"),
            },
            AgentClient::Cline => match variable("CLINE_MCP_SETTINGS_PATH") {
                Some(file) => PathBuf::from(file),
                None => home()?.join(".cline/data/settings/cline_mcp_settings.json"),
            },
        })
    }

    fn path(self) -> &'static [&'static str] {
        match self {
            AgentClient::Opencode => &["mcp", SERVER_NAME],
            AgentClient::Codex => &["mcp_servers", SERVER_NAME],
            AgentClient::ClaudeCode
            | AgentClient::Gemini
            | AgentClient::Copilot
            | AgentClient::Qwen
            | AgentClient::Kimi
            | AgentClient::Cline => &["mcpServers", SERVER_NAME],
        }
    }

    /// The entry for askback alone: a JSON object, or for Codex a TOML table.
    pub(crate) fn entry(self, program: &str, mcp_args: &[String]) -> String {
        let mut args = vec!["mcp".to_owned()];
        args.extend_from_slice(mcp_args);
        if matches!(
            self,
            AgentClient::Codex | AgentClient::Kimi | AgentClient::Cline
        ) {
            args.extend(["--hold".to_owned(), HOLD_WINDOW.to_owned()]);
        }
        if self == AgentClient::Codex {
            // A JSON string or list of strings is also valid TOML.
            return format!(
                "[mcp_servers.{SERVER_NAME}]\ncommand = {}\nargs = {}\ntool_timeout_sec = {TOOL_TIMEOUT_SECONDS}\n",
                json!(program),
                json!(args)
            );
        }
        format!("{:#}", self.json_entry(program, &args))
    }

    fn json_entry(self, program: &str, args: &[String]) -> Value {
        match self {
            AgentClient::ClaudeCode => json!({"type": "stdio", "command": program, "args": args}),
            AgentClient::Opencode => {
                let command: Vec<&str> = std::iter::once(program)
                    .chain(args.iter().map(String::as_str))
                    .collect();
                json!({"type": "local", "command": command, "enabled": true})
            }
            AgentClient::Copilot => {
                json!({"type": "local", "command": program, "args": args, "tools": ["*"]})
            }
            AgentClient::Kimi => json!({
                "command": program, "args": args, "toolTimeoutMs": TOOL_TIMEOUT_SECONDS * 1_000,
            }),
            AgentClient::Cline => json!({
                "command": program, "args": args, "timeout": TOOL_TIMEOUT_SECONDS, "disabled": false,
            }),
            AgentClient::Gemini | AgentClient::Qwen | AgentClient::Codex => {
                json!({"command": program, "args": args})
            }
        }
    }

    /// What to add to an empty settings file: the entry with the objects around it.
    pub(crate) fn snippet(self, entry: &str) -> anyhow::Result<String> {
        if self == AgentClient::Codex {
            return Ok(entry.to_owned());
        }
        let value: Value = serde_json::from_str(entry).context("the entry is not JSON")?;
        let nested = self
            .path()
            .iter()
            .rev()
            .fold(value, |value, key| json!({ *key: value }));
        Ok(format!("{nested:#}"))
    }

    pub(crate) fn is_set_up(self) -> bool {
        let text = self
            .file()
            .ok()
            .and_then(|file| std::fs::read_to_string(file).ok());
        let Some(text) = text else { return false };
        if self == AgentClient::Codex {
            return toml_text::has(&text, ("mcp_servers", SERVER_NAME));
        }
        json_text::get(&text, self.path()).is_ok_and(|entry| entry.is_some())
    }

    /// None if the entry is there already.
    pub(crate) fn install(self, entry: &str) -> anyhow::Result<Option<Change>> {
        let (file, before) = self.read()?;
        let text = before.as_deref().unwrap_or_default();
        let after = if self == AgentClient::Codex {
            toml_text::set(text, ("mcp_servers", SERVER_NAME), entry).ok()
        } else {
            let value: Value = serde_json::from_str(entry).context("the entry is not JSON")?;
            json_text::set(text, self.path(), &value).ok()
        };
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
        let (file, before) = self.read()?;
        let Some(text) = &before else { return Ok(None) };
        let after = if self == AgentClient::Codex {
            toml_text::remove(text, ("mcp_servers", SERVER_NAME)).ok()
        } else {
            json_text::remove(text, self.path()).ok()
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

    fn read(self) -> anyhow::Result<(PathBuf, Option<String>)> {
        let file = self.file()?;
        match std::fs::read_to_string(&file) {
            Ok(text) => Ok((file, Some(text))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok((file, None)),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", file.display())),
        }
    }
}

fn not_editable(file: &Path) -> String {
    format!(
        "{} cannot be edited safely: its format is not recognised. Nothing was written. Add the entry \
         yourself; --print shows it.",
        file.display()
    )
}

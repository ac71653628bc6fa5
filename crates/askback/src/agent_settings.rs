//! The settings of other people's agents: where each names its MCP servers, and in which form.

mod json_text;
mod toml_text;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::{Value, json};

use crate::settings::variable;

/// What askback is called in the settings of an agent.
const NAME: &str = "askback";

/// How long an agent is told to wait for a call, in seconds, where its own limit is short and can be
/// raised; a call returns a little earlier.
const CALL_SECONDS: u32 = 3_600;
const HOLD: &str = "3590s";

/// An agent that can be set up.
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

/// A file and what becomes of it.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) file: PathBuf,
    /// None if there is no such file yet.
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

    /// Its name on the command line.
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

    /// Its settings of this user.
    pub(crate) fn file(self) -> anyhow::Result<PathBuf> {
        let home = || {
            let home = variable("HOME").map(PathBuf::from);
            home.context("there is no home directory")
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
            AgentClient::Opencode => &["mcp", NAME],
            AgentClient::Codex => &["mcp_servers", NAME],
            AgentClient::ClaudeCode
            | AgentClient::Gemini
            | AgentClient::Copilot
            | AgentClient::Qwen
            | AgentClient::Kimi
            | AgentClient::Cline => &["mcpServers", NAME],
        }
    }

    /// What is written into the settings, for a program with these arguments after `mcp`.
    pub(crate) fn entry(self, program: &str, more: &[String]) -> String {
        let mut args = vec!["mcp".to_owned()];
        args.extend_from_slice(more);
        if matches!(
            self,
            AgentClient::Codex | AgentClient::Kimi | AgentClient::Cline
        ) {
            args.extend(["--hold".to_owned(), HOLD.to_owned()]);
        }
        if self == AgentClient::Codex {
            // A JSON text or list of texts is one of TOML as well.
            return format!(
                "[mcp_servers.{NAME}]\ncommand = {}\nargs = {}\ntool_timeout_sec = {CALL_SECONDS}\n",
                json!(program),
                json!(args)
            );
        }
        format!("{:#}", self.json(program, &args))
    }

    fn json(self, program: &str, args: &[String]) -> Value {
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
                "command": program, "args": args, "toolTimeoutMs": CALL_SECONDS * 1_000,
            }),
            AgentClient::Cline => json!({
                "command": program, "args": args, "timeout": CALL_SECONDS, "disabled": false,
            }),
            AgentClient::Gemini | AgentClient::Qwen | AgentClient::Codex => {
                json!({"command": program, "args": args})
            }
        }
    }

    /// Whether askback stands in the settings.
    pub(crate) fn is_set_up(self) -> bool {
        let text = self
            .file()
            .ok()
            .and_then(|file| std::fs::read_to_string(file).ok());
        let Some(text) = text else { return false };
        if self == AgentClient::Codex {
            return toml_text::has(&text, ("mcp_servers", NAME));
        }
        json_text::get(&text, self.path()).is_ok_and(|entry| entry.is_some())
    }

    /// What setting it up changes; none if it is set up like this already.
    pub(crate) fn install(self, entry: &str) -> anyhow::Result<Option<Change>> {
        let (file, before) = self.read()?;
        let text = before.as_deref().unwrap_or_default();
        let after = if self == AgentClient::Codex {
            toml_text::set(text, ("mcp_servers", NAME), entry).ok()
        } else {
            let value: Value = serde_json::from_str(entry).context("the entry is JSON")?;
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

    /// What removing it changes; none if it is not set up.
    pub(crate) fn undo(self) -> anyhow::Result<Option<Change>> {
        let (file, before) = self.read()?;
        let Some(text) = &before else { return Ok(None) };
        let after = if self == AgentClient::Codex {
            toml_text::remove(text, ("mcp_servers", NAME)).ok()
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
        "{} cannot be changed safely: it is not in the form that is known. Nothing was written; add \
         the entry yourself, --print shows it.",
        file.display()
    )
}

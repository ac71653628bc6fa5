//! Settings files of other agents: what askback writes there, where, and how it is removed again.

pub(crate) mod check;
pub(crate) mod claude_hook;
mod environment;
mod json_text;
pub(crate) mod plan;
mod record;
mod server_entry;
mod setting;
mod settings_file;
mod toml_text;
mod yaml_text;

use std::path::{Path, PathBuf};

pub(crate) use environment::Environment;
pub(crate) use plan::{Change, Plan, Wanted};
pub(crate) use server_entry::{McpServer, ToolPermission};
use setting::Setting;
use yaml_text::Place;

const SERVER_NAME: &str = "askback";

/// A new settings file of Continue is refused without these.
const CONTINUE_HEADER: &str = "name: Local Config\nversion: 1.0.0\nschema: v1\n";

/// A policy of Gemini CLI that hides its own question tool from the model.
const GEMINI_POLICY: &str = "\
# Written by `askback install gemini`. The model asks through askback instead.
[[rule]]
toolName = \"ask_user\"
decision = \"deny\"
priority = 100
";

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

/// What a setting is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The MCP server with the ask tools.
    AskTools,
    /// Answers the agent's own question tool.
    Hook,
    /// Lets the agent call the ask tools without asking for permission first.
    Permission,
    /// Hides the agent's own question tool from the model.
    OwnToolOff,
}

/// A setting that askback may write.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) purpose: Purpose,
    pub(crate) file: PathBuf,
    setting: Setting,
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

    /// The name of its program.
    fn program(self) -> &'static str {
        match self {
            AgentClient::ClaudeCode => "claude",
            AgentClient::Continue => "cn",
            AgentClient::Codex
            | AgentClient::Gemini
            | AgentClient::Opencode
            | AgentClient::Copilot
            | AgentClient::Qwen
            | AgentClient::Kimi
            | AgentClient::Cline
            | AgentClient::Goose => self.name(),
        }
    }

    /// The directory in which the agent keeps its settings.
    fn directory(self, env: &Environment) -> anyhow::Result<PathBuf> {
        match self {
            AgentClient::ClaudeCode => env.directory("CLAUDE_CONFIG_DIR", ".claude"),
            AgentClient::Codex => env.directory("CODEX_HOME", ".codex"),
            AgentClient::Gemini => env.in_home(".gemini"),
            AgentClient::Opencode => Ok(env.config_home()?.join("opencode")),
            AgentClient::Copilot => env.in_home(".copilot"),
            AgentClient::Qwen => env.in_home(".qwen"),
            AgentClient::Kimi => env.directory("KIMI_CODE_HOME", ".kimi-code"),
            AgentClient::Cline => env.in_home(".cline"),
            AgentClient::Goose => Ok(env.config_home()?.join("goose")),
            AgentClient::Continue => env.directory("CONTINUE_GLOBAL_DIR", ".continue"),
        }
    }

    /// The file in which this user lists MCP servers.
    fn servers_file(self, env: &Environment) -> anyhow::Result<PathBuf> {
        let directory = self.directory(env)?;
        Ok(match self {
            AgentClient::ClaudeCode => match env.variable("CLAUDE_CONFIG_DIR") {
                Some(directory) => Path::new(directory).join(".claude.json"),
                None => env.in_home(".claude.json")?,
            },
            AgentClient::Codex => directory.join("config.toml"),
            AgentClient::Gemini | AgentClient::Qwen => directory.join("settings.json"),
            AgentClient::Opencode => {
                let commented = directory.join("opencode.jsonc");
                if commented.exists() {
                    commented
                } else {
                    directory.join("opencode.json")
                }
            }
            AgentClient::Copilot => directory.join("mcp-config.json"),
            AgentClient::Kimi => directory.join("mcp.json"),
            AgentClient::Cline => match env.variable("CLINE_MCP_SETTINGS_PATH") {
                Some(file) => PathBuf::from(file),
                None => directory.join("data/settings/cline_mcp_settings.json"),
            },
            AgentClient::Goose | AgentClient::Continue => directory.join("config.yaml"),
        })
    }

    /// Whether its program or its settings are on this machine.
    pub(crate) fn is_on_this_machine(self, env: &Environment) -> bool {
        env.program_on_path(self.program()).is_some()
            || self.directory(env).is_ok_and(|it| it.exists())
            || self.servers_file(env).is_ok_and(|it| it.exists())
    }

    /// Where it was looked for.
    pub(crate) fn traces(self, env: &Environment) -> anyhow::Result<String> {
        let directory = self.directory(env)?;
        let program = self.program();
        Ok(format!(
            "there is no program `{program}` on PATH, and no {}",
            directory.display()
        ))
    }

    fn servers_setting(self) -> Setting {
        match self {
            AgentClient::Opencode => Setting::JsonMember(&["mcp", SERVER_NAME]),
            AgentClient::Codex => Setting::TomlTable(("mcp_servers", SERVER_NAME)),
            AgentClient::Goose => Setting::YamlEntry(Place::Map {
                section: "extensions",
                name: SERVER_NAME,
            }),
            AgentClient::Continue => Setting::YamlEntry(Place::List {
                section: "mcpServers",
                name: SERVER_NAME,
            }),
            AgentClient::ClaudeCode
            | AgentClient::Gemini
            | AgentClient::Copilot
            | AgentClient::Qwen
            | AgentClient::Kimi
            | AgentClient::Cline => Setting::JsonMember(&["mcpServers", SERVER_NAME]),
        }
    }

    /// Every setting that askback may write for this agent.
    pub(crate) fn parts(self, env: &Environment) -> anyhow::Result<Vec<Part>> {
        let servers = self.servers_file(env)?;
        let part = |purpose, file: &Path, setting| Part {
            purpose,
            file: file.to_owned(),
            setting,
        };
        let mut parts = vec![part(Purpose::AskTools, &servers, self.servers_setting())];
        let allow = Setting::JsonItem(&["permissions", "allow"], "mcp__askback");
        match self {
            AgentClient::ClaudeCode => {
                let file = self.directory(env)?.join("settings.json");
                let deny = Setting::JsonItem(&["permissions", "deny"], claude_hook::TOOL);
                parts.push(part(Purpose::Hook, &file, Setting::ClaudeHook));
                parts.push(part(Purpose::Permission, &file, allow));
                parts.push(part(Purpose::OwnToolOff, &file, deny));
            }
            AgentClient::Gemini => {
                let file = self.directory(env)?.join("policies/askback.toml");
                let policy = Setting::Lines(GEMINI_POLICY);
                parts.push(part(Purpose::OwnToolOff, &file, policy));
            }
            AgentClient::Opencode => {
                let allow = Setting::JsonMember(&["permission", "askback_*"]);
                let deny = Setting::JsonMember(&["permission", "question"]);
                parts.push(part(Purpose::Permission, &servers, allow));
                parts.push(part(Purpose::OwnToolOff, &servers, deny));
            }
            AgentClient::Qwen => {
                let deny = Setting::JsonItem(&["permissions", "deny"], "ask_user_question");
                parts.push(part(Purpose::Permission, &servers, allow));
                parts.push(part(Purpose::OwnToolOff, &servers, deny));
            }
            AgentClient::Codex
            | AgentClient::Copilot
            | AgentClient::Kimi
            | AgentClient::Cline
            | AgentClient::Goose
            | AgentClient::Continue => {}
        }
        Ok(parts)
    }

    /// The agent's own question tool.
    pub(crate) fn own_tool(self) -> Option<&'static str> {
        match self {
            AgentClient::ClaudeCode => Some(claude_hook::TOOL),
            AgentClient::Gemini => Some("ask_user"),
            AgentClient::Opencode => Some("question"),
            AgentClient::Qwen => Some("ask_user_question"),
            AgentClient::Codex
            | AgentClient::Copilot
            | AgentClient::Kimi
            | AgentClient::Cline
            | AgentClient::Goose
            | AgentClient::Continue => None,
        }
    }

    /// What the user has to know about permission to ask, where no setting of this agent gives it.
    pub(crate) fn permission_hint(self) -> Option<&'static str> {
        match self {
            AgentClient::Kimi => Some(
                "It asks for permission before each question, and has no rule against it: choose \"2. Approve for \
                 this session\".",
            ),
            AgentClient::Cline => Some(
                "It asks for permission before each question only if you have switched off \"Auto-approve all\"; it \
                 has no rule for one server.",
            ),
            AgentClient::Goose | AgentClient::Continue => Some(
                "It may ask for permission before a question, depending on its mode: choose to allow the tool always.",
            ),
            AgentClient::ClaudeCode
            | AgentClient::Codex
            | AgentClient::Gemini
            | AgentClient::Opencode
            | AgentClient::Copilot
            | AgentClient::Qwen => None,
        }
    }

    /// What a new settings file must have beside the entry.
    fn header(self) -> &'static str {
        match self {
            AgentClient::Continue => CONTINUE_HEADER,
            AgentClient::ClaudeCode
            | AgentClient::Codex
            | AgentClient::Gemini
            | AgentClient::Opencode
            | AgentClient::Copilot
            | AgentClient::Qwen
            | AgentClient::Kimi
            | AgentClient::Cline
            | AgentClient::Goose => "",
        }
    }
}

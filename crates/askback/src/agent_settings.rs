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

use std::path::PathBuf;

use askback_server::LocalAgents;
use serde_json::{Value, json};

pub(crate) use environment::Environment;
pub(crate) use plan::{Change, Plan, Repair, Wanted};
use server_entry::{CommandShape, EntryShape};
pub(crate) use server_entry::{McpServer, ToolPermission};
use setting::Setting;
use toml_text::TableName;
use yaml_text::{Place, SectionKind};

const SERVER_NAME: &str = "askback";

/// The directory of settings of this user. Its variable has a default of its own.
const CONFIG_HOME: &str = "XDG_CONFIG_HOME";

const ALLOW_ALWAYS: &str = "It may ask for permission before a question, depending on its mode: choose to allow the tool always.";

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

/// What askback knows about an agent.
pub(crate) struct Traits {
    name: &'static str,
    /// The name of its program.
    program: &'static str,
    /// The variable with the directory in which it keeps its settings, and where that is otherwise.
    directory: (&'static str, &'static str),
    /// The file with the MCP servers of this user.
    servers: &'static str,
    /// The entry for askback in it, and how it is written.
    entry: Setting,
    entry_shape: EntryShape,
    /// The field of the entry that lets the agent call the tools without asking first. Other agents have a rule
    /// elsewhere, or none.
    permission_field: Option<(&'static str, Value)>,
    /// What the user has to know about permission to ask, where no setting gives it.
    pub(crate) permission_hint: Option<&'static str>,
    /// The agent's own question tool.
    pub(crate) own_tool: Option<&'static str>,
    /// Further settings, in a file of the directory or else beside the entry.
    rules: Vec<(Purpose, Option<&'static str>, Setting)>,
    /// Files of a project that may also have a rule against the agent's own tool, where it asks with that.
    project_files: &'static [&'static str],
    /// What a new settings file must have beside the entry.
    header: &'static str,
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

    #[expect(clippy::too_many_lines, reason = "a row for each agent")]
    pub(crate) fn traits(self) -> Traits {
        let of = |name, directory, servers| Traits {
            name,
            program: name,
            directory,
            servers,
            entry: Setting::JsonMember(&["mcpServers", SERVER_NAME]),
            entry_shape: EntryShape::default(),
            permission_field: None,
            permission_hint: None,
            own_tool: None,
            rules: Vec::new(),
            project_files: &[],
            header: "",
        };
        let allow = Setting::JsonItem(&["permissions", "allow"], "mcp__askback");
        let deny = |tool| Setting::JsonItem(&["permissions", "deny"], tool);
        let permission = |file, setting| (Purpose::Permission, file, setting);
        let own_tool_off = |file, setting| (Purpose::OwnToolOff, file, setting);
        match self {
            AgentClient::ClaudeCode => Traits {
                program: "claude",
                entry_shape: EntryShape {
                    stdio_type: Some("stdio"),
                    http_type: Some("http"),
                    ..EntryShape::default()
                },
                own_tool: Some(claude_hook::TOOL),
                rules: vec![
                    (Purpose::Hook, Some("settings.json"), Setting::ClaudeHook),
                    permission(Some("settings.json"), allow),
                    own_tool_off(Some("settings.json"), deny(claude_hook::TOOL)),
                ],
                project_files: &[".claude/settings.json", ".claude/settings.local.json"],
                ..of(
                    "claude-code",
                    ("CLAUDE_CONFIG_DIR", ".claude"),
                    ".claude.json",
                )
            },
            AgentClient::Codex => Traits {
                entry: Setting::TomlTable(TableName {
                    parent: "mcp_servers",
                    name: SERVER_NAME,
                }),
                permission_field: Some(("default_tools_approval_mode", json!("approve"))),
                entry_shape: EntryShape {
                    headers: &["http_headers"],
                    timeout: Some(("tool_timeout_sec", 1)),
                    ..EntryShape::default()
                },
                ..of("codex", ("CODEX_HOME", ".codex"), "config.toml")
            },
            AgentClient::Gemini => Traits {
                entry_shape: EntryShape {
                    url: "httpUrl",
                    ..EntryShape::default()
                },
                permission_field: Some(("trust", json!(true))),
                own_tool: Some("ask_user"),
                rules: vec![own_tool_off(
                    Some("policies/askback.toml"),
                    Setting::Lines(GEMINI_POLICY),
                )],
                ..of("gemini", ("", ".gemini"), "settings.json")
            },
            AgentClient::Opencode => Traits {
                entry: Setting::JsonMember(&["mcp", SERVER_NAME]),
                entry_shape: EntryShape {
                    stdio_type: Some("local"),
                    http_type: Some("remote"),
                    always: vec![("enabled", json!(true))],
                    command: CommandShape::Words,
                    ..EntryShape::default()
                },
                own_tool: Some("question"),
                rules: vec![
                    permission(None, Setting::JsonMember(&["permission", "askback_*"])),
                    own_tool_off(None, Setting::JsonMember(&["permission", "question"])),
                ],
                ..of("opencode", (CONFIG_HOME, "opencode"), "opencode.json")
            },
            AgentClient::Copilot => Traits {
                entry_shape: EntryShape {
                    stdio_type: Some("local"),
                    http_type: Some("http"),
                    always: vec![("tools", json!(["*"]))],
                    ..EntryShape::default()
                },
                ..of("copilot", ("", ".copilot"), "mcp-config.json")
            },
            AgentClient::Qwen => Traits {
                entry_shape: EntryShape {
                    // Without it, the model gets the tools only if it searches for them.
                    always: vec![("alwaysLoadTools", json!(true))],
                    url: "httpUrl",
                    ..EntryShape::default()
                },
                own_tool: Some("ask_user_question"),
                rules: vec![
                    permission(None, allow),
                    own_tool_off(None, deny("ask_user_question")),
                ],
                ..of("qwen", ("", ".qwen"), "settings.json")
            },
            AgentClient::Kimi => Traits {
                permission_hint: Some(
                    "It asks for permission before each question, and has no rule against it: choose \"2. Approve for \
                     this session\".",
                ),
                entry_shape: EntryShape {
                    timeout: Some(("toolTimeoutMs", 1_000)),
                    ..EntryShape::default()
                },
                ..of("kimi", ("KIMI_CODE_HOME", ".kimi-code"), "mcp.json")
            },
            AgentClient::Cline => Traits {
                permission_hint: Some(
                    "It asks for permission before each question only if you have switched off \"Auto-approve all\"; it \
                     has no rule for one server.",
                ),
                entry_shape: EntryShape {
                    http_type: Some("streamableHttp"),
                    always: vec![("disabled", json!(false))],
                    timeout: Some(("timeout", 1)),
                    ..EntryShape::default()
                },
                ..of(
                    "cline",
                    ("", ".cline"),
                    "data/settings/cline_mcp_settings.json",
                )
            },
            AgentClient::Goose => Traits {
                entry: Setting::YamlEntry(Place {
                    section: "extensions",
                    name: SERVER_NAME,
                    kind: SectionKind::Map,
                }),
                entry_shape: EntryShape {
                    stdio_type: Some("stdio"),
                    http_type: Some("streamable_http"),
                    always: vec![
                        ("enabled", json!(true)),
                        ("name", json!(SERVER_NAME)),
                        ("description", json!("Asks the user questions")),
                        // Its default, which it requires.
                        ("timeout", json!(300)),
                    ],
                    command: CommandShape::Program("cmd"),
                    url: "uri",
                    ..EntryShape::default()
                },
                permission_hint: Some(ALLOW_ALWAYS),
                ..of("goose", (CONFIG_HOME, "goose"), "config.yaml")
            },
            AgentClient::Continue => Traits {
                program: "cn",
                entry: Setting::YamlEntry(Place {
                    section: "mcpServers",
                    name: SERVER_NAME,
                    kind: SectionKind::List,
                }),
                entry_shape: EntryShape {
                    http_type: Some("streamable-http"),
                    always: vec![("name", json!(SERVER_NAME))],
                    headers: &["requestOptions", "headers"],
                    ..EntryShape::default()
                },
                permission_hint: Some(ALLOW_ALWAYS),
                header: CONTINUE_HEADER,
                ..of(
                    "continue",
                    ("CONTINUE_GLOBAL_DIR", ".continue"),
                    "config.yaml",
                )
            },
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.traits().name
    }

    /// The directory in which the agent keeps its settings.
    fn directory(self, env: &Environment) -> anyhow::Result<PathBuf> {
        match self.traits().directory {
            (CONFIG_HOME, name) => Ok(env.config_home()?.join(name)),
            (variable, in_home) => env.directory(variable, in_home),
        }
    }

    /// The file in which this user lists MCP servers.
    fn servers_file(self, env: &Environment) -> anyhow::Result<PathBuf> {
        if self == AgentClient::Cline
            && let Some(file) = env.variable("CLINE_MCP_SETTINGS_PATH")
        {
            return Ok(PathBuf::from(file));
        }
        if self == AgentClient::ClaudeCode && env.variable("CLAUDE_CONFIG_DIR").is_none() {
            return env.in_home(".claude.json");
        }
        let directory = self.directory(env)?;
        let commented = directory.join("opencode.jsonc");
        if self == AgentClient::Opencode && commented.exists() {
            return Ok(commented);
        }
        Ok(directory.join(self.traits().servers))
    }

    /// Whether its program or its settings are on this machine.
    pub(crate) fn is_on_this_machine(self, env: &Environment) -> bool {
        env.program_on_path(self.traits().program).is_some()
            || self.directory(env).is_ok_and(|it| it.exists())
            || self.servers_file(env).is_ok_and(|it| it.exists())
    }

    /// The agents on this machine: those that can ask, and the rest.
    pub(crate) fn local(env: &Environment) -> LocalAgents {
        let agents = AgentClient::ALL.into_iter();
        let found = agents.filter(|agent| agent.is_on_this_machine(env));
        let can_ask = |agent: &AgentClient| {
            check::connection(*agent, env).is_some() && check::forbidden_tool(*agent, env).is_none()
        };
        let (ready, rest): (Vec<_>, Vec<_>) = found.partition(can_ask);
        let names = |agents: Vec<AgentClient>| agents.into_iter().map(|it| it.name().to_owned());
        LocalAgents {
            ready: names(ready).collect(),
            rest: names(rest).collect(),
        }
    }

    /// Where it was looked for.
    pub(crate) fn traces(self, env: &Environment) -> anyhow::Result<String> {
        let directory = self.directory(env)?;
        let program = self.traits().program;
        Ok(format!(
            "there is no program `{program}` on PATH, and no {}",
            directory.display()
        ))
    }

    /// Every setting that askback may write for this agent.
    pub(crate) fn parts(self, env: &Environment) -> anyhow::Result<Vec<Part>> {
        let (traits, directory) = (self.traits(), self.directory(env)?);
        let servers = self.servers_file(env)?;
        let rules = [(Purpose::AskTools, None, traits.entry)].into_iter();
        let parts = rules
            .chain(traits.rules)
            .map(|(purpose, file, setting)| Part {
                purpose,
                file: file.map_or_else(|| servers.clone(), |name| directory.join(name)),
                setting,
            });
        Ok(parts.collect())
    }
}

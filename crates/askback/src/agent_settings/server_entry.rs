//! The entry for askback in an agent's list of MCP servers.

use askback_mcp::{PROJECT_HEADER, RECIPIENT_HEADER};
use askback_wire::duration::HumanDuration;
use serde_json::{Value, json};

use super::setting::Setting;
use super::{AgentClient, SERVER_NAME};

/// The tool time-out for agents whose default is short. A call returns shortly before it.
const TOOL_TIMEOUT_SECONDS: u64 = 3_600;
/// How much earlier than the agent's time-out a call returns.
const MARGIN_SECONDS: u64 = 10;
/// The default of goose, which requires the field.
const GOOSE_TIMEOUT_SECONDS: u64 = 300;
const DESCRIPTION: &str = "Asks the user questions";
/// Without it, Qwen Code shows the tools to the model only if it searches for them.
const ALWAYS_LOAD: (&str, Value) = ("alwaysLoadTools", Value::Bool(true));

/// How an agent reaches askback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum McpServer {
    /// The agent starts `askback mcp`.
    Stdio {
        /// The program and its first arguments, without `mcp`.
        launcher: Vec<String>,
        args: Vec<String>,
        /// How long a call waits. None for the best that the agent can do.
        hold: Option<HumanDuration>,
    },
    /// The agent connects to a running server.
    Http {
        url: String,
        token: String,
        /// The alias of the person or group whom the agent asks.
        recipient: Option<String>,
        /// The command line of Claude Code's helper for headers.
        headers_helper: Option<String>,
    },
}

/// Whether the agent may call the ask tools without asking for permission first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolPermission {
    Granted,
    Unchanged,
}

impl AgentClient {
    /// The entry alone: a JSON object, a TOML table, or YAML lines.
    pub(crate) fn entry(self, server: &McpServer, permission: ToolPermission) -> String {
        let mut fields = match server {
            McpServer::Stdio {
                launcher,
                args,
                hold,
            } => self.stdio_fields(launcher, args, *hold),
            McpServer::Http {
                url,
                token,
                recipient,
                headers_helper,
            } => {
                let mut headers = json!({ "Authorization": format!("Bearer {token}") });
                if let Some(alias) = recipient {
                    headers[RECIPIENT_HEADER] = json!(alias);
                }
                let mut fields = self.http_fields(url, headers);
                fields.extend(headers_helper.iter().map(|it| ("headersHelper", json!(it))));
                fields
            }
        };
        if permission == ToolPermission::Granted {
            fields.extend(self.traits().permission_field);
        }
        match self.traits().entry {
            Setting::TomlTable(_) => {
                let lines = fields
                    .iter()
                    .map(|(key, value)| format!("{key} = {}\n", toml_value(value)));
                let lines: Vec<String> = lines.collect();
                format!("[mcp_servers.{SERVER_NAME}]\n{}", lines.concat())
            }
            Setting::YamlEntry(_) => {
                let lines = fields
                    .iter()
                    .map(|(key, value)| format!("{key}: {value}\n"));
                lines.collect::<Vec<String>>().concat()
            }
            Setting::JsonMember(_)
            | Setting::JsonItem(..)
            | Setting::ClaudeHook
            | Setting::Lines(_) => {
                let object: serde_json::Map<String, Value> = fields
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value))
                    .collect();
                format!("{:#}", Value::Object(object))
            }
        }
    }

    pub(crate) fn entry_has_permission(self) -> bool {
        self.traits().permission_field.is_some()
    }

    fn stdio_fields(
        self,
        launcher: &[String],
        mcp_args: &[String],
        hold: Option<HumanDuration>,
    ) -> Vec<(&'static str, Value)> {
        let timeout = match hold {
            Some(hold) => hold.std_duration().as_secs() + MARGIN_SECONDS,
            None => TOOL_TIMEOUT_SECONDS,
        };
        let mut args = [launcher, &["mcp".to_owned()], mcp_args].concat();
        let program = args.remove(0);
        if hold.is_some() || self.traits().has_short_timeout {
            args.extend([
                "--hold".to_owned(),
                format!("{}s", timeout - MARGIN_SECONDS),
            ]);
        }
        let (first, last) = match self {
            AgentClient::Opencode => {
                args.insert(0, program);
                return vec![
                    ("type", json!("local")),
                    ("command", json!(args)),
                    ("enabled", json!(true)),
                ];
            }
            AgentClient::Goose => {
                return vec![
                    ("enabled", json!(true)),
                    ("type", json!("stdio")),
                    ("name", json!(SERVER_NAME)),
                    ("description", json!(DESCRIPTION)),
                    ("cmd", json!(program)),
                    ("args", json!(args)),
                    ("timeout", json!(GOOSE_TIMEOUT_SECONDS)),
                ];
            }
            AgentClient::ClaudeCode => (vec![("type", json!("stdio"))], vec![]),
            AgentClient::Copilot => (
                vec![("type", json!("local"))],
                vec![("tools", json!(["*"]))],
            ),
            AgentClient::Continue => (vec![("name", json!(SERVER_NAME))], vec![]),
            AgentClient::Codex => (vec![], vec![("tool_timeout_sec", json!(timeout))]),
            AgentClient::Kimi => (vec![], vec![("toolTimeoutMs", json!(timeout * 1_000))]),
            AgentClient::Cline => (
                vec![],
                vec![("timeout", json!(timeout)), ("disabled", json!(false))],
            ),
            AgentClient::Qwen => (vec![], vec![ALWAYS_LOAD]),
            AgentClient::Gemini => (vec![], vec![]),
        };
        let command = vec![("command", json!(program)), ("args", json!(args))];
        [first, command, last].concat()
    }

    fn http_fields(self, url: &str, mut headers: Value) -> Vec<(&'static str, Value)> {
        if self == AgentClient::Copilot {
            // It has no sessions over HTTP, and replaces variables in headers.
            headers[PROJECT_HEADER] = json!("${PWD:-}");
        }
        match self {
            AgentClient::ClaudeCode => vec![
                ("type", json!("http")),
                ("url", json!(url)),
                ("headers", headers),
            ],
            AgentClient::Codex => vec![("url", json!(url)), ("http_headers", headers)],
            AgentClient::Gemini => vec![("httpUrl", json!(url)), ("headers", headers)],
            AgentClient::Qwen => vec![("httpUrl", json!(url)), ("headers", headers), ALWAYS_LOAD],
            AgentClient::Opencode => vec![
                ("type", json!("remote")),
                ("url", json!(url)),
                ("headers", headers),
                ("enabled", json!(true)),
            ],
            AgentClient::Copilot => vec![
                ("type", json!("http")),
                ("url", json!(url)),
                ("headers", headers),
                ("tools", json!(["*"])),
            ],
            AgentClient::Kimi => vec![("url", json!(url)), ("headers", headers)],
            AgentClient::Cline => vec![
                ("type", json!("streamableHttp")),
                ("url", json!(url)),
                ("headers", headers),
                ("disabled", json!(false)),
            ],
            AgentClient::Goose => vec![
                ("enabled", json!(true)),
                ("type", json!("streamable_http")),
                ("name", json!(SERVER_NAME)),
                ("description", json!(DESCRIPTION)),
                ("uri", json!(url)),
                ("headers", headers),
                ("timeout", json!(GOOSE_TIMEOUT_SECONDS)),
            ],
            AgentClient::Continue => vec![
                ("name", json!(SERVER_NAME)),
                ("type", json!("streamable-http")),
                ("url", json!(url)),
                ("requestOptions", json!({ "headers": headers })),
            ],
        }
    }
}

/// A JSON string, number or list is also valid TOML; an object is not.
fn toml_value(value: &Value) -> String {
    let Value::Object(fields) = value else {
        return value.to_string();
    };
    let fields: Vec<String> = fields
        .iter()
        .map(|(key, value)| format!("{key} = {}", toml_value(value)))
        .collect();
    format!("{{ {} }}", fields.join(", "))
}

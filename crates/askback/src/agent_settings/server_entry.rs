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

/// How an agent writes the entry of a server.
pub(super) struct EntryShape {
    /// The `type` of a server that the agent starts, if it says so.
    pub(super) stdio_type: Option<&'static str>,
    /// The `type` of a server that it connects to.
    pub(super) http_type: Option<&'static str>,
    /// What stands in every entry.
    pub(super) always: Vec<(&'static str, Value)>,
    pub(super) command: CommandShape,
    pub(super) url: &'static str,
    /// The path of the headers.
    pub(super) headers: &'static [&'static str],
    /// The field with the time after which a call ends, and how many units of it a second has. None if calls may be
    /// long anyway.
    pub(super) timeout: Option<(&'static str, u64)>,
}

/// How an agent writes a command.
pub(super) enum CommandShape {
    /// The program in this field, and its arguments in `args`.
    Program(&'static str),
    /// The program and its arguments in `command`.
    Words,
}

impl Default for EntryShape {
    fn default() -> EntryShape {
        EntryShape {
            stdio_type: None,
            http_type: None,
            always: Vec::new(),
            command: CommandShape::Program("command"),
            url: "url",
            headers: &["headers"],
            timeout: None,
        }
    }
}

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
        let mut fields = self.fields(server);
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

    fn fields(self, server: &McpServer) -> Vec<(&'static str, Value)> {
        let shape = self.traits().entry_shape;
        let mut fields = Vec::new();
        match server {
            McpServer::Stdio {
                launcher,
                args,
                hold,
            } => {
                fields.extend(shape.stdio_type.map(|it| ("type", json!(it))));
                fields.extend(shape.always);
                let timeout = match hold {
                    Some(hold) => hold.std_duration().as_secs() + MARGIN_SECONDS,
                    None => TOOL_TIMEOUT_SECONDS,
                };
                let mut words = [launcher.as_slice(), &["mcp".to_owned()], args].concat();
                if hold.is_some() || shape.timeout.is_some() {
                    let hold = format!("{}s", timeout - MARGIN_SECONDS);
                    words.extend(["--hold".to_owned(), hold]);
                }
                fields.extend(match shape.command {
                    CommandShape::Program(field) => {
                        let program = words.remove(0);
                        vec![(field, json!(program)), ("args", json!(words))]
                    }
                    CommandShape::Words => vec![("command", json!(words))],
                });
                let units = |(field, units)| (field, json!(timeout * units));
                fields.extend(shape.timeout.map(units));
            }
            McpServer::Http {
                url,
                token,
                recipient,
                headers_helper,
            } => {
                fields.extend(shape.http_type.map(|it| ("type", json!(it))));
                fields.extend(shape.always);
                fields.push((shape.url, json!(url)));
                let mut headers = json!({ "Authorization": format!("Bearer {token}") });
                if let Some(alias) = recipient {
                    headers[RECIPIENT_HEADER] = json!(alias);
                }
                if self == AgentClient::Copilot {
                    // It has no sessions over HTTP, and replaces variables in headers.
                    headers[PROJECT_HEADER] = json!("${PWD:-}");
                }
                if let [outer, inner @ ..] = shape.headers {
                    let nested = |value, key: &&str| json!({ *key: value });
                    fields.push((outer, inner.iter().rev().fold(headers, nested)));
                }
                fields.extend(headers_helper.iter().map(|it| ("headersHelper", json!(it))));
            }
        }
        fields
    }

    /// Every field that askback may write into its entry.
    pub(super) fn entry_fields(self) -> Vec<&'static str> {
        let traits = self.traits();
        let shape = traits.entry_shape;
        let program = match shape.command {
            CommandShape::Program(field) => field,
            CommandShape::Words => "command",
        };
        let mut fields = vec!["type", program, "args", shape.url, "headersHelper"];
        fields.extend(shape.always.into_iter().map(|(field, _)| field));
        fields.extend(shape.headers.first());
        fields.extend(shape.timeout.map(|(field, _)| field));
        fields.extend(traits.permission_field.map(|(field, _)| field));
        fields
    }

    pub(crate) fn entry_has_permission(self) -> bool {
        self.traits().permission_field.is_some()
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

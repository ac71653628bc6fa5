//! The tools of MCP servers, for the built-in agent.
//!
//! Each server in the configuration gets a task that keeps a connection to it: it connects, lists the
//! tools, and connects again when the server dies. A call to a server that is not connected, or that
//! dies in the middle, returns an error result. It is not repeated, since it may have had effects.
//!
//! What a server asks the user during a call (an elicitation) becomes a question of the conversation.
//!
//! Deliberately absent: sampling, roots and resources. The client does not advertise them.

mod call;
mod connection;
mod elicitation;
mod http_client;
mod limited_lines;
mod naming;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::event::CallResult;
use askback_engine::ports::{PortFuture, ToolDefinition, ToolReturn, ToolRun, Tools};
use rmcp::model::CallToolResult;
use serde_json::Value;
use tokio::task::JoinHandle;

use call::run_tool;
use connection::Connection;

/// How long [`McpTools::first_attempts`] waits. Slower servers connect in the background.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a call may take, without the time in which it waits for the user.
const CALL_TIMEOUT: Duration = Duration::from_mins(10);

/// Most bytes of a tool result. Models take less, and the conversation stores it.
const RESULT_BYTES_MAX: usize = 1 << 20;

/// How to reach an MCP server. It has no `Debug`, since it may contain secrets.
#[derive(Clone, PartialEq, Eq)]
pub enum McpServerAddress {
    /// A program that speaks MCP on standard input and output.
    Command {
        /// Found in `PATH` if it is not a path.
        command: String,
        /// Passed as they are, without a shell.
        args: Vec<String>,
        /// Added to the environment of askback.
        env: BTreeMap<String, String>,
    },
    /// Streamable HTTP.
    Url {
        /// The MCP endpoint.
        url: String,
        /// Sent as a bearer token.
        token: Option<String>,
    },
}

/// The tools of all configured MCP servers. Dropping it ends the connections and the programs.
pub struct McpTools {
    servers: Vec<McpServer>,
    runs_here: bool,
}

struct McpServer {
    connection: Arc<Connection>,
    task: JoinHandle<()>,
}

impl Drop for McpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl McpTools {
    /// Starts to connect to the servers, by name. A server that fails is tried again.
    pub fn start(servers: BTreeMap<String, McpServerAddress>) -> McpTools {
        let start = |(name, address)| {
            let connection = Arc::new(Connection::new(name, address));
            let task = tokio::spawn(Arc::clone(&connection).keep_connected());
            McpServer { connection, task }
        };
        McpTools {
            servers: servers.into_iter().map(start).collect(),
            runs_here: true,
        }
    }

    /// For a server that leaves tools to another one.
    pub fn elsewhere() -> McpTools {
        McpTools {
            servers: Vec::new(),
            runs_here: false,
        }
    }

    /// Waits until each server has connected or failed once, but not for long.
    pub async fn first_attempts(&self) {
        let attempts = async {
            for server in &self.servers {
                server.connection.first_attempt().await;
            }
        };
        if tokio::time::timeout(START_TIMEOUT, attempts).await.is_err() {
            tracing::warn!("an MCP server is slow to start; its tools come later");
        }
    }
}

impl Tools for McpTools {
    /// If two servers have a tool with the same name, the earlier one is used.
    fn definitions(&self) -> Vec<ToolDefinition> {
        let mut all: Vec<ToolDefinition> = Vec::new();
        let servers = self.servers.iter();
        for tool in servers.flat_map(|server| server.connection.definitions()) {
            if all.iter().all(|earlier| earlier.name != tool.name) {
                all.push(tool);
            }
        }
        all
    }

    fn runs_here(&self) -> bool {
        self.runs_here
    }

    fn run(&self, call: ToolRun) -> PortFuture<'_, ToolReturn> {
        Box::pin(async move {
            self.first_attempts().await;
            let mut servers = self.servers.iter().map(|server| &server.connection);
            let found = servers.find_map(|server| Some((server, server.tool_name(&call.name)?)));
            match found {
                Some((server, tool)) => run_tool(server, tool, call).await,
                None => unknown_tool(&call.name, &self.definitions()).into(),
            }
        })
    }
}

/// The result of a call to a tool that does not exist.
fn unknown_tool(name: &str, available: &[ToolDefinition]) -> CallResult {
    let names: Vec<&str> = available.iter().map(|tool| tool.name.as_str()).collect();
    let available = if names.is_empty() {
        "Only the tools for asking the user are available.".to_owned()
    } else {
        format!("Available tools: {}.", names.join(", "))
    };
    CallResult::error(format!("There is no tool called \"{name}\". {available}"))
}

/// The text of a result, or its structured content if it has no text.
fn to_call_result(result: &CallToolResult) -> CallResult {
    let texts = result.content.iter().map(|block| match block.as_text() {
        Some(text) => text.text.clone(),
        None => "[content that is not text]".to_owned(),
    });
    let texts: Vec<String> = texts.collect();
    let structured = result.structured_content.as_ref().map(Value::to_string);
    let content = match structured {
        Some(structured) if texts.is_empty() => structured,
        _ => texts.join("\n"),
    };
    if content.len() > RESULT_BYTES_MAX {
        return CallResult::error(format!(
            "The tool ran, but its result has {} bytes, and at most {RESULT_BYTES_MAX} are passed on. \
             Ask for less at a time.",
            content.len()
        ));
    }
    CallResult {
        content,
        is_error: result.is_error == Some(true),
    }
}

#[cfg(test)]
#[path = "mcp_tools_tests.rs"]
mod tests;

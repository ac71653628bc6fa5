//! The tools of MCP servers, for the built-in agent.
//!
//! Each server in the configuration gets a task that keeps a connection to it: it connects, lists the
//! tools, and connects again when the server dies. A call to a server that is not connected, or that
//! dies in the middle, returns an error result. It is not repeated, since it may have had effects.
//!
//! Deliberately absent: elicitation, sampling and resources. The client advertises no capability.

mod connection;
mod http_client;
mod limited_lines;
mod naming;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askback_core::conversation::event::CallResult;
use askback_engine::ports::{PortFuture, ToolDefinition, ToolRun, Tools};
use rmcp::model::{CallToolRequestParams, CallToolResult};
use serde_json::{Map, Value};
use tokio::task::JoinHandle;

use connection::Connection;
use http_client::RESPONSE_BYTES_MAX;

/// How long [`McpTools::first_attempts`] waits. Slower servers connect in the background.
const START_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a call may take.
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
    fn definitions(&self) -> Vec<ToolDefinition> {
        let servers = self.servers.iter();
        servers
            .flat_map(|server| server.connection.definitions())
            .collect()
    }

    fn run(&self, call: ToolRun) -> PortFuture<'_, CallResult> {
        Box::pin(async move {
            let mut servers = self.servers.iter().map(|server| &server.connection);
            let found = servers.find_map(|server| Some((server, server.tool_name(&call.name)?)));
            match found {
                Some((server, tool)) => run_tool(server, tool, call.input).await,
                None => CallResult::error(format!("There is no tool called \"{}\".", call.name)),
            }
        })
    }
}

async fn run_tool(server: &Connection, tool: String, input: Value) -> CallResult {
    let name = server.name();
    let peer = match server.peer() {
        Ok(peer) => peer,
        Err(reason) => {
            return CallResult::error(format!(
                "The MCP server \"{name}\" is not connected ({reason}), so nothing was done. Try \
                 again later, or go on without it."
            ));
        }
    };
    let arguments = match input {
        Value::Object(arguments) => arguments,
        Value::Null => Map::new(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            return CallResult::error("The input must be a JSON object.".to_owned());
        }
    };
    let params = CallToolRequestParams::new(tool).with_arguments(arguments);
    match tokio::time::timeout(CALL_TIMEOUT, peer.call_tool(params)).await {
        Ok(Ok(result)) => to_call_result(&result),
        Ok(Err(rmcp::ServiceError::McpError(error))) => {
            CallResult::error(error.message.to_string())
        }
        Ok(Err(_)) if server.sent_too_much() => CallResult::error(format!(
            "The MCP server \"{name}\" replied with more than {RESPONSE_BYTES_MAX} bytes, so the \
             connection to it was closed. The call may or may not have been carried out. Ask for less at \
             a time."
        )),
        Ok(Err(error)) => CallResult::error(format!(
            "The connection to the MCP server \"{name}\" failed ({error}). The call may or may not \
             have been carried out."
        )),
        Err(_) => CallResult::error(format!(
            "The MCP server \"{name}\" did not reply within {} minutes. The call may or may not have \
             been carried out.",
            CALL_TIMEOUT.as_secs() / 60
        )),
    }
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

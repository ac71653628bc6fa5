//! The options of an MCP server.

use std::time::Duration;

use askback_core::dialect::Dialect;

/// The options of an MCP server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpOptions {
    /// The ask tools that the model sees.
    pub dialects: Vec<Dialect>,
    /// Overrides how long a call waits for an answer. By default that depends on the client.
    pub hold: Option<Duration>,
    /// What the agent works on, usually a directory. People see its last part.
    pub project: Option<String>,
}

impl Default for McpOptions {
    fn default() -> McpOptions {
        McpOptions {
            dialects: vec![Dialect::AskUserQuestion],
            hold: None,
            project: None,
        }
    }
}

//! What an MCP server is run with.

use std::time::Duration;

use askback_core::dialect::Dialect;

/// What an MCP server is run with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The ask tools that the model sees.
    pub dialects: Vec<Dialect>,
    /// How long a call waits for an answer, instead of what is known of the client.
    pub hold: Option<Duration>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            dialects: vec![Dialect::AskUserQuestion],
            hold: None,
        }
    }
}

//! How long a call may wait for an answer before its client gives it up.
//!
//! Measured with the real clients: a window ends ten seconds before the client would. A client that
//! counts from the last progress notification waits for as long as they come. A client that is not in
//! the table gets less than the sixty seconds that are the default of most libraries.

use std::time::Duration;

/// How an agent is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connection {
    /// Standard input and output.
    Stdio,
    /// Streamable HTTP.
    Http,
}

/// How long a call may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hold {
    /// For so long at most; none for a client that never gives up.
    pub(crate) window: Option<Duration>,
    /// Whether progress notifications are sent: only where the client asked for them.
    pub(crate) progress: bool,
}

/// What is known of one client.
struct Row {
    name: &'static str,
    /// Only over this connection; both if none.
    connection: Option<Connection>,
    /// Without progress notifications.
    silent: Limit,
    /// With them.
    progress: Limit,
}

#[derive(Clone, Copy)]
enum Limit {
    Seconds(u64),
    None,
}

use Limit::Seconds;

const UNKNOWN: Limit = Seconds(50);

const TABLE: &[Row] = &[
    row("@cline/core", None, Seconds(50), Seconds(50)),
    row(
        "claude-code",
        Some(Connection::Stdio),
        Limit::None,
        Limit::None,
    ),
    row(
        "claude-code",
        Some(Connection::Http),
        Seconds(290),
        Limit::None,
    ),
    row("codex-mcp-client", None, Seconds(290), Seconds(290)),
    row("continue-cli-client", None, Seconds(50), Seconds(50)),
    row("copilot-cli", None, Seconds(170), Limit::None),
    row("gemini-cli-mcp-client", None, Seconds(590), Seconds(590)),
    row("goose-cli", None, Seconds(290), Seconds(290)),
    row("kimi-code", None, Seconds(50), Seconds(50)),
    row("opencode", None, Seconds(50), Limit::None),
    row("qwen-cli-mcp-client", None, Seconds(290), Seconds(590)),
];

const fn row(
    name: &'static str,
    connection: Option<Connection>,
    silent: Limit,
    progress: Limit,
) -> Row {
    Row {
        name,
        connection,
        silent,
        progress,
    }
}

impl Hold {
    /// How long a call of this client waits. `token`: it asked for progress notifications.
    pub(crate) fn of(
        client: &str,
        connection: Connection,
        token: bool,
        configured: Option<Duration>,
    ) -> Hold {
        let fits =
            |row: &&Row| row.name == client && row.connection.is_none_or(|only| only == connection);
        let limit = match TABLE.iter().find(fits) {
            Some(row) if token => row.progress,
            Some(row) => row.silent,
            None => UNKNOWN,
        };
        let window = match limit {
            Seconds(seconds) => Some(Duration::from_secs(seconds)),
            Limit::None => None,
        };
        Hold {
            window: configured.or(window),
            progress: token,
        }
    }
}

#[cfg(test)]
#[path = "hold_tests.rs"]
mod tests;

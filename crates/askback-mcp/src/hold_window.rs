//! How long a call may wait for an answer before its client times out.
//!
//! The limits were measured with the real clients, less ten seconds. Some clients restart their timer
//! with each progress notification and so wait without limit. A client that is not in the table gets
//! less than 60 seconds, the default timeout of most libraries.

use std::time::Duration;

use rmcp::model::ProgressToken;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransportKind {
    Stdio,
    /// Streamable HTTP.
    Http,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HoldWindow {
    /// `None` for a client that never times out.
    pub(crate) limit: Option<Duration>,
}

struct ClientLimits {
    name: &'static str,
    /// `None` if the limits are the same over both.
    transport: Option<TransportKind>,
    without_progress: Limit,
    with_progress: Limit,
}

#[derive(Clone, Copy)]
enum Limit {
    Seconds(u64),
    None,
}

use Limit::Seconds;

const UNKNOWN: Limit = Seconds(50);

const CLIENTS: &[ClientLimits] = &[
    row("@cline/core", None, Seconds(50), Seconds(50)),
    row(
        "claude-code",
        Some(TransportKind::Stdio),
        Limit::None,
        Limit::None,
    ),
    row(
        "claude-code",
        Some(TransportKind::Http),
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
    transport: Option<TransportKind>,
    without_progress: Limit,
    with_progress: Limit,
) -> ClientLimits {
    ClientLimits {
        name,
        transport,
        without_progress,
        with_progress,
    }
}

impl HoldWindow {
    /// The window of a call. A client that sent a progress token gets progress notifications.
    pub(crate) fn for_client(
        client: &str,
        transport: TransportKind,
        progress_token: Option<&ProgressToken>,
    ) -> HoldWindow {
        let matches = |row: &&ClientLimits| {
            row.name == client && row.transport.is_none_or(|only| only == transport)
        };
        let limit = match CLIENTS.iter().find(matches) {
            Some(row) if progress_token.is_some() => row.with_progress,
            Some(row) => row.without_progress,
            None => UNKNOWN,
        };
        let limit = match limit {
            Seconds(seconds) => Some(Duration::from_secs(seconds)),
            Limit::None => None,
        };
        HoldWindow { limit }
    }
}

#[cfg(test)]
#[path = "hold_window_tests.rs"]
mod tests;

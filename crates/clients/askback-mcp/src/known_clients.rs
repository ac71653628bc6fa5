//! What is known of each client, by the name with which it introduces itself. All of it was tried with the real
//! client.
//!
//! The limits are what was measured, less ten seconds. Some clients restart their timer with each progress
//! notification and so wait without limit. A client that is not in the table gets less than 60 seconds, the default
//! timeout of most libraries.

use std::time::Duration;

use rmcp::model::ProgressToken;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransportKind {
    Stdio,
    /// Streamable HTTP.
    Http,
}

/// How long a call may wait for an answer before its client times out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HoldWindow {
    /// `None` for a client that never times out.
    pub(crate) limit: Option<Duration>,
}

/// A client program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KnownClient {
    name: &'static str,
    limits: Limits,
    /// If they differ over HTTP.
    http_limits: Option<Limits>,
    /// Whether it cancels a call that the person interrupts. Otherwise the answer is written to a call that nobody
    /// reads.
    pub(crate) cancels_calls: bool,
    /// What the model sees before the name of a tool if the server is called `askback`, as `askback install` calls
    /// it. Empty if not known.
    pub(crate) tool_prefix: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limits {
    silent: Limit,
    with_progress: Limit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    Seconds(u64),
    None,
}

use Limit::Seconds;

const UNKNOWN: KnownClient = KnownClient {
    name: "",
    limits: limits(Seconds(50), Seconds(50)),
    http_limits: None,
    cancels_calls: true,
    tool_prefix: "",
};

const CLIENTS: &[KnownClient] = &[
    KnownClient {
        name: "@cline/core",
        cancels_calls: false,
        tool_prefix: "askback__",
        ..UNKNOWN
    },
    KnownClient {
        name: "claude-code",
        limits: limits(Limit::None, Limit::None),
        http_limits: Some(limits(Seconds(290), Limit::None)),
        tool_prefix: "mcp__askback__",
        ..UNKNOWN
    },
    KnownClient {
        name: "codex-mcp-client",
        limits: limits(Seconds(290), Seconds(290)),
        ..UNKNOWN
    },
    KnownClient {
        name: "continue-cli-client",
        ..UNKNOWN
    },
    KnownClient {
        name: "copilot-cli",
        limits: limits(Seconds(170), Limit::None),
        ..UNKNOWN
    },
    KnownClient {
        name: "gemini-cli-mcp-client",
        limits: limits(Seconds(590), Seconds(590)),
        cancels_calls: false,
        ..UNKNOWN
    },
    KnownClient {
        name: "goose-cli",
        limits: limits(Seconds(290), Seconds(290)),
        ..UNKNOWN
    },
    KnownClient {
        name: "kimi-code",
        tool_prefix: "mcp__askback__",
        ..UNKNOWN
    },
    KnownClient {
        name: "opencode",
        limits: limits(Seconds(50), Limit::None),
        tool_prefix: "askback_",
        ..UNKNOWN
    },
    KnownClient {
        name: "qwen-cli-mcp-client",
        limits: limits(Seconds(290), Seconds(590)),
        tool_prefix: "mcp__askback__",
        ..UNKNOWN
    },
];

const fn limits(silent: Limit, with_progress: Limit) -> Limits {
    Limits {
        silent,
        with_progress,
    }
}

impl KnownClient {
    /// The client with the name of an [`Asker`](crate::session::asker::Asker).
    pub(crate) fn named(client: &str) -> &'static KnownClient {
        let known = CLIENTS.iter().find(|known| known.name == client);
        known.unwrap_or(&UNKNOWN)
    }

    /// The window of a call. A client that sent a progress token gets progress notifications.
    pub(crate) fn hold_window(
        &self,
        transport: TransportKind,
        progress_token: Option<&ProgressToken>,
    ) -> HoldWindow {
        let limits = match (transport, self.http_limits) {
            (TransportKind::Http, Some(limits)) => limits,
            (TransportKind::Stdio | TransportKind::Http, _) => self.limits,
        };
        let limit = match progress_token {
            Some(_) => limits.with_progress,
            None => limits.silent,
        };
        let limit = match limit {
            Seconds(seconds) => Some(Duration::from_secs(seconds)),
            Limit::None => None,
        };
        HoldWindow { limit }
    }
}

#[cfg(test)]
#[path = "known_clients_tests.rs"]
mod tests;

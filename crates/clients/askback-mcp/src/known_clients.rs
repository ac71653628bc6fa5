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

/// A client program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KnownClient {
    name: &'static str,
    /// The name that people know.
    pub(crate) title: Option<&'static str>,
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

/// How many seconds a call may wait for an answer before its client times out. `None` for a client that never does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limits {
    silent: Option<u64>,
    with_progress: Option<u64>,
}

const UNKNOWN: KnownClient = KnownClient {
    name: "",
    title: None,
    limits: limits(Some(50), Some(50)),
    http_limits: None,
    cancels_calls: true,
    tool_prefix: "",
};

const CLIENTS: &[KnownClient] = &[
    KnownClient {
        name: "@cline/core",
        title: Some("Cline"),
        cancels_calls: false,
        tool_prefix: "askback__",
        ..UNKNOWN
    },
    KnownClient {
        name: "claude-code",
        title: Some("Claude Code"),
        limits: limits(None, None),
        http_limits: Some(limits(Some(290), None)),
        tool_prefix: "mcp__askback__",
        ..UNKNOWN
    },
    KnownClient {
        name: "codex-mcp-client",
        title: Some("Codex"),
        limits: limits(Some(290), Some(290)),
        ..UNKNOWN
    },
    KnownClient {
        name: "continue-cli-client",
        title: Some("Continue"),
        ..UNKNOWN
    },
    KnownClient {
        name: "copilot-cli",
        title: Some("Copilot CLI"),
        limits: limits(Some(170), None),
        ..UNKNOWN
    },
    KnownClient {
        name: "gemini-cli-mcp-client",
        title: Some("Gemini CLI"),
        limits: limits(Some(590), Some(590)),
        cancels_calls: false,
        ..UNKNOWN
    },
    KnownClient {
        name: "goose-cli",
        title: Some("goose"),
        limits: limits(Some(290), Some(290)),
        ..UNKNOWN
    },
    KnownClient {
        name: "kimi-code",
        title: Some("Kimi Code"),
        tool_prefix: "mcp__askback__",
        ..UNKNOWN
    },
    KnownClient {
        name: "opencode",
        title: Some("opencode"),
        limits: limits(Some(50), None),
        tool_prefix: "askback_",
        ..UNKNOWN
    },
    KnownClient {
        name: "qwen-cli-mcp-client",
        title: Some("Qwen Code"),
        limits: limits(Some(290), Some(590)),
        tool_prefix: "mcp__askback__",
        ..UNKNOWN
    },
];

const fn limits(silent: Option<u64>, with_progress: Option<u64>) -> Limits {
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

    /// How long a call may wait. A client that sent a progress token gets progress notifications.
    pub(crate) fn wait_limit(
        &self,
        transport: TransportKind,
        progress_token: Option<&ProgressToken>,
    ) -> Option<Duration> {
        let limits = match (transport, self.http_limits) {
            (TransportKind::Http, Some(limits)) => limits,
            (TransportKind::Stdio | TransportKind::Http, _) => self.limits,
        };
        let seconds = match progress_token {
            Some(_) => limits.with_progress,
            None => limits.silent,
        };
        seconds.map(Duration::from_secs)
    }
}

#[cfg(test)]
#[path = "known_clients_tests.rs"]
mod tests;

//! Who asks: the client program, what it works on, and its session.

use std::path::Path;

use askback_wire::asker::{AskerParams, AskerResponse};
use rmcp::model::Implementation;

use crate::presence::Presence;

/// Where an agent works, as far as the connection tells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// What it works on: usually a directory.
    pub project: Option<String>,
}

/// The agent of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Agent {
    /// As it calls itself: `claude-code`.
    pub(crate) client: String,
    /// As people call it: `Claude Code`.
    pub(crate) title: String,
    pub(crate) project: Option<String>,
    pub(crate) session: String,
}

/// Names that people know better than what the programs call themselves.
const TITLES: &[(&str, &str)] = &[
    ("@cline/core", "Cline"),
    ("claude-code", "Claude Code"),
    ("codex-mcp-client", "Codex"),
    ("continue-cli-client", "Continue"),
    ("copilot-cli", "Copilot CLI"),
    ("gemini-cli-mcp-client", "Gemini CLI"),
    ("goose-cli", "goose"),
    ("kimi-code", "Kimi Code"),
    ("opencode", "opencode"),
    ("qwen-cli-mcp-client", "Qwen Code"),
];

/// Characters of a client's name that are kept.
const CLIENT_CHARS_MAX: usize = 100;

/// What the programs of a family call themselves: Qwen Code adds the name of the MCP server.
fn family(name: &str) -> &str {
    const QWEN: &str = "qwen-cli-mcp-client";
    if name.starts_with(QWEN) { QWEN } else { name }
}

impl Agent {
    /// The agent that a request comes from.
    pub(crate) fn new(info: Option<&Implementation>, place: &Place, presence: &Presence) -> Agent {
        let name = info.map_or("", |info| info.name.trim());
        let name = if name.is_empty() { "unknown" } else { name };
        let client: String = family(name).chars().take(CLIENT_CHARS_MAX).collect();
        let known = TITLES.iter().find(|(known, _)| *known == client);
        let title = match known {
            Some((_, title)) => (*title).to_owned(),
            None => info
                .and_then(|info| info.title.clone())
                .filter(|title| !title.trim().is_empty())
                .unwrap_or_else(|| client.clone()),
        };
        Agent {
            client,
            title,
            project: place.project.clone(),
            session: presence.session().to_owned(),
        }
    }

    /// Who asks, in words: "Claude Code in webshop".
    pub(crate) fn source(&self) -> String {
        let project = self.project.as_deref().map(Path::new);
        let name = project
            .and_then(Path::file_name)
            .and_then(|name| name.to_str());
        match name {
            Some(name) => format!("{} in {name}", self.title),
            None => self.title.clone(),
        }
    }

    /// How the agent names itself when it asks.
    pub(crate) fn asker(&self, earlier_sessions: Vec<String>) -> AskerParams {
        AskerParams {
            client: self.client.clone(),
            project: self.project.clone(),
            session: self.session.clone(),
            earlier_sessions,
        }
    }

    /// Whether this agent asked it, or continues the session that did.
    pub(crate) fn continues(&self, asker: &AskerResponse, presence: &Presence) -> bool {
        asker.client == self.client
            && asker.project == self.project
            && (asker.session == self.session || presence.is_over(&asker.session))
    }
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;

//! Who asks: the client program, its project and its session.

use std::path::Path;

use askback_core::text::{Lines, Text};
use askback_wire::asker::AskerParams;
use askback_wire::inquiry::InquiryResponse;
use askback_wire::limits;
use rmcp::model::Implementation;

use crate::known_clients::KnownClient;
use crate::session::{CallSession, SessionScope, is_stateless};

/// The agent that makes a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asker {
    /// Under which name it asks: that of its token, or the program's own, such as `claude-code`.
    pub(crate) client: Text,
    /// The name that people know, such as `Claude Code`.
    pub(crate) title: Text,
    pub(crate) project: Option<Text>,
    pub(crate) session: String,
    pub(crate) scope: SessionScope,
}

/// Qwen Code appends the name of the MCP server to its own.
fn without_suffix(name: &str) -> &str {
    const QWEN: &str = "qwen-cli-mcp-client";
    if name.starts_with(QWEN) { QWEN } else { name }
}

impl Asker {
    /// The agent that a request comes from. `info` is what its client says about itself, `token` the name of its token.
    pub(crate) fn new(
        info: Option<&Implementation>,
        project: Option<&str>,
        session: CallSession,
        token: Option<&Text>,
    ) -> Asker {
        let program = Asker::client_name(info);
        let title = match KnownClient::named(&program).title {
            Some(title) => Text::name(title),
            None => info.and_then(|info| Text::clean(info.title.as_deref()?, Lines::One)),
        };
        let title = title.map(|title| title.clip(limits::ASKER_CLIENT_CHARS_MAX));
        Asker {
            title: title.unwrap_or_else(|| program.clone()),
            client: token.cloned().unwrap_or(program),
            project: project.and_then(Text::name),
            session: session.name,
            scope: session.scope,
        }
    }

    /// The same agent, of whom people read the name of its token first, whatever it calls itself.
    pub(crate) fn shown_with_token(self) -> Asker {
        if self.title == self.client {
            return self;
        }
        let title = Text::clean(&format!("{}: {}", self.client, self.title), Lines::One);
        Asker {
            title: title.unwrap_or_else(|| self.client.clone()),
            ..self
        }
    }

    /// The program's own name.
    pub(crate) fn client_name(info: Option<&Implementation>) -> Text {
        let name = info.and_then(|info| Text::name(without_suffix(info.name.trim())));
        let name = name.unwrap_or_else(|| Text::name_or_mark("unknown"));
        name.clip(limits::ASKER_CLIENT_CHARS_MAX)
    }

    /// The source that people see with the question: "Claude Code in webshop".
    pub(crate) fn source(&self) -> String {
        let project = self.project.as_deref().map(Path::new);
        let name = project
            .and_then(Path::file_name)
            .and_then(|name| name.to_str());
        match name {
            Some(name) => format!("{} in {name}", self.title),
            None => self.title.to_string(),
        }
    }

    pub(crate) fn to_params(&self) -> AskerParams {
        AskerParams {
            client: self.client.to_string(),
            project: self.project.clone().map(String::from),
            session: self.session.clone(),
        }
    }

    /// Identifies the session among those of all agents: names that clients chose may be the same.
    pub(crate) fn session_key(&self) -> String {
        format!("{}\n{}", self.client, self.session)
    }

    /// Whether a question is this agent's: asked or taken over by its session. Without sessions, the same
    /// client in the same project is all that is known.
    pub(crate) fn owns(&self, inquiry: &InquiryResponse) -> bool {
        let Some(asker) = &inquiry.asker else {
            return false;
        };
        let same_session = match self.scope {
            SessionScope::Agent => *asker.session == self.session,
            SessionScope::Project | SessionScope::Call => is_stateless(&asker.session),
        };
        asker.client == self.client && asker.project == self.project && same_session
    }
}

#[cfg(test)]
#[path = "asker_tests.rs"]
mod tests;

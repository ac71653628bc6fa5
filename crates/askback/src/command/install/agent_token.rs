//! The token of an agent. It is made for this agent on this machine, so that the server's own stands in no agent's settings.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use askback_client::Client;
use askback_server::host_name;
use askback_wire::credential::{NewCredentialParams, ScopeName};
use askback_wire::token::Token;

use crate::agent_settings::AgentClient;
use crate::{private_text, runtime};

/// What every token that was made begins with, and how many hexadecimal digits follow.
const PREFIX: &str = "askback_";
const DIGITS: usize = 64;

/// What is shown in place of a token that does not exist yet.
pub(super) const PLACEHOLDER: &str = "TOKEN-OF-THIS-AGENT";

/// The token with which an agent will ask.
pub(super) enum AgentToken {
    /// The one that was offered may ask, and no more.
    Given(String),
    /// The agent has one already.
    Found(String),
    /// One that is still to be made.
    New {
        base_url: String,
        /// With which it can be made.
        offered: String,
        name: String,
    },
}

impl AgentToken {
    /// `offered` is the token that the user gave, or that of the data directory. The agent's own may be in `texts`.
    pub(super) fn find(
        agent: AgentClient,
        base_url: &str,
        offered: &str,
        texts: &[String],
    ) -> anyhow::Result<AgentToken> {
        match scope(base_url, offered) {
            Ok(ScopeName::Agent) => return Ok(AgentToken::Given(offered.to_owned())),
            Ok(ScopeName::Admin) => {}
            Ok(scope) => bail!("the token has the scope {scope}, which cannot ask questions"),
            Err(error) => {
                return Err(error).context(
                    "cannot make a token for the agent: the server must run, and the token must be its own, or one with the \
                     scope agent",
                );
            }
        }
        for known in texts.iter().flat_map(|text| tokens_in(text)) {
            if scope(base_url, &known).is_ok_and(|scope| scope == ScopeName::Agent) {
                return Ok(AgentToken::Found(known));
            }
        }
        Ok(AgentToken::New {
            base_url: base_url.to_owned(),
            offered: offered.to_owned(),
            name: name(agent),
        })
    }

    /// As it is shown before anything is written.
    pub(super) fn shown(&self) -> &str {
        match self {
            AgentToken::Given(token) | AgentToken::Found(token) => token,
            AgentToken::New { .. } => PLACEHOLDER,
        }
    }

    /// The token, made now if need be. One that was lost is replaced.
    pub(super) fn get(&self) -> anyhow::Result<String> {
        let (base_url, offered, name) = match self {
            AgentToken::Given(token) | AgentToken::Found(token) => return Ok(token.clone()),
            AgentToken::New {
                base_url,
                offered,
                name,
            } => (base_url, offered, name),
        };
        let client = Client::new(base_url, Some(Token::new(offered)))?;
        let params = NewCredentialParams {
            name: name.clone(),
            scope: ScopeName::Agent,
            person: None,
            expires_in: None,
        };
        runtime::block_on(async {
            let listed = client.tokens().await?;
            if listed.items.iter().any(|it| it.name == *name) {
                client.revoke_token(name).await?;
            }
            let made = client.create_token(&params).await;
            Ok::<_, anyhow::Error>(made.context("cannot make a token for the agent")?.token)
        })
    }
}

/// Under which name an agent of this machine asks.
pub(super) fn name(agent: AgentClient) -> String {
    format!("{}@{}", agent.name(), host_name())
}

fn scope(base_url: &str, token: &str) -> anyhow::Result<ScopeName> {
    let client = Client::new(base_url, Some(Token::new(token)))?;
    runtime::block_on(async { Ok(client.me().await?.scope) })
}

/// The tokens in the text of a settings file.
pub(super) fn tokens_in(text: &str) -> Vec<String> {
    let parts = text.split(PREFIX).skip(1);
    let digits = parts.filter_map(|rest| rest.get(..DIGITS));
    let digits = digits.filter(|it| it.chars().all(|char| char.is_ascii_hexdigit()));
    digits.map(|it| format!("{PREFIX}{it}")).collect()
}

/// The file in which `askback mcp` finds the token of an agent.
pub(super) fn token_file(data: &Path, agent: AgentClient) -> PathBuf {
    data.join("agents").join(format!("{}.token", agent.name()))
}

/// Only this user can read it.
pub(super) fn write_token_file(path: &Path, token: &str) -> anyhow::Result<()> {
    if let Some(directory) = path.parent() {
        askback_server::create_directory(directory)?;
    }
    private_text::write(path, &format!("{token}\n"))
}

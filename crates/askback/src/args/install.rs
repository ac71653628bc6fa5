//! Arguments of `askback install`.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args as ClapArgs, ValueEnum};

use crate::agent_settings::AgentClient;

/// Set an agent up to ask through askback.
///
/// Shows the change to the agent's own settings, asks, and writes it; the file as it was is kept beside
/// it. Where the agent gives up calls early, its time-out is raised as well.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback install claude-code
  askback install codex --print
  askback install opencode --undo")]
pub(crate) struct InstallArgs {
    /// The agent.
    pub(crate) client: ClientArg,
    /// Only print the file and the entry.
    #[arg(long)]
    pub(crate) print: bool,
    /// Remove askback from the agent's settings again.
    #[arg(long)]
    pub(crate) undo: bool,
    /// Write without asking.
    #[arg(long)]
    pub(crate) yes: bool,
    /// The data directory that the agent's questions are kept in, if it is not the usual one.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The address of a server elsewhere; give its token to the agent in `ASKBACK_TOKEN`.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
}

/// An agent as an argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClientArg(pub(crate) AgentClient);

impl ValueEnum for ClientArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [ClientArg; 8] = {
            let mut all = [ClientArg(AgentClient::ALL[0]); 8];
            let mut index = 0;
            while index < all.len() {
                all[index] = ClientArg(AgentClient::ALL[index]);
                index += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

//! Arguments of `askback install`.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args as ClapArgs, ValueEnum};

use crate::agent_settings::AgentClient;

/// Add askback to the MCP settings of an agent.
///
/// Shows the change to the agent's settings file, asks for confirmation, and writes it. A backup of the
/// file is kept beside it. If the agent has a short tool time-out, the entry raises it.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback install claude-code
  askback install codex --print
  askback install opencode --undo")]
pub(crate) struct InstallArgs {
    /// Agent to set up.
    pub(crate) client: ClientArg,
    /// Print the settings to add, and change nothing.
    #[arg(long)]
    pub(crate) print: bool,
    /// Remove askback from the agent's settings.
    #[arg(long)]
    pub(crate) undo: bool,
    /// Do not ask for confirmation.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Data directory for the agent's questions, if not the default one.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Address of a running server. Set `ASKBACK_TOKEN` in the agent's environment.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
}

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

//! Arguments of `askback install`.

use std::path::PathBuf;

use askback_core::dialect::Dialect;
use askback_wire::duration::HumanDuration;
use clap::Args as ClapArgs;

use super::one_of;
use crate::agent_settings::AgentClient;

#[derive(Debug, ClapArgs)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[command(after_help = "\
Examples:
  askback install                       # finds your agents, and offers to set them up
  askback install claude-code           # its own question tool asks through askback
  askback install claude-code --mcp     # askback's MCP tools instead
  askback install codex --print
  askback install codex --tools ask_user_question,ask_user
  askback install copilot --http
  askback install codex --to anna       # its questions are for Anna
  askback install codex --url https://askback.example --token-file admin.token
  askback install opencode --undo
  askback install --undo                # removes askback from all agents")]
pub(crate) struct InstallArgs {
    /// Agent to set up. Without one, lists the agents on this machine and offers to set up each that is not.
    #[arg(
        required_if_eq("print", "true"),
        value_parser = one_of(&AgentClient::ALL, AgentClient::name)
    )]
    pub(crate) client: Option<AgentClient>,
    /// Print the settings to add, and change nothing.
    #[arg(long)]
    pub(crate) print: bool,
    /// Remove askback from the agent's settings. A file that nobody else has changed is then as it was before.
    #[arg(long)]
    pub(crate) undo: bool,
    /// Do not ask for confirmation, also if the agent is not on this machine.
    #[arg(long)]
    pub(crate) yes: bool,
    /// Leave out the rule that lets the agent ask without asking you for permission first.
    #[arg(long)]
    pub(crate) no_allow: bool,
    /// Leave the agent's own question tool on, beside the MCP tools. Claude Code's then asks through askback, too.
    #[arg(long)]
    pub(crate) keep_own_tool: bool,
    /// For Claude Code: MCP tools, instead of a hook that answers its own question tool. Other agents always get MCP
    /// tools. --http, --hold and --tools imply it.
    #[arg(long)]
    pub(crate) mcp: bool,
    /// Connect to a running `askback serve` over HTTP, instead of starting `askback mcp`. The settings
    /// then contain a token that is made for this agent on this machine.
    #[arg(long)]
    pub(crate) http: bool,
    /// How long a call waits for an answer before it returns as pending, if not as long as this agent
    /// allows.
    #[arg(long, value_name = "TIME", conflicts_with = "http")]
    pub(crate) hold: Option<HumanDuration>,
    /// Ask tools to offer to the model [default: `ask_user_question`]. `ask_user` can also ask for text, numbers
    /// and dates.
    #[arg(
        long,
        value_name = "TOOLS",
        value_delimiter = ',',
        conflicts_with = "http",
        value_parser = one_of(&Dialect::TOOLS, Dialect::name)
    )]
    pub(crate) tools: Vec<Dialect>,
    /// Data directory for the agent's questions, if not the default one.
    #[arg(long, env = "ASKBACK_DATA", value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Address of a running server [default with --http: that of the data directory]. Without --http and --token-file, set
    /// `ASKBACK_TOKEN` in the agent's environment.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// File with a token of that server [default with --http: the token of the data directory]. With an administrator's, a token
    /// for the agent is made; one with the scope agent is used as it is.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Person or group whom the agent asks [default: everybody].
    #[arg(long, value_name = "ALIAS")]
    pub(crate) to: Option<String>,
}

//! Arguments of `askback mcp`.

use askback_core::dialect::Dialect;
use askback_wire::duration::HumanDuration;
use clap::Args as ClapArgs;

use super::{ConnectArgs, one_of};
use crate::settings::ElicitationSetting;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  claude mcp add --scope user askback -- askback mcp
  askback mcp --tools ask_user_question,ask_user
  askback mcp --hold 55s
  askback mcp --elicitation off
  askback mcp --url https://ask.example --token-file ./token")]
pub(crate) struct McpArgs {
    /// Ask tools to offer to the model [default: `ask_user_question`].
    #[arg(
        long,
        value_name = "TOOLS",
        value_delimiter = ',',
        value_parser = one_of(&Dialect::TOOLS, Dialect::name)
    )]
    pub(crate) tools: Vec<Dialect>,
    /// How long a call waits for an answer before it returns as pending; by default as long as this
    /// agent is known to wait.
    #[arg(long, value_name = "TIME")]
    pub(crate) hold: Option<HumanDuration>,
    /// Whether dialogs of the agent's own client show questions, too [default: auto].
    #[arg(long, value_name = "WHEN", value_enum)]
    pub(crate) elicitation: Option<ElicitationSetting>,
    /// Project of the agent, shown with its questions [default: the current directory].
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
    /// Person or group whom the agent asks [default: everybody].
    #[arg(long, value_name = "ALIAS")]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

//! Arguments of `askback watch`.

use clap::Args as ClapArgs;

use super::ConnectArgs;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback watch
  askback watch --after 0 | jq -r .event")]
pub(crate) struct WatchArgs {
    /// Only events of this conversation.
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,
    /// Start after this sequence number; 0 replays everything. By default only new events.
    #[arg(long, value_name = "SEQUENCE")]
    pub(crate) after: Option<u64>,
    /// Print JSON at a terminal, too.
    #[arg(long)]
    pub(crate) json: bool,
    /// Include token events, which carry replies while they are generated.
    #[arg(long)]
    pub(crate) tokens: bool,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

//! Arguments of `askback hook`.

use clap::{Args as ClapArgs, ValueEnum};

use super::ConnectArgs;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback hook claude-code < call.json

The hook waits for as long as the question is open. If it is killed, the question stays open, and the
same call attaches to it again.")]
pub(crate) struct HookArgs {
    /// Agent that runs the hook.
    pub(crate) client: HookClient,
    /// Person or group whom the agent asks [default: everybody].
    #[arg(long, value_name = "ALIAS")]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) connect: ConnectArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HookClient {
    ClaudeCode,
    /// The headers of a request to askback over HTTP, which name the project. `askback install claude-code
    /// --http` sets it up.
    ClaudeCodeHeaders,
}

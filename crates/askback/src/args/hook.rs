//! Arguments of `askback hook`.

use clap::{Args as ClapArgs, ValueEnum};

use super::ConnectArgs;

/// Answer the built-in question tool of an agent from askback.
///
/// Claude Code runs this command as a `PreToolUse` hook of its `AskUserQuestion` tool, with the call on
/// standard input; `askback install claude-code --hook` sets it up. The question appears in askback, and
/// the answer is printed as the hook's decision. If that fails, the exit code is 1, and Claude Code shows
/// its own dialog.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  askback hook claude-code < call.json

The hook waits for as long as the question is open. If it is killed, the question stays open, and the
same call attaches to it again.")]
pub(crate) struct HookArgs {
    /// Agent that runs the hook.
    pub(crate) client: HookClient,
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

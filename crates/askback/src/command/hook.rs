//! `askback hook`: answers the built-in question tool of an agent from askback.
//!
//! Every failure exits with 1. Claude Code takes 2 for a decision against the call, and would not show its
//! own dialog.

mod claude_code;
mod claude_code_headers;

pub(crate) use claude_code_headers::PROJECT_PARAMETER;

use crate::args::{HookArgs, HookClient};
use crate::failure::Failure;
use crate::runtime;

pub(crate) fn run(args: &HookArgs) -> Result<(), Failure> {
    match args.client {
        HookClient::ClaudeCode => {}
        HookClient::ClaudeCodeHeaders => return claude_code_headers::run(),
    }
    let runtime = runtime::start()?;
    let done = runtime.block_on(claude_code::run(args));
    // A server in this process has been stopped. Nothing else may delay the exit.
    runtime.shutdown_background();
    done.map_err(Failure::Broken)
}

//! The askback binary: arguments in, one command, an exit code out.

mod agent_settings;
mod args;
mod audit_chain;
mod backend;
mod command;
mod connect;
mod embedded_server;
mod failure;
mod input;
mod installation;
mod last_port;
mod logging;
mod open_store;
mod output;
mod private_text;
mod provider;
mod runtime;
mod settings;
mod shell_quoting;
mod terminal_options;
#[cfg(feature = "otel")]
mod trace_export;

use std::io::Write as _;
use std::process::ExitCode;

/// A fifth of the processor time of a busy server was allocation (`docs/decisions/0025`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let args = match args::Args::read() {
        Ok(args) => args,
        Err(error) => return usage_error(&error),
    };
    match command::run(args.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Prints help or a usage error. For a hook, 2 would be a decision, so its usage errors have the exit code 1.
fn usage_error(error: &clap::Error) -> ExitCode {
    let is_hook = std::env::args_os()
        .nth(1)
        .is_some_and(|name| name == "hook");
    // Without standard error, the exit code is all there is.
    drop(if error.use_stderr() {
        // It repeats arguments, which a script may have from anywhere.
        write!(output::stderr(), "{}", error.render())
    } else {
        error.print()
    });
    match error.exit_code() {
        2 if is_hook => ExitCode::from(1),
        code => ExitCode::from(u8::try_from(code).unwrap_or(1)),
    }
}

//! The askback binary: arguments in, one command, an exit code out.

mod agent_settings;
mod args;
mod backend;
mod command;
mod connect;
mod embedded_server;
mod failure;
mod input;
mod logging;
mod provider;
mod runtime;
mod settings;
mod terminal_options;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match command::run(args::Args::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

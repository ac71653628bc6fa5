//! `askback completions`: scripts with which a shell completes commands and flags.

use std::io::Write as _;

use clap::CommandFactory as _;
use clap_complete::{Generator, Shell, generate};
use clap_complete_nushell::Nushell;

use crate::args::{Args, CompletionsArgs, ShellArg};
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    output::stdout().write_all(script(args.shell).as_bytes())?;
    Ok(())
}

fn script(shell: ShellArg) -> String {
    match shell {
        ShellArg::Bash => generated(Shell::Bash),
        ShellArg::Zsh => generated(Shell::Zsh),
        ShellArg::Fish => generated(Shell::Fish),
        ShellArg::Powershell => generated(Shell::PowerShell),
        ShellArg::Elvish => generated(Shell::Elvish),
        ShellArg::Nushell => generated(Nushell),
    }
}

fn generated(shell: impl Generator) -> String {
    let mut script = Vec::new();
    generate(shell, &mut Args::command(), "askback", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

#[cfg(test)]
#[path = "completions_tests.rs"]
mod tests;

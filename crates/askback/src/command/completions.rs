//! `askback completions`: scripts with which a shell completes commands and flags.

use std::io::Write as _;

use clap::{Command, CommandFactory as _};
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
        ShellArg::Fish => generated(Shell::Fish) + &fish_values(),
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

/// Lines for the values of arguments without a flag, such as the agent in `askback install codex`. The generator leaves them
/// out, and fish would complete file names.
fn fish_values() -> String {
    let mut lines = String::new();
    let mut command = Args::command();
    // Before that, no argument has values.
    command.build();
    for command in command.get_subcommands() {
        fish_values_of(command, "", &mut lines);
    }
    lines
}

/// `conditions` holds in the commands that this one is part of.
fn fish_values_of(command: &Command, conditions: &str, lines: &mut String) {
    let name = command.get_name();
    let condition = if conditions.is_empty() {
        format!("__fish_askback_using_subcommand {name}")
    } else {
        format!("{conditions}; and __fish_seen_subcommand_from {name}")
    };
    for argument in command.get_positionals() {
        let values = argument.get_possible_values();
        let shown = values.iter().filter(|value| !value.is_hide_set());
        let names: Vec<&str> = shown.map(clap::builder::PossibleValue::get_name).collect();
        if !names.is_empty() {
            let names = names.join(" ");
            let line = [
                "complete -c askback -n \"",
                &condition,
                "\" -f -a \"",
                &names,
                "\"\n",
            ];
            lines.extend(line);
        }
    }
    for part in command.get_subcommands() {
        fish_values_of(part, &condition, lines);
    }
}

#[cfg(test)]
#[path = "completions_tests.rs"]
mod tests;

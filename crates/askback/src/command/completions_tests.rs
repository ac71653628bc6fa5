//! Goal: every shell completes every command.

use clap::ValueEnum as _;

use super::*;

#[test]
fn scripts_know_every_command_and_its_flags() {
    for shell in ShellArg::value_variants() {
        let script = script(*shell);
        for command in Args::command().get_subcommands() {
            let name = command.get_name();
            assert!(
                command.is_hide_set() || script.contains(name),
                "{shell:?}: {name}"
            );
        }
        assert!(script.contains("token-file"), "{shell:?}");
    }
}

#[test]
fn fish_completes_values_of_arguments() {
    let script = script(ShellArg::Fish);
    for (command, value) in [("install", "codex"), ("completions", "nushell")] {
        let start = format!("-n \"__fish_askback_using_subcommand {command}\" -f -a \"");
        let lines = script.lines().filter_map(|line| line.split_once(&start));
        let mut values = lines.flat_map(|(_, values)| values.trim_end_matches('"').split(' '));
        assert!(values.any(|it| it == value), "{command}");
    }
}

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

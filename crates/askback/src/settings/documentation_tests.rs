//! `docs/configuration.md` lists every setting.

use clap::CommandFactory as _;

use super::FileSettings;
use crate::args::Args;

const DOCUMENT: &str = include_str!("../../../../docs/configuration.md");

#[test]
fn every_variable_is_documented() {
    // The arguments of a command are added when it is built.
    let mut all = Args::command();
    all.build();
    let mut commands = vec![all];
    let mut variables = 0;
    while let Some(command) = commands.pop() {
        for name in command.get_arguments().filter_map(clap::Arg::get_env) {
            let name = name.to_str().unwrap_or_default();
            assert!(DOCUMENT.contains(&format!("`{name}`")), "{name}");
            variables += 1;
        }
        commands.extend(command.get_subcommands().cloned());
    }
    assert!(variables > 20, "only {variables} were found");
}

/// The error for an unknown key names the known ones.
#[test]
fn every_key_is_documented() {
    let error = toml::from_str::<FileSettings>("no-such-key = 1").err();
    let error = error.map(|error| error.to_string()).unwrap_or_default();
    let expected = error.split("expected one of").nth(1).unwrap_or_default();
    let keys: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
    assert!(keys.contains(&"public_url"), "{error}");
    for key in keys {
        let is_listed =
            DOCUMENT.contains(&format!("`{key}`")) || DOCUMENT.contains(&format!("`[{key}"));
        assert!(is_listed, "{key}");
    }
}

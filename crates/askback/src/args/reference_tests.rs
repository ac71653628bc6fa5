//! `docs/cli.md` is what the command line says about itself. `ASKBACK_WRITE_REFERENCE=1` writes it anew.
#![expect(clippy::format_push_string, reason = "it is written once, and small")]

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};

use super::Args;
use super::overview::GROUPS;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cli.md");

const LEAD: &str = "# Commands

This page is made from the definitions of the command line; `askback COMMAND --help` shows the same. `--help` and
`--version` work everywhere. A command that needs a server uses the one that runs for the data directory. If there is none, it runs
a server itself, with the settings of `askback serve`, and stops it when `askback serve` takes over the data directory
([processes.md](processes.md)).
";

fn reference() -> String {
    let mut all = Args::command();
    all.build();
    let mut page = LEAD.to_owned();
    for group in &GROUPS {
        page.push_str(&format!("\n## {}\n", group.heading));
        for name in [group.described, group.others].concat() {
            let command = all.find_subcommand(name).expect("a command");
            section(command, &format!("askback {name}"), &mut page);
        }
    }
    page
}

fn section(command: &Command, name: &str, page: &mut String) {
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    write!(page, "\n### {name}\n\n{about}\n\n```\n{usage}\n```\n").expect("text");
    let rows: Vec<String> = command.get_arguments().filter_map(row).collect();
    if !rows.is_empty() {
        write!(page, "\n| argument | |\n|---|---|\n{}\n", rows.join("\n")).expect("text");
    }
    if let Some(after) = command.get_after_help() {
        write!(page, "\n```\n{}\n```\n", after.to_string().trim_end()).expect("text");
    }
    let visible = command.get_subcommands().filter(|it| !it.is_hide_set());
    for action in visible.filter(|it| it.get_name() != "help") {
        section(action, &format!("{name} {}", action.get_name()), page);
    }
}

/// One argument, unless it is hidden or works everywhere.
fn row(arg: &Arg) -> Option<String> {
    if arg.is_hide_set() || matches!(arg.get_id().as_str(), "help" | "version") {
        return None;
    }
    let mut name = arg.to_string();
    if arg.is_positional() {
        name = name.trim_matches(['[', ']', '<', '>', '.']).to_owned();
    }
    let help = arg.get_long_help().or(arg.get_help());
    let mut text = help.map(ToString::to_string).unwrap_or_default();
    let values = arg.get_possible_values();
    let takes_value = arg.get_action().takes_values();
    if takes_value && !values.is_empty() {
        let names = values.iter().filter(|value| !value.is_hide_set());
        let names: Vec<String> = names
            .map(|value| format!("`{}`", value.get_name()))
            .collect();
        text.push_str(&format!(" One of {}.", names.join(", ")));
    }
    if let [default] = arg.get_default_values()
        && takes_value
    {
        text.push_str(&format!(" By default `{}`.", default.to_string_lossy()));
    }
    if let Some(variable) = arg.get_env() {
        text.push_str(&format!(" `{}`.", variable.to_string_lossy()));
    }
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(format!(
        "| `{name}` | {} |",
        text.replace('|', "\\|").replace('<', "&lt;")
    ))
}

#[test]
fn reference_is_up_to_date() {
    let reference = reference();
    if std::env::var_os("ASKBACK_WRITE_REFERENCE").is_some() {
        std::fs::write(PAGE, &reference).expect("the page is written");
    }
    let written = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert!(
        written == reference,
        "docs/cli.md is not up to date: run ASKBACK_WRITE_REFERENCE=1 cargo test -p askback --bin askback reference"
    );
}

//! `--help`, `--version`, manual pages, and what `askback update` says.

use std::process::Command;

use super::support::run_binary::{fails, succeeds};
use super::support::server_process::Directory;

/// The names that `askback --help` lists.
fn commands() -> Vec<String> {
    let help = succeeds(&["--help"], "");
    let names = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = names.take_while(|line| !line.is_empty());
    let names = names.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn help_of_every_command_shows_examples() {
    let commands = commands();
    assert_eq!(commands.len(), 26, "{commands:?}");
    for name in commands {
        let text = succeeds(&[&name, "--help"], "");
        assert!(text.contains("Example"), "{text}");
        assert!(text.contains(&format!("\n  askback {name}")), "{text}");
    }
}

/// Flags of a command itself are not listed among those of the terminal or the server.
#[test]
fn own_flags_of_a_command_come_first() {
    let text = succeeds(&["ask", "-h"], "");
    let (own, _) = text.split_once("\nTerminal:").expect("a heading");
    for flag in ["--durable", "--key", "--wait", "--expires-in"] {
        assert!(own.contains(flag), "{text}");
    }
}

/// Words of a private language that help texts must not use again.
#[test]
fn help_uses_plain_words() {
    for name in commands() {
        let text = succeeds(&[&name, "--help"], "").to_lowercase();
        for word in [
            "who thinks",
            "left out",
            "may be given",
            "that waits",
            "goes on",
            "place of the feed",
            "what is said",
            "an object a line",
        ] {
            assert!(!text.contains(word), "{name}: {word}: {text}");
        }
    }
}

#[test]
fn help_of_render_shows_every_outcome() {
    let text = succeeds(&["render", "--help"], "");
    for outcome in [
        "answered",
        "declined",
        "cancelled",
        "rejected",
        "expired",
        "withdrawn",
        "undeliverable",
        "superseded",
    ] {
        assert!(text.contains(outcome), "{outcome} is missing: {text}");
    }
}

#[test]
fn version_has_the_commit_and_its_date() {
    let log = Command::new("git")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["log", "-1", "--abbrev=9", "--format= (%h %cs)"])
        .output();
    // A source archive has no history.
    let commit = log.map_or(String::new(), |it| {
        String::from_utf8_lossy(&it.stdout).trim_end().to_owned()
    });
    let expected = format!("askback {}{commit}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(succeeds(&["--version"], ""), expected);
}

/// The binary under test was built in a checkout.
#[test]
fn update_names_the_installation_and_a_command_line() {
    let text = succeeds(&["update"], "");
    assert!(text.contains(" is built from a checkout.\n"), "{text}");
    assert!(text.contains("\n  git -C "), "{text}");
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let directory = Directory::new();
    let pages = directory.path().join("man1");
    succeeds(&["man", pages.to_str().expect("text")], "");
    for name in commands() {
        let page = std::fs::read_to_string(pages.join(format!("askback-{name}.1")));
        assert!(
            page.is_ok_and(|page| page.contains(".SH SYNOPSIS")),
            "{name}"
        );
    }
    assert!(pages.join("askback.1").exists());
}

#[test]
fn unknown_command_is_a_usage_error() {
    let said = fails(&["frobnicate"], "", 2);
    assert!(said.contains("frobnicate"), "{said}");
}

//! `--help` and `--version`.

use super::support::run_binary::{fails, succeeds};

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
    assert_eq!(commands.len(), 24, "{commands:?}");
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
fn version_is_printed() {
    let text = succeeds(&["--version"], "");
    assert_eq!(text, format!("askback {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn unknown_command_is_a_usage_error() {
    let said = fails(&["frobnicate"], "", 2);
    assert!(said.contains("frobnicate"), "{said}");
}

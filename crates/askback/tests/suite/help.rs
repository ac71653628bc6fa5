//! `--help` and `--version`.

use super::support::run_binary::{fails, succeeds};

#[test]
fn help_of_every_command_shows_examples() {
    for name in ["schema", "check", "render"] {
        let text = succeeds(&[name, "--help"], "");
        assert!(text.contains("Example"), "{text}");
        assert!(text.contains(&format!("askback {name}")), "{text}");
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
fn help_names_the_commands() {
    let text = succeeds(&["--help"], "");
    for name in ["schema", "check", "render"] {
        assert!(text.contains(&format!("\n  {name} ")), "{text}");
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

//! Configured key bindings: they work, are shown in hints, and are checked.

use super::support::pty::Pty;
use super::support::run_binary::{askback, file};

const OPTIONAL: &str = r#"{"questions": [
  {"question": "Which database?", "header": "Database", "options": ["PostgreSQL", "SQLite"]},
  {"question": "Which region?", "header": "Region", "options": ["eu", "us"]}]}"#;

/// A key of the configuration works, and hints and help show it.
#[test]
fn bound_key_works_and_is_shown() {
    let input = file("keys_bound.json", OPTIONAL);
    let config = file(
        "keys_bound.toml",
        "[keys]\nskip = 'x'\nnext = ['tab', 'w']\nhelp = 'f'\n",
    );
    let mut pty = Pty::askback(&["ask", "--config", &config, "--json", &input]);
    pty.shows("x skip • f");
    pty.send("f");
    pty.shows("tab w    ");
    pty.send("\x1b");
    pty.shows("x skip • f");
    pty.send("?");
    pty.send("w");
    pty.shows("Question 2 of 2");
    pty.send("x");
    pty.shows("– Region");
    pty.send("\x03");
    assert_eq!(pty.ends(), 130);
}

#[test]
fn invalid_key_binding_is_explained() {
    let input = file("keys_wrong.json", OPTIONAL);
    let config = file("keys_wrong.toml", "[keys]\nskip = 'n'\n");
    let run = askback(&["ask", "--config", &config, "--json", &input], "");
    assert_eq!((run.code, run.out.as_str()), (Some(1), ""));
    let clash = "`n` is bound to both `note` and `skip` (one of a list)";
    assert!(run.err.contains(clash), "{}", run.err);
    assert!(
        run.err
            .contains("keys_wrong.toml is not a valid configuration file"),
        "{}",
        run.err
    );
}

#[test]
fn keys_are_listed_as_they_are_bound() {
    let config = file(
        "keys_list.toml",
        "[keys]\nskip = 'x'\n[keys.inbox]\nmark = ['m', 'space']\n[keys.chat]\neditor = 'ctrl+r'\n",
    );
    let run = askback(&["keys", "--config", &config], "");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let line = |start: &str, end: &str| {
        let mut lines = run.out.lines();
        lines.any(|line| line.starts_with(start) && line.ends_with(end))
    };
    assert!(
        line("skip             x  ", "skip this question"),
        "{}",
        run.out
    );
    assert!(
        line("skip             alt+s  ", "skip this question"),
        "{}",
        run.out
    );
    assert!(line("mark             m space  ", "mark"), "{}", run.out);
    assert!(
        line("editor           ctrl+r  ", "open your editor"),
        "{}",
        run.out
    );
    assert!(
        line("-                y  ", "answer yes")
            && line("note             alt+n  ", "add a note"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("[keys.inbox] in the configuration"),
        "{}",
        run.out
    );
}

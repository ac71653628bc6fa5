//! `--help`, `--version`, manual pages, and what `askback update` says.

use std::process::Command;

use super::support::run_binary::{askback, fails, succeeds};
use super::support::server_process::Directory;

/// The names that `askback --help` lists: at the start of a line, or by themselves, with commas.
fn commands() -> Vec<String> {
    let help = succeeds(&["--help"], "");
    let lines = help.lines().filter_map(|line| line.strip_prefix("  "));
    let names = lines.flat_map(|line| {
        let described = line.split_once("  ").filter(|(name, _)| *name != "and");
        let names = match described {
            Some((name, _)) => vec![name],
            None => line.trim_start_matches("and ").split(',').collect(),
        };
        names.into_iter().map(|name| name.trim().to_owned())
    });
    names.collect()
}

/// The overview is the same however it is asked for, and fits the smallest usual screen.
#[test]
fn overview_is_grouped_on_one_screen() {
    let help = succeeds(&["--help"], "");
    assert!(help.lines().count() < 24, "{help}");
    assert!(help.lines().all(|line| line.len() <= 80), "{help}");
    assert_eq!(succeeds(&["-h"], ""), help);
    assert_eq!(succeeds(&["help"], ""), help);
    assert_eq!(fails(&[], "", 2), help);
    for heading in [
        "Answer",
        "Set up",
        "Ask from scripts",
        "Run a server",
        "For programs",
    ] {
        assert!(help.contains(&format!("\n{heading}:\n")), "{help}");
    }
}

/// Settings of the server are shown where they act.
#[test]
fn server_settings_are_shown_where_they_act() {
    let shown = |command: &str, flag: &str| succeeds(&[command, "--help"], "").contains(flag);
    for flag in ["--listen", "--webhook-allow", "--keep", "--node"] {
        assert!(shown("serve", flag), "{flag}");
        for command in ["list", "answer", "ask", "inbox", "chat"] {
            assert!(!shown(command, flag), "{command} {flag}");
        }
    }
    assert!(shown("chat", "--provider") && !shown("inbox", "--provider"));
    assert!(shown("list", "--data") && shown("list", "--url"));
    // The demo has a server of its own, whose model and data are given.
    assert!(shown("demo", "--listen") && !shown("demo", "--provider"));
    assert!(!shown("demo", "--webhook-allow") && !shown("demo", "--token"));
    // They are still read, for a server that the command runs itself.
    let directory = Directory::new();
    let data = directory.path().to_str().expect("the path is text");
    let run = askback(&["list", "--node", "here", "--data", data], "");
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
}

/// `--help` explains what `-h` lists.
#[test]
fn help_of_every_command_shows_examples() {
    let commands = commands();
    assert!(commands.len() >= 24, "{commands:?}");
    for name in commands {
        let text = succeeds(&[&name, "--help"], "");
        let short = succeeds(&[&name, "-h"], "");
        assert!(short.len() <= text.len(), "{short}");
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

/// Lines break at words: without a terminal, after at most 100 columns.
#[test]
fn descriptions_of_flags_are_wrapped() {
    for name in commands() {
        let text = succeeds(&[&name, "-h"], "");
        let (flags, _) = text.split_once("\nExamples:").unwrap_or((&text, ""));
        let widest = flags.lines().map(|line| line.chars().count()).max();
        assert!(
            widest.is_some_and(|columns| columns <= 100),
            "{name}: {text}"
        );
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

/// Somebody may commit while the binary is built or tested: then it has a commit that was checked out just before.
#[test]
fn version_has_the_commit_and_its_date() {
    let git = |arguments: &[&str]| {
        let mut log = Command::new("git");
        let log = log.current_dir(env!("CARGO_MANIFEST_DIR")).arg("log");
        let log = log.args(["--abbrev=9", "--format= (%h %cs)"]);
        let output = log.args(arguments).output();
        output.map_or(String::new(), |it| {
            String::from_utf8_lossy(&it.stdout).into_owned()
        })
    };
    let [now, before] = [git(&["-1"]), git(&["-5", "--walk-reflogs"])];
    // A source archive has no history.
    let commits = if now.is_empty() { "\n" } else { &now };
    let version = succeeds(&["--version"], "");
    let commit = version.strip_prefix(concat!("askback ", env!("CARGO_PKG_VERSION")));
    let commit = commit.unwrap_or_else(|| panic!("{version}"));
    let mut known = commits
        .split_inclusive('\n')
        .chain(before.split_inclusive('\n'));
    assert!(
        known.any(|known| known == commit),
        "{version}: {commits}{before}"
    );
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

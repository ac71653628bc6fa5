//! Glyphs are chosen by what the terminal can draw, and querying it takes almost no time.

use std::time::Duration;

use super::support::pty::Pty;
use super::support::run_binary::file;
use super::support::server_process::Directory;
use super::support::timeout::clock_counts;

const DATABASE: &str = r#"{"questions": [{"question": "Which database?", "header": "Database",
  "options": [{"label": "PostgreSQL"}, {"label": "MongoDB"}]}]}"#;

/// A terminal that reports ○ as two columns wide gets ASCII.
#[test]
fn wide_glyphs_are_replaced() {
    let input = file("marks_wide.json", DATABASE);
    let directory = Directory::new();
    let data = directory.path().join("data");
    let data = data.to_str().expect("text");
    let cases: [(&[&str], &str, &str); 2] = [
        (
            &["ask", "--json", &input],
            "> 1 ( ) PostgreSQL",
            "+- Database -+",
        ),
        (
            &["chat", "--data", data],
            "> Write a message",
            "+- Chat with",
        ),
    ];
    for (args, plain, head) in cases {
        let vars = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_RESPONSE_MS", "600000")];
        let mut pty = Pty::with(args, &vars, (60, 20));
        pty.writes("\x1b[c");
        pty.send("\x1b[1;1R\x1b[1;3R\x1b[?62c");
        pty.shows(plain);
        pty.shows(head);
        let screen = pty.screen().join("\n");
        assert!(screen.is_ascii(), "{screen}");
        pty.kill();
    }
}

/// With one column, as almost everywhere, the glyphs stay.
#[test]
fn narrow_glyphs_stay() {
    let input = file("marks_narrow.json", DATABASE);
    let mut pty = Pty::askback(&["ask", "--json", &input]);
    pty.writes("\x1b[c");
    pty.send("\x1b[1;1R\x1b[1;2R\x1b[?62c");
    pty.shows("enter select");
    pty.send("\x1b[B");
    pty.shows("> 2 ○ MongoDB");
    pty.send("\x03");
    assert_eq!(pty.ends(), 130);
}

/// A terminal that does not reply gets its frame, within a tenth of a second where the clock counts.
#[test]
fn silent_terminal_delays_little() {
    let input = file("marks_silent.json", DATABASE);
    let cost = || {
        let pty = Pty::askback(&["ask", "--json", &input]);
        let asked = pty.written_at("\x1b[c");
        pty.shows("enter select");
        let shown = pty.written_at("enter select");
        pty.kill();
        shown.duration_since(asked)
    };
    let best = (0..3).map(|_| cost()).min().expect("three attempts");
    let is_quick = best <= Duration::from_millis(100);
    assert!(is_quick || !clock_counts(), "{best:?}");
}

/// A locale that is not UTF-8 gets ASCII, whatever the command.
#[test]
fn ascii_locale_gets_ascii() {
    let input = file("marks_ascii.json", DATABASE);
    let directory = Directory::new();
    let data = directory.path().join("data");
    let data = data.to_str().expect("text");
    let cases: [(&[&str], &[&str]); 3] = [
        (
            &["ask", "--json", &input],
            &["+- Database -+", "> 1 ( ) PostgreSQL"],
        ),
        (
            &["chat", "--data", data],
            &["+- Chat with", "> Write a message"],
        ),
        (&["inbox", "--data", data], &["No questions waiting"]),
    ];
    for (args, shown) in cases {
        let vars = [("ASKBACK_ARM_MS", "0"), ("LANG", "C")];
        let pty = Pty::with(args, &vars, (60, 20));
        for text in shown {
            pty.shows(text);
        }
        let log = pty.log();
        assert!(log.is_ascii(), "{args:?}: {log}");
        pty.kill();
    }
}

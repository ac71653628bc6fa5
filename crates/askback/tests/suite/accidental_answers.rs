//! docs/answering.md on a real terminal: no key answers a question that the person did not mean to
//! answer. A test that needs the typeahead guard closed sets a window that never ends.

use std::fs;
use std::time::Duration;

use super::support::pty::Pty;
use super::support::run_binary::{ScratchPath, askback, file};

const CONFIRM: &str = r#"{"question": "Deploy now?", "input_type": "confirm"}"#;
const LIST: &str = r#"{"questions": [{"question": "Which database?", "header": "Database",
  "options": ["PostgreSQL", "SQLite"]}]}"#;
const CLOSED_LIST: &str = r#"{"question": "Which database?", "input_type": "single_select",
  "options": ["PostgreSQL", "SQLite"]}"#;
const TEXT: &str = r#"{"question": "Which name?", "allow_skip": true}"#;
const NEVER: (&str, &str) = ("ASKBACK_ARM_MS", "600000");
/// A short typeahead window; pasted text is detected by its speed.
const SHORT: (&str, &str) = ("ASKBACK_ARM_MS", "1");
const OFF: (&str, &str) = ("ASKBACK_ARM_MS", "0");

/// Runs `askback ask` on a question with its output in a file.
fn ask(question: &str, flags: &str, var: (&str, &str)) -> (Pty, ScratchPath) {
    let out = file("out", "");
    let input = format!("{out}.json");
    fs::write(&input, question).expect("it is written");
    let script = format!("\"$ASKBACK\" ask {flags} --output json --json {input} > {out}");
    (Pty::shell(&script, &[var]), out)
}

/// Repeats keys until they take effect: the typeahead guard may still be closed.
fn type_until_shown(pty: &mut Pty, keys: &str, shows: &str) {
    for _ in 0..20 {
        pty.send(keys);
        if pty.comes_to_show(shows, Duration::from_secs(1)) {
            return;
        }
    }
    pty.shows(shows);
}

fn printed(out: &str) -> String {
    fs::read_to_string(out).expect("the outcome is printed")
}

/// `n` is no and `y` is yes, in frames and in lines.
#[test]
fn n_means_no() {
    for (flags, key, value) in [
        ("", "n", "no"),
        ("", "y", "yes"),
        ("--lines", "n\n", "no"),
        ("--lines", "y\n", "yes"),
        ("--locale de", "j", "yes"),
    ] {
        let (mut pty, out) = ask(CONFIRM, flags, OFF);
        pty.shows("Deploy now?");
        pty.shows("2");
        pty.send(key);
        assert_eq!(pty.ends(), 0, "{flags} {key}");
        assert!(
            printed(&out).contains(&format!("[\"{value}\"]")),
            "{flags} {key}"
        );
    }
}

/// Keys that come too soon do nothing, and the frame says so.
#[test]
fn ignored_keys_are_shown() {
    for question in [CONFIRM, LIST, TEXT] {
        let (mut pty, _out) = ask(question, "", NEVER);
        pty.shows("esc leave…");
        for key in ["\r", "1", "y", "n", " "] {
            pty.send(key);
        }
        pty.shows("Too soon: key ignored");
        pty.send("\x03");
        assert_eq!(pty.ends(), 130);
        assert!(!pty.log().contains('✔'));
    }
}

/// A key that arrives together with esc does not leave the question.
#[test]
fn key_right_after_esc_does_not_leave() {
    for key in ["1", "2", "3", "\r", "y"] {
        let (mut pty, _out) = ask(LIST, "", NEVER);
        pty.shows("esc leave…");
        pty.send("\x1b");
        pty.shows("back to the question");
        pty.send(key);
        pty.shows("Too soon: key ignored");
        pty.send("\x03");
        assert_eq!(pty.ends(), 130, "{key}");
    }
}

/// A paste answers nothing on a terminal without bracketed paste.
#[test]
fn unmarked_paste_is_text() {
    let (mut pty, _out) = ask(CLOSED_LIST, "", SHORT);
    pty.shows("esc leave…");
    type_until_shown(&mut pty, "1\rPostgreSQL\r2\r", "You cannot paste here");
    pty.send("\x03");
    assert_eq!(pty.ends(), 130);
    let (mut pty, _out) = ask(LIST, "", SHORT);
    pty.shows("esc leave…");
    type_until_shown(&mut pty, "5432 or 5433\r", "5432 or 5433");
    pty.shows("Please specify");
    pty.kill();
    let (mut pty, out) = ask(TEXT, "", SHORT);
    pty.shows("esc leave…");
    type_until_shown(&mut pty, "first line\rsecond line\r", "second line");
    pty.send("\r");
    assert_eq!(pty.ends(), 0);
    assert!(printed(&out).contains("first line\\nsecond line"));
}

/// The same in line mode: several lines at once are ignored, and a text question asks again.
#[test]
fn lines_that_come_together_are_a_paste() {
    let (mut pty, out) = ask(LIST, "--lines", SHORT);
    pty.shows("for help:");
    type_until_shown(&mut pty, "1\n2\n1\n", "Pasted lines were ignored");
    pty.send("2\n");
    pty.shows("Chosen: SQLite. Sent.");
    assert_eq!(pty.ends(), 0);
    assert!(printed(&out).contains("SQLite"));
    let (mut pty, out) = ask(TEXT, "--lines", SHORT);
    pty.shows("for help:");
    type_until_shown(&mut pty, "one\ntwo\n", "Your answer so far: one two.");
    type_until_shown(&mut pty, "\n", "Sent.");
    assert_eq!(pty.ends(), 0);
    assert!(printed(&out).contains("one\\ntwo"));
}

/// A line that ends before anybody could read the question is ignored.
#[test]
fn line_typed_too_soon_is_ignored() {
    let (mut pty, _out) = ask(LIST, "--lines", NEVER);
    pty.shows("for help:");
    pty.send("1\n");
    pty.shows("Ignored: it came too soon");
    assert!(!pty.log().contains("Chosen:"));
    pty.kill();
}

/// Enter in an empty optional field does not skip the question.
#[test]
fn empty_optional_field_is_not_skipped_by_enter() {
    let (mut pty, out) = ask(TEXT, "", OFF);
    pty.shows("alt+s skip");
    pty.send("\r");
    pty.shows("Type an answer, or press alt+s to skip");
    pty.send("\x1bs");
    assert_eq!(pty.ends(), 0);
    assert!(printed(&out).contains("\"skipped\":true"));
    let (mut pty, _out) = ask(TEXT, "--lines", OFF);
    pty.shows("for help:");
    pty.send("\n");
    pty.shows("/s skips this question");
    pty.send("/s\n");
    assert_eq!(pty.ends(), 0);
}

/// If somebody else answers while you type, your text is kept.
#[test]
fn loser_of_a_race_keeps_the_text() {
    for flags in ["", "--lines"] {
        let data = ScratchPath::new("data");
        let input = file("answering_race.json", LIST);
        let mut args = vec!["ask", "--durable", "--data", &data, "--json", &input];
        args.extend((!flags.is_empty()).then_some(flags));
        let mut pty = Pty::askback(&args);
        pty.shows("Which database?");
        pty.shows("Other");
        if flags.is_empty() {
            pty.send("o");
            pty.shows("Please specify");
            pty.send("half of it");
            pty.shows("half of it");
        } else {
            pty.send("n\nhalf of it\n");
            pty.shows("half of it");
        }
        let listed = askback(&["list", "--json", "--data", &data], "");
        let id = listed.out.split('"').find(|word| word.starts_with("inq_"));
        let id = id.expect("it is listed");
        let run = askback(&["answer", id, "--choose", "SQLite", "--data", &data], "");
        assert_eq!(run.code, Some(0), "{}", run.err);
        pty.shows("✔ Database: SQLite — answered");
        pty.shows("Not sent: half of it");
        assert_eq!(pty.ends(), 0);
    }
}

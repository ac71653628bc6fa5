//! `[terminal]`: mouse and bidi, each by its flag, and the mouse reset on exit.

use super::support::pty::Pty;
use super::support::run_binary::file;

const DATABASE: &str = r#"{"questions": [{"question": "Which database should we use?", "header": "Database",
  "options": [{"label": "PostgreSQL"}, {"label": "MongoDB"}, {"label": "SQLite"}]}]}"#;
const ON: &str = "\x1b[?1000h\x1b[?1006h";
const OFF: &str = "\x1b[?1006l\x1b[?1000l";

/// Replies to a cursor position query, as a terminal does.
fn tell_cursor(pty: &mut Pty) {
    let (row, column) = pty.cursor();
    pty.send(&format!("\x1b[{};{}R", row + 1, column + 1));
}

/// Clicks on the row that shows this text.
fn click(pty: &mut Pty, text: &str) {
    let asked = |pty: &Pty| pty.log().matches("\x1b[6n").count();
    let before = asked(pty);
    let row = pty.screen().iter().position(|line| line.contains(text));
    let row = row.expect("it is on the screen") + 1;
    pty.send(&format!("\x1b[<0;12;{row}M\x1b[<0;12;{row}m"));
    super::support::pty::until("the question for the cursor", || asked(pty) > before);
    tell_cursor(pty);
}

/// The first click focuses, the second chooses; mouse reporting is on only if configured, and reset.
#[test]
fn clicks_focus_and_choose() {
    let input = file("terminal_mouse.json", DATABASE);
    let script = format!("echo one; echo two; \"$ASKBACK\" ask --mouse on --json {input}");
    let mut pty = Pty::shell(&script, &[]);
    pty.shows("enter select");
    click(&mut pty, "SQLite");
    pty.shows("> 3 ○ SQLite");
    assert!(pty.log().contains(ON) && !pty.log().contains(OFF));
    click(&mut pty, "SQLite");
    pty.shows("✔ Database: SQLite");
    assert_eq!(pty.ends(), 0);
    assert!(pty.log().contains(OFF));
    let mut plain = Pty::askback(&["ask", "--json", &input]);
    plain.shows("enter select");
    plain.send("\x03");
    plain.ends();
    assert!(!plain.log().contains("\x1b[?1000"));
}

/// Mouse reporting is reset however the prompt ends.
#[test]
fn mouse_reporting_is_turned_off_on_exit() {
    let input = file("terminal_mouse_back.json", DATABASE);
    let config = file("terminal_mouse.toml", "[terminal]\nmouse = 'on'\n");
    for (vars, keys) in [
        (vec![("ASKBACK_ARM_MS", "0")], "\x03"),
        (vec![("ASKBACK_ARM_MS", "0"), ("ASKBACK_PANIC", "1")], "x"),
    ] {
        let mut pty = Pty::with(
            &["ask", "--config", &config, "--json", &input],
            &vars,
            (60, 20),
        );
        pty.shows("enter select");
        pty.send(keys);
        pty.ends();
        assert_eq!(pty.log().matches(OFF).count(), 1, "{keys:?}");
    }
}

#[test]
fn visual_bidi_reorders_right_to_left_text() {
    let question = r#"{"questions": [{"question": "אבג?", "options": ["דה", "x"]}]}"#;
    let input = file("terminal_bidi.json", question);
    let mut logical = Pty::askback(&["ask", "--json", &input]);
    logical.shows("○ דה");
    logical.send("\x03");
    logical.ends();
    let mut visual = Pty::askback(&["ask", "--bidi", "visual", "--json", &input]);
    visual.shows("○ הד");
    visual.shows("גבא?");
    visual.send("1");
    visual.shows("הד");
    assert_eq!(visual.ends(), 0);
}

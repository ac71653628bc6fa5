//! `[terminal]`: mouse, theme, highlight, bidi and instant digits, each by its flag, and each reset on
//! exit.

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
fn boxed_theme_measures_in_columns() {
    let input = file("terminal_box.json", DATABASE);
    let mut pty = Pty::askback(&[
        "ask", "--theme", "boxed", "--source", "builder", "--json", &input,
    ]);
    pty.shows("enter select");
    let screen = pty.screen();
    let edges: Vec<Option<char>> = screen.iter().map(|line| line.chars().nth(58)).collect();
    let last = edges.len() - 1;
    assert_eq!(
        (edges[0], edges[last]),
        (Some('╮'), Some('╯')),
        "{screen:?}"
    );
    assert!(
        edges[1..last].iter().all(|edge| *edge == Some('│')),
        "{screen:?}"
    );
    assert!(pty.log().contains("\x1b[59G"));
    pty.send("2");
    assert_eq!(pty.ends(), 0);
    assert_eq!(pty.screen(), ["✔ Database: MongoDB", "MongoDB"]);
}

/// A chosen row is highlighted, except without colours or with reduced motion.
#[test]
fn chosen_row_is_highlighted() {
    let input = file("terminal_flash.json", DATABASE);
    let lit = |args: &[&str], vars: &[(&str, &str)]| {
        let mut all = vec![("ASKBACK_ARM_MS", "0")];
        all.extend(vars);
        let args = [&["ask", "--json", input.as_str()], args].concat();
        let mut pty = Pty::with(&args, &all, (60, 20));
        pty.shows("enter select");
        pty.send("2");
        assert_eq!(pty.ends(), 0);
        pty.log().contains("\x1b[1;7;32mMongoDB")
    };
    assert!(lit(&[], &[]));
    assert!(!lit(&["--reduced-motion", "on"], &[]));
    assert!(!lit(&[], &[("ASKBACK_REDUCED_MOTION", "on")]));
    assert!(!lit(&[], &[("NO_COLOR", "1")]));
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

/// A digit answers without enter, anything else needs enter, and the terminal is restored.
#[test]
fn instant_digit_answers_without_enter() {
    let input = file("terminal_instant.json", DATABASE);
    let script = format!(
        "stty -g > {input}.before; \"$ASKBACK\" ask --lines --instant on --json {input}; \
         stty -g > {input}.after"
    );
    let mut pty = Pty::shell(&script, &[]);
    pty.shows("or ? for help:");
    pty.send("?\n");
    super::support::pty::until("the help", || {
        pty.log().matches("or ? for help:").count() == 2
    });
    pty.send("2");
    pty.shows("Chosen: MongoDB. Sent.");
    assert_eq!(pty.ends(), 0);
    assert!(!pty.log().contains('\x1b'));
    let read = |name: &str| std::fs::read_to_string(format!("{input}.{name}")).expect("written");
    assert_eq!(read("before"), read("after"));
}

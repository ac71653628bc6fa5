//! `askback ask` at a terminal, in a pipe, and killed.

use std::fs;

use super::support::pty::Pty;
use super::support::run_binary::{askback, file};

const DATABASE: &str = r#"{"questions": [{"question": "Which database should we use?", "header": "Database",
  "options": [{"label": "PostgreSQL", "description": "Relational"}, {"label": "MongoDB"}, {"label": "SQLite"}]}]}"#;

/// Every terminal mode must be reset when the prompt ends.
fn assert_restored(log: &str) {
    for mode in [
        "\x1b[?2004l",
        "\x1b[?1004l",
        "\x1b[<1u",
        "\x1b[23;2t",
        "\x1b[?25h",
        "\x1b[0m",
    ] {
        assert!(log.contains(mode), "{mode:?} is missing");
    }
    assert!(
        log.ends_with('\n') || log.ends_with("\x1b[?25h"),
        "{:?}",
        &log[log.len().saturating_sub(80)..]
    );
}

/// The cursor keys move the focus, enter answers, and one line remains.
#[test]
fn answer_leaves_one_line_and_one_json_line() {
    let input = file("ask_answer.json", DATABASE);
    let out = file("ask_answer.out", "");
    let script = format!(
        "echo before; \"$ASKBACK\" ask --source builder --output json --json {input} > {out}"
    );
    let mut pty = Pty::shell(&script, &[]);
    pty.shows("enter select");
    let screen = pty.screen();
    assert_eq!(screen[0], "before");
    assert!(
        screen[1].starts_with("╭─ Database ─╮  builder asks"),
        "{screen:?}"
    );
    pty.send("\x1b[B");
    pty.shows("> 2 ○ MongoDB");
    let row = pty
        .screen()
        .iter()
        .position(|line| line.contains("> 2 ○"))
        .expect("it is shown");
    assert_eq!(pty.cursor(), (u16::try_from(row).expect("a row"), 9));
    pty.send("\r");
    assert_eq!(pty.ends(), 0);
    assert_eq!(pty.screen(), ["before", "✔ Database: MongoDB"]);
    let printed = fs::read_to_string(&*out).expect("the outcome is printed");
    assert_eq!(
        printed,
        "{\"answers\":{\"q1\":{\"values\":[\"MongoDB\"]}},\"type\":\"answered\"}\n"
    );
    assert_restored(&pty.log());
}

/// Keys typed before the question, or just as it appears, answer nothing.
#[test]
fn typeahead_answers_nothing() {
    let input = file("ask_ahead.json", DATABASE);
    let mut pty = Pty::with(
        &["ask", "--json", &input],
        &[("ASKBACK_ARM_MS", "600000")],
        (60, 20),
    );
    pty.send("\r 1\r");
    pty.shows("enter select");
    pty.send("\r1 ");
    pty.send("\x1b[B");
    pty.shows("> 2 ○ MongoDB");
    pty.send("\x03");
    assert_eq!(pty.ends(), 130);
    assert!(!pty.log().contains('✔'));
}

/// The ways to leave, their confirmations, and their exit codes.
#[test]
fn leaving_has_its_own_exit_codes() {
    let input = file("ask_leave.json", DATABASE);
    for (keys, asks, code) in [
        ("\r", None, 3),
        ("j\r", Some("Let the agent decide?"), 7),
        ("G\r", Some("Stop the agent?"), 4),
    ] {
        let mut pty = Pty::askback(&["ask", "--json", &input]);
        pty.shows("enter select");
        pty.send("\x1b");
        pty.shows("Leave this question?");
        pty.shows("(the question is not saved)");
        pty.send(keys);
        if let Some(asks) = asks {
            pty.shows(asks);
            pty.send("y");
        }
        assert_eq!(pty.ends(), code);
    }
}

/// After resizing, the screen equals that of a fresh prompt, and shows the question once.
#[test]
fn resizing_leaves_no_artifacts() {
    let input = file("ask_resize.json", DATABASE);
    let fresh = Pty::askback(&["ask", "--json", &input]);
    fresh.shows("enter select");
    let expected = fresh.screen();
    fresh.kill();
    let mut pty = Pty::with(
        &["ask", "--json", &input],
        &[("ASKBACK_ARM_MS", "0")],
        (80, 20),
    );
    pty.shows("enter select");
    pty.resize(36, 20);
    pty.shows("v read");
    pty.resize(120, 20);
    pty.shows("enter select");
    pty.resize(60, 20);
    pty.send("\x1b[B");
    pty.shows("> 2 ○ MongoDB");
    pty.send("\x1b[A");
    pty.shows("> 1 ○ PostgreSQL");
    assert_eq!(pty.screen(), expected);
    pty.send("\x03");
    assert_eq!(pty.ends(), 130);
}

/// No colour codes without colours, only bold and faint, and none beyond 16 with 16 colours.
#[test]
fn colours_follow_the_environment() {
    let input = file("ask_colour.json", DATABASE);
    let vars = [("ASKBACK_ARM_MS", "0"), ("NO_COLOR", "1")];
    let mut plain = Pty::with(&["ask", "--json", &input], &vars, (60, 20));
    plain.shows("enter select");
    let bare = plain.screen();
    plain.send("\x03");
    plain.ends();
    let log = plain.log();
    let codes = log.split("\x1b[").filter_map(|part| part.split_once('m'));
    let codes: Vec<&str> = codes.map(|(code, _)| code).collect();
    let is_sgr = |code: &&str| code.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b';'));
    let mut sgr = codes.iter().copied().filter(is_sgr);
    assert!(sgr.all(|code| matches!(code, "0" | "1" | "2")), "{codes:?}");
    let mut coloured = Pty::askback(&["ask", "--json", &input]);
    coloured.shows("enter select");
    assert_eq!(coloured.screen(), bare);
    coloured.send("\x03");
    coloured.ends();
    assert!(coloured.log().contains("\x1b[94m") && !coloured.log().contains("38;2"));
}

/// Line mode never moves the cursor, prints every choice once, and repeats the chosen one.
#[test]
fn line_mode_only_writes_lines() {
    let input = file("ask_lines.json", DATABASE);
    let vars = [("ACCESSIBLE", "1")];
    let mut pty = Pty::with(
        &["ask", "--source", "builder", "--json", &input],
        &vars,
        (60, 20),
    );
    pty.shows("Type 1 to 4, or ? for help:");
    pty.send("2\n");
    pty.shows("Chosen: MongoDB. Sent.");
    assert_eq!(pty.ends(), 0);
    let log = pty.log();
    assert!(!log.contains('\x1b'), "{log:?}");
    assert_eq!(log.matches("2. MongoDB.").count(), 1);
}

/// A terminal below 20 by 6 is asked line by line.
#[test]
fn tiny_terminal_uses_lines() {
    let input = file("ask_tiny.json", DATABASE);
    let mut pty = Pty::with(&["ask", "--json", &input], &[], (18, 5));
    pty.shows("for help:");
    pty.send("1\n");
    assert_eq!(pty.ends(), 0);
}

/// Without a terminal the command ends at once and writes no escape sequence.
#[test]
fn pipe_is_not_prompted() {
    let input = file("ask_pipe.json", DATABASE);
    let run = askback(&["ask", "--json", &input], "\n");
    assert_eq!((run.code, run.out.as_str()), (Some(3), ""));
    assert!(
        run.err
            .contains("no interactive terminal, nothing was answered"),
        "{}",
        run.err
    );
    // It says what to do.
    assert!(run.err.contains("--tty") && run.err.contains("--durable"));
    assert!(!run.err.contains('\x1b'));
    let run = askback(&["ask", "--json", "-"], DATABASE);
    assert_eq!(run.code, Some(3));
    let run = askback(&["ask", "--json", "-"], "{}");
    assert_eq!(run.code, Some(2));
}

/// With --tty, the question can come through a pipe.
#[test]
fn piped_question_is_asked_with_tty() {
    let input = file("ask_tty.json", DATABASE);
    let script = format!(
        "ANSWER=$(cat {input} | \"$ASKBACK\" ask --tty --output result) ; echo \"[$ANSWER]\""
    );
    let mut pty = Pty::shell(&script, &[]);
    pty.shows("enter select");
    pty.send("3");
    pty.shows("SQLite");
    assert_eq!(pty.ends(), 0);
    assert!(
        pty.screen().iter().any(|line| line.starts_with('[')),
        "{:?}",
        pty.screen()
    );
}

/// An unfocused terminal is notified once, and its title is saved and restored.
#[test]
fn unfocused_terminal_is_notified_once() {
    let input = file("ask_bell.json", DATABASE);
    let mut pty = Pty::askback(&["ask", "--source", "builder", "--json", &input]);
    pty.shows("enter select");
    pty.writes("\x1b]2;? Database - builder\x07");
    pty.send("\x1b[O");
    pty.writes("\x07\x1b]9;? Database - builder\x1b\\");
    pty.send("\x1b[I\x1b[O\x1b[B");
    pty.shows("> 2 ○ MongoDB");
    pty.send("\x03");
    pty.ends();
    assert_eq!(pty.log().matches("\x1b]9;").count(), 1);
    let mut focused = Pty::askback(&["ask", "--json", &input]);
    focused.shows("enter select");
    focused.send("\x1b[I\x1b[O\x1b[B");
    focused.shows("> 2 ○ MongoDB");
    focused.send("\x03");
    focused.ends();
    assert!(!focused.log().contains("\x1b]9;"));
}

/// A question without an answer in time expires.
#[test]
fn deadline_expires() {
    let input = file("ask_expire.json", DATABASE);
    let args = [
        "ask",
        "--output",
        "json",
        "--expires-in",
        "2s",
        "--json",
        &input,
    ];
    let mut pty = Pty::askback(&args);
    pty.shows("any key keeps it open");
    assert_eq!(pty.ends(), 6);
    assert!(
        pty.screen()
            .iter()
            .any(|line| line.starts_with("! Database: no answer by")),
        "{:?}",
        pty.screen()
    );
    assert!(pty.log().contains("{\"type\":\"expired\"}"));
}

/// The editor opens with the text, and its result is used.
#[test]
fn editor_writes_the_answer() {
    let input = file("ask_editor.json", DATABASE);
    let vars = [
        ("ASKBACK_ARM_MS", "0"),
        ("EDITOR", "printf ' from the editor' >>"),
    ];
    let mut pty = Pty::with(&["ask", "--json", &input], &vars, (60, 20));
    pty.shows("enter select");
    pty.send("4mine\x07");
    pty.shows("mine from the editor");
    pty.send("\r");
    assert_eq!(pty.ends(), 0);
    pty.shows("✔ Database: mine from the editor (own answer)");
}

/// Nothing that an agent writes reaches the terminal as an escape sequence.
#[test]
fn hostile_text_reaches_the_terminal_as_text() {
    let evil = r"x\u001b]52;c;ZXZpbA==\u0007\u009b31m\u202ey\rz\u001b]8;;http://e\u001b\\w";
    let choices = format!("[\"a{evil}\", \"b{evil}\"]");
    let question =
        format!("{{\"questions\": [{{\"question\": \"{evil}\", \"options\": {choices}}}]}}");
    let input = file("ask_evil.json", question);
    let mut pty = Pty::askback(&["ask", "--source", "evil\x1b]0;t\x07", "--json", &input]);
    pty.shows("enter select");
    pty.send("\x03");
    pty.ends();
    let log = pty.log();
    for bad in ["\x1b]52", "\x1b]8", "\x1b]0", "\u{9b}", "\u{202e}"] {
        assert!(!log.contains(bad), "{bad:?}");
    }
}

/// Without a store, a deadline also ends the prompt, in frames and in lines, with its own exit code
/// and outcome.
#[test]
fn deadline_ends_a_prompt_without_a_store() {
    let input = file("ask_expires.json", DATABASE);
    for lines in [false, true] {
        let out = file(&format!("ask_expires_{lines}.out"), "");
        let flag = if lines { "--lines" } else { "" };
        let script = format!(
            "\"$ASKBACK\" ask --output json --expires-in 2s {flag} --json {input} > {out}; echo code $?"
        );
        let mut pty = Pty::shell(&script, &[]);
        pty.shows("code 6");
        assert_eq!(pty.ends(), 0);
        let log = pty.log();
        assert!(log.contains("closes "), "{log}");
        let screen = pty.screen().join("\n");
        assert!(screen.contains("! Database: no answer by "), "{screen}");
        let printed = fs::read_to_string(&*out).expect("the outcome is printed");
        assert_eq!(printed, "{\"type\":\"expired\"}\n");
        assert_eq!(lines, !log.contains('\x1b'), "{log}");
    }
}

/// A line typed before the question was printed answers nothing; ctrl+c leaves.
#[test]
fn line_mode_ignores_typeahead() {
    let input = file("ask_lines_ahead.json", DATABASE);
    let script = format!("read -r go; \"$ASKBACK\" ask --lines --json {input}; echo code $?");
    let mut pty = Pty::shell(&script, &[]);
    pty.send("go\n1\n");
    pty.shows("for help:");
    pty.send("2\n");
    pty.shows("Chosen: MongoDB. Sent.");
    pty.shows("code 0");
    assert_eq!(pty.ends(), 0);
    let mut pty = Pty::with(&["ask", "--lines", "--json", &input], &[], (60, 20));
    pty.shows("for help:");
    pty.send("\x03");
    assert_eq!(pty.ends(), 130);
}

/// A question can be asked without writing a file, in every kind, and a script gets the answer
/// as text.
#[test]
fn question_and_options_can_be_arguments() {
    for (args, ready, keys, printed) in [
        ("\"Which region?\" Europe Asia", "> 1 ○ Europe", "2", "Asia"),
        (
            "--several \"Which tests?\" unit browser load",
            "> 1 ☐ unit",
            "13\r",
            "unit\nload",
        ),
        (
            "--other \"Which region?\" Europe Asia",
            "> 1 ○ Europe",
            "2",
            "Asia",
        ),
        (
            "\"What is it called?\"",
            "What is it called?",
            "Ostrich\r",
            "Ostrich",
        ),
        ("--number \"How many?\"", "How many?", "12\r", "12"),
        ("--date \"When?\"", "When?", "2027-03-27\r", "2027-03-27"),
    ] {
        let script = format!("ANSWER=$(\"$ASKBACK\" ask {args}); echo \"code $? [$ANSWER]\"");
        let mut pty = Pty::shell(&script, &[]);
        pty.shows(ready);
        pty.send(keys);
        assert_eq!(pty.ends(), 0, "{args}");
        let screen = pty.screen().join("\n");
        assert!(screen.contains(&format!("code 0 [{printed}]")), "{screen}");
    }
}

/// `askback ask --confirm … && deploy` must not deploy after a no. The exit code is the answer; only another format prints
/// it, too.
#[test]
fn only_yes_confirms() {
    let json = |value| {
        format!("{{\"answers\":{{\"q1\":{{\"values\":[\"{value}\"]}}}},\"type\":\"answered\"}}\n")
    };
    for (key, flags, code, printed) in [
        ("y", "", 0, String::new()),
        ("n", "", 8, String::new()),
        ("y", "--output json", 0, json("yes")),
        ("n", "--output json", 8, json("no")),
    ] {
        let out = file(&format!("ask_confirm_{key}{}.out", flags.len()), "");
        let script = format!("\"$ASKBACK\" ask {flags} --confirm \"Deploy now?\" > {out}");
        let mut pty = Pty::shell(&script, &[]);
        pty.shows("> 1 ○ Yes");
        pty.send(key);
        assert_eq!(pty.ends(), code);
        let out = fs::read_to_string(&*out).expect("the output is written");
        assert_eq!(out, printed);
    }
}

/// The lines of standard input are options, any number of them, and what is typed shows those that match. Keys come from the
/// terminal.
#[test]
fn lines_of_standard_input_are_options() {
    let script = "ANSWER=$(seq -f 'host-%g.example' 300 | \"$ASKBACK\" ask \"Which host?\"); echo \"code $? [$ANSWER]\"";
    let mut pty = Pty::shell(script, &[]);
    pty.shows(">   1 ○ host-1.example");
    pty.send("27");
    pty.shows(">  27 ○ host-27.example");
    pty.send("7.");
    pty.shows("> 277 ○ host-277.example");
    pty.send("\r");
    assert_eq!(pty.ends(), 0);
    let screen = pty.screen().join("\n");
    assert!(screen.contains("code 0 [host-277.example]"), "{screen}");
    // A list that is short, with empty and repeated lines, of which several can be chosen.
    let script = "ANSWER=$(printf 'unit\\n\\nunit\\nload\\n' | \"$ASKBACK\" ask --several \"Which tests?\"); echo \"code $? [$ANSWER]\"";
    let mut pty = Pty::shell(script, &[]);
    pty.shows("> 1 ☐ unit");
    pty.send("12\r");
    assert_eq!(pty.ends(), 0);
    let screen = pty.screen().join("\n");
    assert!(screen.contains("code 0 [unit\nload]"), "{screen}");
}

/// Enter gives the default unless it is changed, in frames and in lines.
#[test]
fn enter_gives_the_default() {
    for (args, ready, printed) in [
        (
            "--default Asia \"Which region?\" Europe Asia",
            "Asia",
            "Asia",
        ),
        (
            "--several --default unit --default load \"Which tests?\" unit browser load",
            "load",
            "unit\nload",
        ),
        (
            "--default Ostrich \"What is it called?\"",
            "Ostrich",
            "Ostrich",
        ),
        ("--number --default 12 \"How many?\"", "12", "12"),
        ("--confirm --default yes \"Deploy now?\"", "Yes", ""),
    ] {
        for lines in ["", "--lines"] {
            let script =
                format!("ANSWER=$(\"$ASKBACK\" ask {lines} {args}); echo \"code $? [$ANSWER]\"");
            let mut pty = Pty::shell(&script, &[]);
            pty.shows(ready);
            pty.shows(if lines.is_empty() {
                "enter"
            } else {
                "for help:"
            });
            pty.send(if lines.is_empty() { "\r" } else { "\n" });
            assert_eq!(pty.ends(), 0, "{args}");
            let screen = pty.screen().join("\n");
            assert!(screen.contains(&format!("code 0 [{printed}]")), "{screen}");
        }
    }
    let run = askback(
        &["ask", "--default", "Africa", "Which?", "Europe", "Asia"],
        "",
    );
    assert_eq!(run.code, Some(2));
    assert!(
        run.err
            .contains("--default Africa: there is no such option."),
        "{}",
        run.err
    );
}

/// Where no agent asks, none is offered to decide or to be stopped.
#[test]
fn script_has_no_agent_to_stop() {
    for (flags, offers) in [
        ("", "Leave without answering"),
        ("--lines", "1. Leave without answering"),
    ] {
        let script =
            format!("\"$ASKBACK\" ask {flags} \"Which region?\" Europe Asia; echo code $?");
        let mut pty = Pty::shell(&script, &[]);
        pty.shows("Europe");
        if flags.is_empty() {
            pty.shows("enter select");
            pty.send("\x1b");
        } else {
            pty.shows("for help:");
            pty.send("q\n");
        }
        pty.shows(offers);
        assert!(!pty.log().contains("agent"), "{}", pty.log());
        pty.send(if flags.is_empty() { "\r" } else { "1\n" });
        pty.shows("code 3");
        assert_eq!(pty.ends(), 0);
    }
}

/// A refusal speaks of the arguments, and a file is not taken for a question.
#[test]
fn wrong_arguments_are_explained() {
    let input = file("ask_arguments.json", DATABASE);
    let long = "x".repeat(101);
    let labels: Vec<String> = (0..60).map(|at| at.to_string()).collect();
    let mut many = vec!["--durable", "Which?"];
    many.extend(labels.iter().map(String::as_str));
    for (args, says) in [
        (
            &["--durable", "Which?", "a", "a"] as &[&str],
            "Option 2 has the label of an earlier choice",
        ),
        (&["Which?", "a", "a"], "Two options are the same."),
        (&["Which?", "a", " "], "Option 2 is empty."),
        (&["--several", "Which?"], "There is nothing to choose from"),
        (
            &["--durable", "Which?", "a", &long],
            "Option 2 has 101 characters: write at most 100.",
        ),
        (
            &many,
            "There are 60 options: a stored question has at most 20.",
        ),
        (&[" "], "The question is empty"),
        (&["missing.json"], "askback ask --json missing.json"),
        (&[&input], "looks like a file"),
    ] {
        let args = [&["ask"], args].concat();
        let run = askback(&args, "");
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.err.contains(says), "{}", run.err);
    }
}

/// What the first frame costs is measured by `scripts/first-frame`. What made it slow must not come
/// back: a runtime with threads, a database.
#[cfg(target_os = "linux")]
#[test]
fn first_frame_needs_one_thread_and_no_database() {
    let pty = Pty::askback(&["ask", "Which region?", "Europe", "Asia"]);
    pty.shows("enter select");
    let status = pty.proc_file("status");
    assert!(status.contains("Threads:\t1\n"), "{status}");
    let maps = pty.proc_file("maps");
    assert!(!maps.contains(".db"), "{maps}");
    pty.kill();
}

//! `askback ask --durable`: question and draft survive the prompt.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use super::support::pty::{Pty, until};
use super::support::run_binary::{ScratchPath, askback, file};

const QUESTION: &str = r#"{"questions": [{"question": "Which database should we use?", "header": "Database",
  "options": [{"label": "PostgreSQL"}, {"label": "MongoDB"}]}]}"#;

/// A killed prompt is resumed by its key, with its draft.
#[test]
fn killed_prompt_is_resumed() {
    let (input, data) = (
        file("durable_kill.json", QUESTION),
        ScratchPath::new("data"),
    );
    let args = [
        "ask",
        "--durable",
        "--key",
        "db",
        "--data",
        &data,
        "--json",
        &input,
    ];
    let mut pty = Pty::askback(&args);
    pty.shows("enter select");
    pty.send("nwhy\r3half of it");
    pty.shows("half of it");
    until("the draft is stored", || draft_holds(&data, "half of it"));
    pty.kill();
    let mut again = Pty::askback(&args);
    again.shows("half of it");
    again.shows("Note: why");
    again.send("\r");
    assert_eq!(again.ends(), 0);
    again.shows("half of it");
}

/// Without a terminal, `--wait` says where to answer before it waits, and prints the answer that is given there.
#[test]
fn waiting_without_a_terminal_says_where_to_answer() {
    let data = ScratchPath::new("data");
    let args = ["ask", "--durable", "--wait", "--data", &data];
    let mut asking = Command::new(env!("CARGO_BIN_EXE_askback"))
        .args([&args[..], &["Ship?", "Yes", "No"]].concat())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let said = BufReader::new(asking.stderr.take().expect("a pipe"));
    let mut lines = said.lines().map_while(Result::ok);
    let command = lines.find_map(|line| Some(line.split_once("askback answer ")?.1.to_owned()));
    let id = command.expect("the command is named")[..30].to_owned();
    let answered = askback(&["answer", &id, "--text", "Yes", "--data", &data], "");
    assert_eq!(answered.code, Some(0), "{}", answered.err);
    let ended = asking.wait_with_output().expect("it ends");
    assert!(ended.status.success());
    assert_eq!(String::from_utf8_lossy(&ended.stdout), "Yes\n");
}

/// Whether the store of a data directory holds a text yet.
fn draft_holds(data: &str, text: &str) -> bool {
    let files = std::fs::read_dir(data).into_iter().flatten().flatten();
    files
        .map(|file| std::fs::read(file.path()).unwrap_or_default())
        .any(|bytes| {
            bytes
                .windows(text.len())
                .any(|window| window == text.as_bytes())
        })
}

/// An answer from elsewhere closes the frame and shows who gave it.
#[test]
fn answer_from_elsewhere_ends_the_prompt() {
    let (input, data) = (
        file("durable_else.json", QUESTION),
        ScratchPath::new("data"),
    );
    let args = [
        "ask",
        "--durable",
        "--output",
        "json",
        "--data",
        &data,
        "--json",
        &input,
    ];
    let mut pty = Pty::askback(&args);
    pty.shows("enter select");
    let listed = askback(&["list", "--json", "--data", &data], "");
    let id = listed
        .out
        .split('"')
        .find(|word| word.starts_with("inq_"))
        .expect("it is listed")
        .to_owned();
    let run = askback(&["answer", &id, "--choose", "MongoDB", "--data", &data], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    pty.shows("✔ Database: MongoDB — answered ");
    assert_eq!(pty.ends(), 0);
    assert!(
        pty.log()
            .contains("{\"answers\":{\"q1\":{\"values\":[\"MongoDB\"]}},\"type\":\"answered\"}")
    );
}

/// Without a terminal the question is stored; its id and how to answer it are printed.
#[test]
fn ask_without_a_terminal_stores_the_question() {
    let (input, data) = (
        file("durable_pipe.json", QUESTION),
        ScratchPath::new("data"),
    );
    let run = askback(&["ask", "--durable", "--data", &data, "--json", &input], "");
    assert_eq!(run.code, Some(3), "{}", run.err);
    assert!(
        run.err.contains("inq_") && run.err.contains("askback answer inq_"),
        "{}",
        run.err
    );
    assert!(!run.err.contains('\x1b'));
    let listed = askback(&["list", "--data", &data], "");
    assert!(
        listed.out.contains("Database") || listed.out.contains("inq_"),
        "{}",
        listed.out
    );
}

/// Leaving keeps the question open; rejecting resolves it.
#[test]
fn leaving_keeps_the_question_open() {
    let (input, data) = (
        file("durable_leave.json", QUESTION),
        ScratchPath::new("data"),
    );
    let args = [
        "ask",
        "--durable",
        "--key",
        "db",
        "--data",
        &data,
        "--json",
        &input,
    ];
    let mut pty = Pty::askback(&args);
    pty.shows("enter select");
    pty.send("\x03");
    assert_eq!(pty.ends(), 130);
    pty.shows("still open");
    let mut again = Pty::askback(&args);
    again.shows("enter select");
    again.send("\x1b");
    again.shows("(the question stays open)");
    again.send("G\r");
    again.shows("Stop the agent?");
    again.send("y");
    assert_eq!(again.ends(), 4);
    again.shows("✘ Database: agent stopped");
    let listed = askback(&["list", "--json", "--data", &data], "");
    assert_eq!(listed.out, "");
}

/// The id of the only pending question.
fn only(data: &str) -> String {
    let listed = askback(&["list", "--json", "--data", data], "");
    let mut words = listed.out.split('"');
    let id = words.find(|word| word.starts_with("inq_"));
    id.expect("it is listed").to_owned()
}

/// While line mode waits for a line, it prints an answer from elsewhere and who gave it,
/// once.
#[test]
fn line_mode_shows_an_answer_from_elsewhere() {
    let (input, data) = (
        file("durable_lines.json", QUESTION),
        ScratchPath::new("data"),
    );
    let vars = [("ACCESSIBLE", "1")];
    let args = [
        "ask",
        "--durable",
        "--output",
        "json",
        "--data",
        &data,
        "--json",
        &input,
    ];
    let mut pty = Pty::with(&args, &vars, (80, 24));
    pty.shows("for help:");
    let id = only(&data);
    let run = askback(&["answer", &id, "--choose", "MongoDB", "--data", &data], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    pty.shows("✔ Database: MongoDB — answered ");
    assert_eq!(pty.ends(), 0);
    let log = pty.log();
    assert!(
        log.contains("for help: \r\n✔ Database"),
        "on a fresh line: {log}"
    );
    assert_eq!(log.matches("— answered ").count(), 1, "{log}");
    assert!(log.contains("\"type\":\"answered\""), "{log}");
    assert!(!log.contains('\x1b'), "{log}");
}

/// A draft typed in lines is saved, and typing stops the deadline.
#[test]
fn line_mode_saves_the_draft_and_stops_the_deadline() {
    let (input, data) = (
        file("durable_draft.json", QUESTION),
        ScratchPath::new("data"),
    );
    let vars = [("ACCESSIBLE", "1")];
    let args = [
        "ask",
        "--output",
        "json",
        "--durable",
        "--key",
        "db",
        "--expires-in",
        "50s",
        "--data",
        &data,
        "--json",
        &input,
    ];
    let mut pty = Pty::with(&args, &vars, (80, 24));
    pty.shows("This question closes at");
    pty.shows("for help:");
    let expires = || askback(&["list", "--json", "--data", &data], "").out;
    assert!(expires().contains("\"expires_at\":\""), "{}", expires());
    pty.send("n\n");
    pty.shows("Your note");
    pty.send("for the tests\n");
    until("the deadline is stopped", || {
        !expires().contains("\"expires_at\":\"")
    });
    until("the draft is stored", || {
        draft_holds(&data, "for the tests")
    });
    pty.send("\x04");
    assert_eq!(pty.ends(), 3);
    pty.shows("still open");
    let mut again = Pty::with(&args, &vars, (80, 24));
    again.shows("for help:");
    again.send("1\n");
    assert_eq!(again.ends(), 0);
    again.shows("\"note\":\"for the tests\"");
}

/// A server that is killed while a prompt is open is replaced, and the answer arrives.
#[test]
fn killed_server_is_replaced_under_a_prompt() {
    use super::support::server_process::{Directory, Server, TOKEN};
    let directory = Directory::new();
    let server = Server::start(&directory, &serde_json::json!({"steps": [{"say": "Hi"}]}));
    let input = file("durable_server.json", QUESTION);
    let path = directory.path().join("data");
    let path = path.to_str().expect("the path is text");
    let vars = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];
    let args = ["ask", "--durable", "--data", path, "--json", &input];
    let mut pty = Pty::with(&args, &vars, (60, 20));
    pty.shows("enter select");
    server.kill();
    pty.send("2");
    assert_eq!(pty.ends(), 0);
    pty.shows("✔ Database: MongoDB");
}

/// Two jobs that ask the same thing get their own questions and answers.
#[test]
fn equal_questions_are_not_shared() {
    let (input, data) = (
        file("durable_equal.json", QUESTION),
        ScratchPath::new("data"),
    );
    let ask = || {
        let args = [
            "ask",
            "--durable",
            "--source",
            "ci",
            "--data",
            &data,
            "--json",
            &input,
        ];
        let run = askback(&args, "");
        assert_eq!(run.code, Some(3), "{}", run.err);
        let id = run
            .err
            .split_whitespace()
            .find(|word| word.starts_with("inq_"));
        id.expect("its id is said")
            .trim_end_matches([',', '.', ':'])
            .to_owned()
    };
    let (first, second) = (ask(), ask());
    assert_ne!(first, second);
    let run = askback(
        &["answer", &first, "--choose", "MongoDB", "--data", &data],
        "",
    );
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_eq!(only(&data), second, "the other one still waits");
}

/// A second run with the key resumes the same question, up to its outcome; another question
/// under that key is refused.
#[test]
fn key_names_one_question() {
    let (input, data) = (file("durable_key.json", QUESTION), ScratchPath::new("data"));
    let ask = |input: &str| {
        let args = [
            "ask",
            "--durable",
            "--key",
            "release-42",
            "--data",
            &data,
            "--json",
            input,
        ];
        askback(&args, "")
    };
    assert_eq!(ask(&input).code, Some(3));
    let id = only(&data);
    assert_eq!(ask(&input).code, Some(3));
    assert_eq!(only(&data), id, "the same question");
    let other = QUESTION.replace("Which database", "Which other database");
    let refused = ask(&file("durable_key_other.json", other));
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(
        refused.err.contains("release-42") && refused.err.contains("another question"),
        "{}",
        refused.err
    );
    let run = askback(&["answer", &id, "--choose", "MongoDB", "--data", &data], "");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let run = ask(&input);
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("MongoDB"), "{}", run.out);
}

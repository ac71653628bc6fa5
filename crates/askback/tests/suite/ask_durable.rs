//! `askback ask --durable`: what is asked and typed outlives the prompt.

use super::binary::{askback, file};
use super::pty::{Pty, until};

const QUESTION: &str = r#"{"questions": [{"question": "Which database should we use?", "header": "Database",
  "options": [{"label": "PostgreSQL"}, {"label": "MongoDB"}]}]}"#;

pub(super) fn data(name: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    // Left over from an earlier run, if at all.
    drop(std::fs::remove_dir_all(&path));
    path
}

/// T18: a killed prompt is resumed with everything that was typed.
#[test]
fn killed_prompt_is_resumed() {
    let (input, data) = (file("durable_kill.json", QUESTION), data("durable_kill"));
    let args = ["ask", "--durable", "--data", &data, &input];
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

/// T33: an answer from elsewhere takes the frame away and says who gave it.
#[test]
fn answer_from_elsewhere_ends_the_prompt() {
    let (input, data) = (file("durable_else.json", QUESTION), data("durable_else"));
    let mut pty = Pty::askback(&["ask", "--durable", "--data", &data, &input]);
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
    pty.shows("✔ Database: MongoDB — answered by");
    assert_eq!(pty.ends(), 0);
    assert!(
        pty.log()
            .contains("{\"answers\":{\"q1\":{\"values\":[\"MongoDB\"]}},\"type\":\"answered\"}")
    );
}

/// T27: without a terminal the question is kept, with its id and how to answer it.
#[test]
fn pipe_keeps_the_question() {
    let (input, data) = (file("durable_pipe.json", QUESTION), data("durable_pipe"));
    let run = askback(&["ask", "--durable", "--data", &data, &input], "");
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

/// Leaving keeps the question; rejecting ends it.
#[test]
fn leaving_keeps_the_question_open() {
    let (input, data) = (file("durable_leave.json", QUESTION), data("durable_leave"));
    let args = ["ask", "--durable", "--data", &data, &input];
    let mut pty = Pty::askback(&args);
    pty.shows("enter select");
    pty.send("\x03");
    assert_eq!(pty.ends(), 130);
    pty.shows("kept open");
    let mut again = Pty::askback(&args);
    again.shows("enter select");
    again.send("\x1b");
    again.shows("(nothing is lost)");
    again.send("2");
    assert_eq!(again.ends(), 4);
    again.shows("✘ Database: rejected");
    let listed = askback(&["list", "--json", "--data", &data], "");
    assert_eq!(listed.out, "");
}

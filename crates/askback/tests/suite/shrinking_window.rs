//! When the window shrinks below 20 by 6, the prompt continues line by line with its draft.

use serde_json::json;

use super::support::pty::Pty;
use super::support::run_binary::{ScratchPath, file};
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::within;

const TWO: &str = r#"{"questions": [
  {"question": "Which extras?", "header": "Extras", "multiSelect": true,
   "options": [{"label": "Docker"}, {"label": "Tests"}, {"label": "Docs"}]},
  {"question": "Which database?", "header": "Database",
   "options": [{"label": "PostgreSQL"}, {"label": "SQLite"}]}]}"#;

const VARS: [(&str, &str); 2] = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];

/// Selections and a half-typed answer are kept, and the visible question continues.
#[test]
fn prompt_continues_in_lines() {
    let input = file("small_two.json", TWO);
    let mut pty = Pty::askback(&["ask", "--output", "json", "--json", &input]);
    pty.shows("Which extras?");
    pty.send("13\t");
    pty.shows("Which database?");
    pty.send("3anv");
    pty.shows("anv");
    pty.resize(19, 20);
    pty.writes("Your answer so far: anv. An empty line keeps it.");
    pty.writes("Type 1 to 3, or ? for help:");
    pty.send("\n");
    pty.writes("1. Extras: Docker, Docs.");
    pty.send("\n");
    assert_eq!(pty.ends(), 0);
    let log = pty.log();
    let outcome =
        r#"{"answers":{"q1":{"values":["Docker","Docs"]},"q2":{"own":"anv"}},"type":"answered"}"#;
    assert!(log.contains(outcome), "{log}");
    let lines = log.split("\x1b[?25h").last().unwrap_or_default();
    assert!(
        lines.contains("Which database?") && !lines.contains('\x1b'),
        "{lines:?}"
    );
}

/// The same for a stored question.
#[test]
fn durable_prompt_continues_in_lines() {
    let (input, data) = (file("small_durable.json", TWO), ScratchPath::new("data"));
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
    pty.shows("Which extras?");
    pty.send("2\t");
    pty.shows("Which database?");
    pty.resize(60, 5);
    pty.writes("Type 1 to 3, or ? for help:");
    pty.send("1\n");
    pty.writes("1. Extras: Tests.");
    pty.send("\n");
    assert_eq!(pty.ends(), 0);
    let outcome = r#"{"answers":{"q1":{"values":["Tests"]},"q2":{"values":["PostgreSQL"]}},"type":"answered"}"#;
    assert!(pty.log().contains(outcome), "{}", pty.log());
}

/// In line mode after the window shrank, ctrl+c leaves as usual.
#[test]
fn signal_ends_line_mode_after_a_frame() {
    let input = file("small_signal.json", TWO);
    let mut pty = Pty::askback(&["ask", "--json", &input]);
    pty.shows("Which extras?");
    pty.resize(19, 5);
    pty.writes("or ? for help:");
    pty.send("\x03");
    assert_ne!(pty.ends(), 0);
}

/// The chat shows the focused choice in the space there is, accepts keys, and shows everything again when
/// the window grows.
#[tokio::test]
async fn chat_is_answered_in_a_small_window() {
    let directory = Directory::new();
    let script = json!({"steps": [
        {"say": "Hello", "calls": [{"tool": "ask_user_question", "input": {"questions": [
            {"question": "Which database?", "header": "Database", "options": ["PostgreSQL", "SQLite"]}]}}]},
        {"say": "Heard: {{answer}}"}]});
    let server = Server::start(&directory, &script);
    let path = directory.path().join("data");
    let args = ["chat", "--data", path.to_str().expect("text")];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows("Chat with General assistant");
    pty.send("hello\r");
    pty.shows("Which database?");
    pty.resize(16, 3);
    pty.send("\x1b[B");
    pty.shows(">2○ SQLite");
    let screen = pty.screen();
    assert!(screen.len() <= 3, "{screen:?}");
    pty.resize(60, 20);
    pty.shows("> 2 ○ SQLite");
    pty.resize(16, 3);
    pty.send("\r");
    pty.writes("Heard: SQLite");
    pty.resize(60, 20);
    pty.send("\x04");
    assert_eq!(pty.ends(), 0);
    server.kill();
}

/// So does the inbox.
#[tokio::test]
async fn inbox_is_answered_in_a_small_window() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Hello"}]}));
    let path = directory.path().join("data");
    let args = ["inbox", "--data", path.to_str().expect("text")];
    let question = json!({"question": "Now?", "header": "Deploy", "options": ["Yes", "No"]});
    let params = askback_wire::inquiry::NewInquiryParams {
        input: json!({ "questions": [question] }),
        ..Default::default()
    };
    let asked = server.client.ask(&params).await.expect("it is asked");
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows("1 question waiting");
    pty.resize(18, 2);
    pty.shows(">   Deploy");
    pty.send("\r");
    pty.shows(">1○ Yes");
    pty.send("\x1b[B");
    pty.shows(">2○ No");
    pty.send("\r");
    pty.resize(80, 24);
    pty.shows("Deploy: No");
    let answered = within("it is answered", async {
        loop {
            let now = server.client.inquiry(&asked.id).await.expect("it is there");
            if now.status.is_resolved() {
                return now;
            }
            tokio::task::yield_now().await;
        }
    });
    let result = answered.await.result.expect("a result").content;
    assert!(
        result.contains(r#"": "No""#) || result.contains(r#"":"No""#),
        "{result}"
    );
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    server.kill();
}

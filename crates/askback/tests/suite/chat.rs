//! `askback chat` with and without a terminal.

use askback_wire::inquiry::{InquiryStatus, NewInquiryParams};
use askback_wire::list::{ListConversationsParams, ListInquiriesParams};
use askback_wire::respond::CancelParams;
use serde_json::{Value, json};

use super::support::pty::Pty;
use super::support::raw_http::{raw, request};
use super::support::run_binary::askback;
use super::support::server_process::{Directory, Server, TOKEN};

const VARS: [(&str, &str); 2] = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];

fn script() -> Value {
    json!({"steps": [
        {"say": "# Hello\n\nSome **bold** words.", "calls": [{"tool": "ask_user_question", "input":
            {"questions": [{"question": "Which database?", "header": "Database",
                "options": ["PostgreSQL", "SQLite"]}]}}]},
        {"say": "Heard: {{answer}}"},
    ], "repeat_from": 2})
}

fn data(directory: &Directory) -> String {
    let path = directory.path().join("data");
    path.to_str().expect("the path is text").to_owned()
}

fn chat(directory: &Directory) -> Pty {
    Pty::with(&["chat", "--data", &data(directory)], &VARS, (80, 24))
}

async fn pending(server: &Server) -> askback_core::id::InquiryId {
    let all = server
        .client
        .inquiries(&ListInquiriesParams::default())
        .await;
    let all = all.expect("they are listed").items;
    all.first().expect("one waits").id.clone()
}

/// Without a provider, the chat says that a script replies, before the first message: with and without a terminal.
#[test]
fn chat_without_a_model_says_so() {
    let directory = Directory::new();
    let data = data(&directory);
    let mut pty = Pty::with(&["chat", "--data", &data], &VARS, (120, 24));
    pty.shows("No model is set up");
    pty.shows("askback chat --provider anthropic");
    pty.send("\x04");
    assert_eq!(pty.ends(), 0);
    let lines = askback(&["chat", "--data", &data], "");
    assert!(lines.err.contains("No model is set up"), "{}", lines.err);
}

/// A message that was sent right before the chat is left arrives, also the first one.
#[tokio::test]
async fn message_sent_before_leaving_arrives() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Yes."}]}));
    let mut pty = chat(&directory);
    pty.shows("Chat with General assistant");
    pty.send("last words\r\x04");
    assert_eq!(pty.ends(), 0);
    let all = ListConversationsParams::default();
    let all = server.client.conversations(&all).await.expect("listed");
    assert_eq!(all.items.len(), 1);
    let lines = server.transcript(&all.items[0].id).await;
    assert_eq!(lines.first().map(String::as_str), Some("user: last words"));
}

/// So does an answer.
#[tokio::test]
async fn answer_given_before_leaving_arrives() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let mut pty = chat(&directory);
    pty.shows("Chat with General assistant");
    pty.send("hello\r");
    pty.shows("Which database?");
    let id = pending(&server).await;
    pty.send("2\x04");
    assert_eq!(pty.ends(), 0);
    let inquiry = server.client.inquiry(&id).await.expect("it is read");
    assert_eq!(inquiry.status, InquiryStatus::Answered);
}

/// A message that cannot be sent before the chat ends is printed.
#[test]
fn unsent_message_is_printed_when_the_chat_ends() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "Yes."}]}));
    let args = ["chat", "--url", &server.address];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows("Chat with General assistant");
    server.kill();
    pty.send("last words\r");
    pty.shows("Sending");
    pty.send("\x04");
    assert_eq!(pty.ends(), 1);
    pty.shows("did not respond in time): last words");
}

/// Messages stay visible above the question, and one line remains of it.
#[tokio::test]
async fn question_appears_below_the_messages() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let mut pty = chat(&directory);
    pty.shows("Chat with General assistant");
    pty.send("hello there\r");
    pty.shows("Which database?");
    let screen = pty.screen().join("\n");
    for said in ["› hello there", "  Hello", "  Some bold words."] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
    pty.send("2");
    pty.shows("  Heard: SQLite");
    let screen = pty.screen().join("\n");
    assert!(screen.contains("✔ Database: SQLite"), "{screen}");
    assert!(!screen.contains("Which database?"), "{screen}");
    assert_eq!(screen.matches("Some bold words.").count(), 1, "{screen}");
    pty.send("\x04");
    assert_eq!(pty.ends(), 0);
    server.kill();
}

/// Stopping the agent elsewhere closes its question.
#[tokio::test]
async fn stopping_the_agent_closes_its_question() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let mut pty = chat(&directory);
    pty.shows("Chat with General assistant");
    pty.send("hello\r");
    pty.shows("Which database?");
    let id = pending(&server).await;
    let cancel = CancelParams::default();
    server
        .client
        .cancel_inquiry(&id, &cancel)
        .await
        .expect("it stops");
    pty.shows("✘ Database: agent stopped");
    pty.send("still here\r");
    pty.shows("Heard: still here");
    pty.kill();
    server.kill();
}

/// The server dies while an answer is half typed; the chat starts its own, and the draft is kept.
#[tokio::test]
async fn chat_takes_over_when_the_server_dies() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let script = directory.path().join("script.json");
    let provider = format!("scripted:{}", script.display());
    let args = ["chat", "--data", &data(&directory), "--provider", &provider];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows("Chat with General assistant");
    pty.send("hello\r");
    pty.shows("Which database?");
    pty.send("3my own");
    pty.shows("my own");
    server.kill();
    pty.send(" one\r");
    pty.shows("✔ Database: my own one (own answer)");
    pty.shows("Heard: my own one");
    pty.send("\x04");
    assert_eq!(pty.ends(), 0);
}

/// An earlier conversation is chosen from a list and shown with its messages.
#[tokio::test]
async fn earlier_conversation_is_resumed() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let id = server.begin("remember this").await;
    server.reaches(&id, "awaiting_user_response").await;
    let args = ["chat", "--resume", "--data", &data(&directory)];
    let mut pty = Pty::with(&args, &VARS, (80, 24));
    pty.shows("Earlier conversations");
    pty.shows("1 remember this");
    pty.send("\r");
    pty.shows("› remember this");
    pty.shows("Which database?");
    pty.send("1");
    pty.shows("Heard: PostgreSQL");
    pty.kill();
    server.kill();
}

/// The list has only conversations that can be continued here, and no question of an external
/// agent.
#[tokio::test]
async fn resume_list_has_no_external_questions() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let id = server.begin("remember this").await;
    server.reaches(&id, "awaiting_user_response").await;
    let external = NewInquiryParams {
        input: json!({"question": "Deploy now?", "options": ["Yes", "No"]}),
        source: Some("builder".to_owned()),
        ..NewInquiryParams::default()
    };
    server.client.ask(&external).await.expect("it is asked");
    let args = ["chat", "--resume", "--data", &data(&directory)];
    let pty = Pty::with(&args, &VARS, (80, 24));
    // The list has the newest first, so an external question would be number 1.
    pty.shows("1 remember this");
    let screen = pty.screen().join("\n");
    assert!(!screen.contains("Deploy now?"), "{screen}");
    pty.kill();
    server.kill();
}

/// A missing key is reported before the first message.
#[test]
fn missing_key_is_reported_before_the_first_message() {
    let directory = Directory::new();
    let data = data(&directory);
    let args = [
        "chat",
        "--data",
        &data,
        "--provider",
        "anthropic",
        "--model",
        "x",
    ];
    let pty = Pty::with(&args, &[], (80, 24));
    pty.shows("Chat with General assistant");
    let screen = pty.screen().join(" ");
    assert!(screen.contains("requires an API key"), "{screen}");
    pty.kill();
}

/// The printed address signs the first browser in. Afterwards it has no token.
#[test]
fn token_is_not_printed_once_a_browser_is_signed_in() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let greeting = || {
        let pty = Pty::with(&["chat", "--data", &data(&directory)], &[], (120, 24));
        pty.shows("Chat with General assistant");
        let screen = pty.screen().join("\n");
        pty.kill();
        assert!(screen.contains(&server.address), "{screen}");
        screen
    };
    let path = format!("/?token={TOKEN}");
    let first = greeting();
    assert!(first.contains(&path), "{first}");
    let host = server.address.trim_start_matches("http://");
    let (status, reply) = raw(&server, &request(&format!("GET {path}"), &[("Host", host)]));
    assert_eq!(status, 303, "{reply}");
    let second = greeting();
    assert!(!second.contains("token="), "{second}");
    server.kill();
}

/// Without a terminal, input is read line by line and replies are printed. A question stays open,
/// with exit code 3 and without escape sequences.
#[test]
fn chat_without_a_terminal_reads_lines() {
    let directory = Directory::new();
    let script_file = directory.path().join("script.json");
    let steps = json!({"steps": [{"say": "You said {{message}}"}, {"say": "Asking", "calls": [
        {"tool": "ask_user_question", "input": {"questions": [{"question": "Which database?",
            "header": "Database", "options": ["PostgreSQL", "SQLite"]}]}}]}]});
    std::fs::write(&script_file, steps.to_string()).expect("the script is written");
    let provider = format!("scripted:{}", script_file.display());
    let args = ["chat", "--data", &data(&directory), "--provider", &provider];
    let run = askback(&args, "one\n\ntwo\nthree\n");
    assert_eq!(run.code, Some(3), "{run:?}");
    assert_eq!(run.out, "You said one\nAsking\n");
    assert!(run.err.contains("askback answer inq_"), "{run:?}");
    assert!(run.err.contains("askback chat --resume cnv_"), "{run:?}");
    assert!(!run.err.contains('\x1b'), "{run:?}");
}

/// An unfocused terminal is notified once per question; its title shows the pending question.
#[tokio::test]
async fn unfocused_terminal_is_notified_once() {
    let directory = Directory::new();
    let server = Server::start(&directory, &script());
    let mut pty = chat(&directory);
    pty.shows("Chat with General assistant");
    pty.send("hello\r\x1b[O");
    pty.shows("Which database?");
    pty.writes("\x1b]9;? Database - General assistant\x1b\\");
    pty.send("\x1b[I");
    pty.send("2");
    pty.shows("Heard: SQLite");
    pty.send("\x04");
    assert_eq!(pty.ends(), 0);
    let log = pty.log();
    assert_eq!(log.matches("\x1b]9;").count(), 1, "{log}");
    assert!(
        log.contains("\x1b]2;? Database - General assistant\x07"),
        "{log}"
    );
    server.kill();
}

/// With `ACCESSIBLE` everything is printed once, and nothing moves the cursor.
#[test]
fn accessible_chat_uses_lines() {
    let directory = Directory::new();
    let script_file = directory.path().join("script.json");
    std::fs::write(&script_file, script().to_string()).expect("the script is written");
    let provider = format!("scripted:{}", script_file.display());
    let args = ["chat", "--data", &data(&directory), "--provider", &provider];
    let mut pty = Pty::with(&args, &[("ACCESSIBLE", "1")], (80, 24));
    pty.shows("Write a message:");
    pty.send("hello\n");
    pty.shows("2. SQLite.");
    pty.send("2\n");
    pty.shows("Heard: SQLite");
    pty.send("\x04");
    assert_eq!(pty.ends(), 0);
    assert!(!pty.log().contains('\x1b'), "{}", pty.log());
}

/// Leaving a question says what happened. A line that is no choice of the menu is not one.
#[test]
fn left_question_says_what_happened_in_lines() {
    for (choice, confirmed, said) in [
        ("2", "Let the agent decide?", "decision left to the agent"),
        ("3", "Stop the agent?", "agent stopped"),
    ] {
        let directory = Directory::new();
        let script_file = directory.path().join("script.json");
        std::fs::write(&script_file, script().to_string()).expect("the script is written");
        let provider = format!("scripted:{}", script_file.display());
        let args = ["chat", "--data", &data(&directory), "--provider", &provider];
        let mut pty = Pty::with(&args, &[("ACCESSIBLE", "1")], (80, 24));
        pty.shows("Write a message:");
        pty.send("hello\n");
        pty.shows("2. SQLite.");
        pty.send("/q\n");
        pty.shows("Leave this question?");
        pty.send("y\n");
        pty.shows("Nothing was chosen. Type a number from 1 to 3.");
        pty.send(&format!("{choice}\n"));
        pty.shows(confirmed);
        pty.send("y\n");
        pty.shows(said);
        pty.send("\x04");
        assert_eq!(pty.ends(), 0);
    }
}

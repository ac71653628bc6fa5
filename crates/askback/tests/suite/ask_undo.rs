//! An answer at the prompt of a stored question can be undone before it takes effect.

use askback_core::outcome::{Actor, Surface};
use askback_core::text::{Lines, Text};
use askback_wire::inquiry::{InquiryStatus, UndoParams};
use askback_wire::list::ListInquiriesParams;
use askback_wire::respond::{AnswerParams, CancelParams};
use serde_json::json;

use super::support::pty::{Pty, until};
use super::support::run_binary::{ScratchPath, askback, file};
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::TEST_TIMEOUT;

/// Long enough that nothing takes effect by itself while a slow machine runs a test.
const LONG: &str = "60";

fn ask(data: &str, undo: &str) -> Pty {
    let args = [
        "ask",
        "--output",
        "json",
        "--durable",
        "--key",
        "db",
        "--data",
        data,
        "--undo",
        undo,
        "Which database?",
        "PostgreSQL",
        "MongoDB",
    ];
    Pty::with(&args, &[("ASKBACK_TOKEN", TOKEN)], (60, 20))
}

struct Asked {
    server: Server,
    data: String,
    _directory: Directory,
}

/// A server of its own, so that a question can be watched and changed beside the prompt.
fn serve() -> Asked {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "-"}]}));
    let data = directory.path().join("data");
    let data = data.to_str().expect("the path is text").to_owned();
    Asked {
        server,
        data,
        _directory: directory,
    }
}

impl Asked {
    async fn inquiry(&self) -> askback_wire::inquiry::InquiryResponse {
        let all = ListInquiriesParams::default();
        let all = self.server.client.inquiries(&all).await.expect("listed");
        all.items.into_iter().next().expect("one question")
    }
}

/// Nothing is printed on standard output before the answer is final; `u` reopens the question with what
/// was chosen, and enter does not wait for the end of the undo window.
#[test]
fn undone_answer_is_asked_again() {
    let data = ScratchPath::new("data");
    let mut pty = ask(&data, LONG);
    pty.shows("enter select");
    pty.send("1");
    pty.shows("✔ Which database: PostgreSQL");
    pty.shows("u: undo (");
    pty.send("u");
    pty.shows("Undone. The question is open again");
    pty.shows("enter select");
    assert!(!pty.log().contains("\"type\""), "{}", pty.log());
    pty.send("2");
    pty.shows("✔ Which database: MongoDB");
    pty.send("\r");
    assert_eq!(pty.ends(), 0);
    let log = pty.log();
    let answered = r#"{"answers":{"q1":{"values":["MongoDB"]}},"type":"answered"}"#;
    assert_eq!(log.matches("\"type\"").count(), 1, "{log}");
    assert!(log.contains(answered), "{log}");
    assert!(!pty.screen().join("\n").contains("undo"), "the offer goes");
}

/// Without a key the answer takes effect at the end of the window.
#[test]
fn answer_takes_effect_after_the_window() {
    let data = ScratchPath::new("data");
    let mut pty = ask(&data, "1");
    pty.shows("enter select");
    pty.send("1");
    pty.writes("u: undo (1 s)");
    assert_eq!(pty.ends(), 0);
    assert!(pty.log().contains("PostgreSQL\"]}},\"type\":\"answered\""));
}

/// Ctrl+c leaves with its own exit code and no outcome; the answer stands.
#[tokio::test]
async fn leaving_keeps_the_answer() {
    let asked = serve();
    let mut pty = ask(&asked.data, "2");
    pty.shows("enter select");
    pty.send("1");
    pty.shows("u: undo (");
    pty.send("\x03");
    assert_eq!(pty.ends(), 130);
    pty.shows("Your answer is stored.");
    assert!(!pty.log().contains("\"type\""), "{}", pty.log());
    let id = asked.inquiry().await.id;
    let ended = asked.server.client.wait_for_inquiry(&id, TEST_TIMEOUT);
    assert_eq!(ended.await.expect("read").status, InquiryStatus::Answered);
}

/// A killed prompt does not take its answer along. Run again within the window, the same command offers to
/// undo it.
#[tokio::test]
async fn killed_prompt_keeps_its_answer() {
    let asked = serve();
    let mut pty = ask(&asked.data, LONG);
    pty.shows("enter select");
    pty.send("1");
    pty.shows("u: undo (");
    pty.kill();
    let held = asked.inquiry().await;
    assert!(held.held.is_some(), "{held:?}");
    let mut again = ask(&asked.data, LONG);
    again.shows("✔ Which database: PostgreSQL");
    again.shows("u: undo (");
    again.send("u");
    again.shows("enter select");
    again.send("2");
    again.shows("✔ Which database: MongoDB");
    again.send("\r");
    assert_eq!(again.ends(), 0);
    assert_eq!(asked.inquiry().await.status, InquiryStatus::Answered);
}

/// What somebody else does to the answer meanwhile is shown: an undo reopens the question, and stopping
/// the agent is the outcome.
#[tokio::test]
async fn others_may_undo_or_stop_meanwhile() {
    let asked = serve();
    let mut pty = ask(&asked.data, LONG);
    pty.shows("enter select");
    pty.send("1");
    pty.shows("u: undo (");
    let id = asked.inquiry().await.id;
    let client = &asked.server.client;
    client
        .undo(&id, &UndoParams::default())
        .await
        .expect("undone");
    pty.shows("enter select");
    pty.send("2");
    pty.shows("✔ Which database: MongoDB");
    let cancelled = client.cancel_inquiry(&id, &CancelParams::default()).await;
    assert_eq!(
        cancelled.expect("cancelled").status,
        InquiryStatus::Cancelled
    );
    assert_eq!(pty.ends(), 5);
    assert!(pty.log().contains(r#"{"type":"cancelled"}"#));
}

/// An answer that somebody else gave just now is theirs to undo: the same command shows it with their name and
/// waits, and its keys neither undo it nor let it take effect.
#[tokio::test]
async fn answer_of_somebody_else_is_shown_and_waited_for() {
    let asked = serve();
    let pty = ask(&asked.data, LONG);
    pty.shows("enter select");
    pty.kill();
    let inquiry = asked.inquiry().await;
    let zoe = Actor::new(Text::clean("Zoë", Lines::One), Surface::Web);
    let client = asked.server.client.clone().acting_as(&zoe);
    let answer = AnswerParams {
        answers: json!({"q1": "MongoDB"}),
        undo_seconds: Some(60),
        ..AnswerParams::default()
    };
    let held = client.answer(&inquiry.id, &answer).await.expect("answered");
    assert!(held.held.is_some(), "{held:?}");
    let mut again = ask(&asked.data, LONG);
    again.shows("Zoë");
    again.shows("Answered elsewhere. It can be undone there for");
    assert!(
        !again.screen().join("\n").contains("u: undo"),
        "{}",
        again.log()
    );
    again.send("u\r");
    // The count of seconds changes after the keys were read.
    let before = again.screen().join("\n");
    until("the seconds go on", || again.screen().join("\n") != before);
    assert!(asked.inquiry().await.held.is_some(), "the keys did nothing");
    client
        .undo(&inquiry.id, &UndoParams::default())
        .await
        .expect("undone");
    again.shows("enter select");
    again.kill();
}

/// Lines offer undo only if that is asked for, also in the configuration; `u` undoes and an empty line
/// continues.
#[test]
fn lines_offer_undo_on_request() {
    let data = ScratchPath::new("data");
    let args = [
        "ask",
        "--output",
        "json",
        "--durable",
        "--lines",
        "--data",
        &data,
        "--undo",
        LONG,
        "Which database?",
        "PostgreSQL",
        "MongoDB",
    ];
    let mut pty = Pty::with(&args, &[], (90, 24));
    pty.shows("for help:");
    pty.send("1\n");
    pty.shows("To undo, type u and press enter within");
    pty.send("u\n");
    pty.shows("Undone. The question is open again");
    until("it is asked again", || {
        pty.log().matches("for help:").count() == 2
    });
    pty.send("2\n");
    until("it can be undone again", || {
        pty.log().matches("To undo, type u").count() == 2
    });
    pty.send("\n");
    assert_eq!(pty.ends(), 0);
    let log = pty.log();
    assert!(
        log.contains(r#"{"answers":{"q1":{"values":["MongoDB"]}},"type":"answered"}"#),
        "{log}"
    );
}

/// A script waits for nothing, whatever is configured: what it answers takes effect at once.
#[test]
fn answers_of_a_script_are_not_held() {
    let data = ScratchPath::new("data");
    let config = file("ask_undo.toml", "undo = 60\n");
    let more = ["--config", &config, "--data", &data];
    let mut ask = vec![
        "ask",
        "--output",
        "json",
        "--durable",
        "Which database?",
        "PostgreSQL",
        "MongoDB",
    ];
    ask.extend(more);
    let asked = askback(&ask, "");
    assert_eq!(
        asked.code,
        Some(3),
        "nothing can be answered through a pipe"
    );
    let id = asked
        .err
        .split_whitespace()
        .find(|word| word.contains("inq_"));
    let id = id
        .expect("its id")
        .trim_matches(|ch: char| !ch.is_alphanumeric());
    let mut answer = vec!["answer", id, "--choose", "MongoDB"];
    answer.extend(more);
    let answered = askback(&answer, "");
    assert_eq!(answered.code, Some(0), "{}", answered.err);
    assert!(
        answered.out.contains("\"status\":\"answered\""),
        "{}",
        answered.out
    );
}

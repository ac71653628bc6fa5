//! Terminal and browser send byte-identical answers to the same questions: by keys here, by clicks in
//! `web/tests/surface-parity.test.mjs`. Both close a withdrawn question.

use std::time::Duration;

use askback_wire::inquiry::{InquiryStatus, NewInquiryParams};
use askback_wire::respond::WithdrawParams;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::support::pty::{Pty, until};
use super::support::raw_http::{bearer, body, raw, request};
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::clock_counts;

const VARS: [(&str, &str); 2] = [("ASKBACK_ARM_MS", "0"), ("ASKBACK_TOKEN", TOKEN)];

/// A question, the keys that answer it in the terminal, and the expected bytes of the answers.
#[derive(Deserialize)]
struct Case {
    name: String,
    input: Value,
    keys: String,
    answers: String,
}

fn cases() -> Vec<Case> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../web/tests/surface-parity.json"
    );
    let text = std::fs::read_to_string(path).expect("the cases are there");
    serde_json::from_str(&text).expect("the cases are JSON")
}

pub(crate) fn inbox(directory: &Directory) -> Pty {
    let data = directory.path().join("data");
    let data = data.to_str().expect("the path is text");
    Pty::with(&["inbox", "--data", data], &VARS, (100, 30))
}

fn start(directory: &Directory) -> Server {
    Server::start(directory, &json!({"steps": [{"say": "-"}]}))
}

/// What the API says of an inquiry, as it sends it.
fn told(server: &Server, path: &str) -> String {
    let headers = [("Host", "localhost"), ("Authorization", &bearer())];
    body(&raw(server, &request(&format!("GET {path}"), &headers)).1).to_owned()
}

/// Every kind of question, with own text, notes, skips and unanswered parts, answered by keys.
#[tokio::test]
async fn terminal_and_browser_send_identical_answers() {
    let directory = Directory::new();
    let server = start(&directory);
    for case in cases() {
        let params = NewInquiryParams {
            input: case.input,
            source: Some("builder".to_owned()),
            ..NewInquiryParams::default()
        };
        let asked = server.client.ask(&params).await.expect("it is asked");
        let mut pty = inbox(&directory);
        pty.shows("1 question waiting");
        pty.send("\r");
        pty.shows("╭─");
        pty.send(&case.keys);
        let path = format!("/inquiries/{}", asked.id);
        until(&case.name, || {
            !told(&server, &path).contains("\"status\":\"pending\"")
        });
        let said = told(&server, &path);
        let wanted = format!("\"answers\":{}", case.answers);
        assert!(said.contains(&wanted), "{}: {said}", case.name);
        pty.kill();
    }
    server.kill();
}

/// A withdrawn question closes at the terminal, within half a second where the clock counts.
#[tokio::test]
async fn terminal_closes_a_withdrawn_question() {
    const LIMIT: Duration = Duration::from_millis(500);
    let directory = Directory::new();
    let server = start(&directory);
    let mut times = Vec::new();
    let attempts = if clock_counts() { 3 } else { 1 };
    while times.len() < attempts && times.iter().all(|time| *time > LIMIT) {
        let params = NewInquiryParams {
            input: json!({"question": "Taken back?", "options": ["Yes", "No"]}),
            source: Some("builder".to_owned()),
            ..NewInquiryParams::default()
        };
        let asked = server.client.ask(&params).await.expect("it is asked");
        let mut pty = inbox(&directory);
        pty.shows("1 question waiting");
        pty.send("\r");
        pty.shows("> 1 ○ Yes");
        let begin = Instant::now();
        let params = WithdrawParams::default();
        let withdrawn = server.client.withdraw_inquiry(&asked.id, &params).await;
        withdrawn.expect("it is taken back");
        pty.hides("> 1 ○ Yes");
        times.push(begin.elapsed());
        let late = json!({"answers": {"q1": "Yes"}}).to_string();
        let length = late.len().to_string();
        let headers = [
            ("Host", "localhost"),
            ("Authorization", &bearer()),
            ("Content-Type", "application/json"),
            ("Content-Length", &length),
        ];
        let mut bytes = request(&format!("POST /inquiries/{}/answer", asked.id), &headers);
        bytes.extend(late.bytes());
        let (status, reply) = raw(&server, &bytes);
        assert_eq!(status, 409, "{reply}");
        assert!(body(&reply).contains("\"winner\""), "{reply}");
        let now = server.client.inquiry(&asked.id).await.expect("it is there");
        assert_eq!(now.status, InquiryStatus::Withdrawn);
        pty.kill();
    }
    let is_quick = times.iter().any(|time| *time <= LIMIT);
    assert!(is_quick || !clock_counts(), "{times:?}");
    server.kill();
}

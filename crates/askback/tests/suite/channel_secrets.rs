//! Nothing that channels keep secret leaves the process, except to their provider.

use std::fs;
use std::path::Path;

use askback_wire::inquiry::NewInquiryParams;

use super::support::channel_server::{ChannelServer, SECRETS};
use super::support::raw_http::{bearer, raw, request};
use super::support::telegram_chat::database;

const TOPIC: &str = "zoes-topic-that-nobody-guesses";

/// All bytes below a directory, by file.
fn files(directory: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(directory).expect("it is read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if let Ok(bytes) = fs::read(&path) {
            found.push((path.display().to_string(), bytes));
        }
    }
}

fn contains(bytes: &[u8], secret: &str) -> bool {
    let secret = secret.as_bytes();
    bytes.windows(secret.len()).any(|window| window == secret)
}

/// A run with presses, failures and refusals on all channels. No token, ticket, password, signed key or topic is in the
/// log, in the API, or in the database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_are_in_no_log_response_or_table() {
    let people = format!(
        "[recipients.zoe]\nname = 'Zoë'\nidentities = ['telegram:42', 'slack:U42', 'ntfy:{TOPIC}', 'email:zoe@example.org']\n"
    );
    let run = ChannelServer::start(&people).await;
    run.telegram.fail("sendMessage", 500, "{}");
    run.ntfy.plan(askback_fakes::FakeResponse::Drop);
    run.smtp.plan("451 later");
    let asked = run.ask(database(), None).await;
    run.until("all channels have delivered", || {
        !run.telegram.messages().is_empty()
            && !run.slack.messages().is_empty()
            && run.ntfy.requests().len() >= 2
            && !run.smtp.mails().is_empty()
    })
    .await;
    let published = run.ntfy.requests().remove(1).json();
    assert_eq!(published["topic"], TOPIC);
    let url = published["actions"][0]["url"]
        .as_str()
        .expect("a URL")
        .to_owned();
    let (_, key) = url.split_once("?key=").expect("it has a key");
    assert_eq!(run.send("POST", &url.replace(key, "wrong"), "").0, 401);
    run.telegram.press(666, 1, "garbage");
    assert_eq!(run.send("POST", &url, "").0, 200);
    run.outcome(&asked).await;
    run.telegram.set_down(true);
    run.slack.drop_socket();
    run.slack.wait_for_sockets(2).await;
    run.until("Telegram fails", || run.log().contains("Telegram: "))
        .await;
    let mut told = String::new();
    let paths = [
        "/channels",
        "/inquiries",
        "/conversations",
        "/metrics",
        "/health",
        "/ready",
    ];
    let paths = paths.map(str::to_owned).into_iter();
    for path in paths.chain([format!("/inquiries/{}", asked.id)]) {
        let headers = [("Host", "localhost"), ("Authorization", &bearer())];
        told += &raw(&run.server, &request(&format!("GET {path}"), &headers)).1;
    }
    assert!(
        told.contains("ntfy:zoe") && told.contains("\"telegram\""),
        "{told}"
    );
    let mut stored = Vec::new();
    files(&run.directory.path().join("data"), &mut stored);
    assert!(stored.len() > 1);
    let log = run.log();
    let signature = key.split_once('-').expect("it is signed").1;
    for secret in SECRETS.iter().copied().chain([signature, TOPIC]) {
        assert!(!log.contains(secret), "{secret} is in the log");
        assert!(!told.contains(secret), "{secret} is in the API");
        for (name, bytes) in &stored {
            assert!(!contains(bytes, secret), "{secret} is in {name}");
        }
    }
}

/// A destination comes from the configuration only.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_cannot_name_an_address() {
    let run = ChannelServer::start("[recipients.zoe]\nidentities = ['telegram:42']\n").await;
    for address in [
        "telegram:666",
        "666",
        "https://evil.example",
        "zoe@example.org",
    ] {
        let params = NewInquiryParams {
            input: database(),
            recipient: Some(address.to_owned()),
            ..NewInquiryParams::default()
        };
        let refused = run.server.client.ask(&params).await;
        let refused = refused.expect_err("it is no alias").to_string();
        assert!(refused.contains("zoe"), "{refused}");
    }
    assert!(run.telegram.messages().is_empty());
}

//! `askback channel test`: one channel gets the question, "delivered" means it, and no question is left behind.

use std::process::{Child, Command, Stdio};

use askback_wire::inquiry::InquiryStatus;
use askback_wire::list::ListInquiriesParams;
use serde_json::json;

use super::support::channel_server::ChannelServer;
use super::support::run_binary::{command, fails};
use super::support::server_process::TOKEN;

const PEOPLE: &str = "[recipients.zoe]\nname = 'Zoë'\nlanguage = 'en'\npresence = false\n\
     identities = ['telegram:42', 'ntfy:topic', 'email:zoe@example.org']\n";
const ZOE: i64 = 42;

fn args(run: &ChannelServer) -> [&str; 7] {
    let url = run.server.address.as_str();
    [
        "channel", "test", "telegram", "--url", url, "--token", TOKEN,
    ]
}

/// Starts the test and waits until the message is there.
async fn start(run: &ChannelServer) -> Child {
    let mut test = command(&args(run));
    test.stdout(Stdio::piped()).stderr(Stdio::piped());
    let test = test.spawn().expect("the binary starts");
    run.until("the question arrives", || {
        run.telegram.messages().len() == 1
    })
    .await;
    test
}

async fn statuses(run: &ChannelServer) -> Vec<InquiryStatus> {
    let all = ListInquiriesParams::default();
    let listed = run.server.client.inquiries(&all).await;
    let items = listed.expect("they are listed").items;
    items.into_iter().map(|it| it.status).collect()
}

/// Only the named channel gets the question. It is reported as delivered, and then who answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_goes_through_one_channel() {
    let run = ChannelServer::start(PEOPLE).await;
    let test = start(&run).await;
    let card = run.telegram.messages().remove(0);
    let (_, yes) = card.buttons().remove(0);
    run.telegram.press(ZOE, card.id, &yes);
    let ended = test.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&ended.stderr);
    assert!(told.contains("telegram: delivered to zoe\n"), "{told}");
    let answered = String::from_utf8_lossy(&ended.stdout);
    assert_eq!(answered, "answered: Zoë, telegram\n");
    assert_eq!(run.ntfy.requests().len(), 0);
    assert_eq!(run.smtp.mails().len(), 0);
}

/// A channel that refuses the message: the reason, an error, and nothing is left that waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_that_is_not_delivered_fails_with_the_reason() {
    let run = ChannelServer::start(PEOPLE).await;
    let blocked = json!({
        "ok": false, "error_code": 403, "description": "Forbidden: bot was blocked by the user",
    });
    run.telegram.fail("sendMessage", 403, &blocked.to_string());
    let told = fails(&args(&run), "", 2);
    assert_eq!(
        told,
        "telegram: not delivered to zoe: Telegram: Forbidden: bot was blocked by the user\n"
    );
    assert_eq!(statuses(&run).await, [InquiryStatus::Withdrawn]);
}

/// Ctrl+c withdraws the question, and its message says so.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_test_withdraws_its_question() {
    let run = ChannelServer::start(PEOPLE).await;
    let test = start(&run).await;
    let pid = test.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.expect("a signal is sent").success());
    let ended = test.wait_with_output().expect("it ends");
    let told = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{told}");
    assert!(
        told.ends_with("The test question was withdrawn.\n"),
        "{told}"
    );
    assert_eq!(statuses(&run).await, [InquiryStatus::Withdrawn]);
    run.until("the message has no buttons any more", || {
        run.telegram.messages()[0].buttons().is_empty()
    })
    .await;
}

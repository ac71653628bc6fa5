//! Webhooks are signed, retried until accepted, and delay nothing else.

use std::sync::{Arc, Mutex};

use askback_client::ClientError;
use askback_wire::duration::HumanDuration;
use askback_wire::inquiry::{InquiryResponse, InquiryStatus, NewInquiryParams};
use askback_wire::list::ListInquiriesParams;
use askback_wire::respond::AnswerParams;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::support::raw_http::{bearer, body, raw, request};
use super::support::run_binary::succeeds;
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::within;
use super::support::webhook_signature::is_genuine;

/// A request as it came: its head and its body.
pub(crate) type Delivery = (String, String);

/// How old a signature may be, in seconds.
const TOLERANCE: u64 = 300;

/// A receiver that refuses the first deliveries, or does not reply.
pub(crate) struct Receiver {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Delivery>>>,
}

impl Receiver {
    /// Replies with these statuses in turn, the last one for all that follow; 0 never replies.
    pub(crate) async fn start(statuses: &'static [u16]) -> Receiver {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&seen);
        tokio::spawn(async move {
            let mut silent = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let delivery = read(&mut stream).await;
                let count = {
                    let mut kept = kept.lock().unwrap();
                    kept.push(delivery);
                    kept.len()
                };
                match statuses[(count - 1).min(statuses.len() - 1)] {
                    0 => silent.push(stream),
                    status => {
                        let reply = format!("HTTP/1.1 {status} -\r\ncontent-length: 0\r\n\r\n");
                        drop(stream.write_all(reply.as_bytes()).await);
                    }
                }
            }
        });
        Receiver { url, seen }
    }

    /// The deliveries once there are so many.
    pub(crate) async fn deliveries(&self, count: usize) -> Vec<Delivery> {
        let enough = async {
            loop {
                let seen = self.seen.lock().unwrap().clone();
                if seen.len() >= count {
                    return seen;
                }
                tokio::task::yield_now().await;
            }
        };
        within(&format!("{count} deliveries"), enough).await
    }
}

async fn read(stream: &mut TcpStream) -> Delivery {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let count = stream.read(&mut piece).await.unwrap_or(0);
        bytes.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = header(head, "content-length").and_then(|length| length.parse().ok());
            if count == 0 || body.len() >= length.unwrap_or(0) {
                return (head.to_owned(), body.to_owned());
            }
        } else if count == 0 {
            return (text.into_owned(), String::new());
        }
    }
}

pub(crate) fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        let (found, value) = line.split_once(": ")?;
        found.eq_ignore_ascii_case(name).then_some(value)
    })
}

/// How a receiver verifies a delivery.
fn is_signed(secret: &str, (head, body): &Delivery) -> bool {
    let signature = header(head, "askback-signature").expect("it is signed");
    is_genuine(secret, signature, body.as_bytes(), TOLERANCE)
}

/// Runs `askback webhook-secret` on the data directory.
pub(crate) fn secret(directory: &Directory, args: &[&str]) -> String {
    let data = directory.path().join("data");
    let data = data.to_str().expect("the path is text");
    let args = [&["webhook-secret"], args, &["--data", data]].concat();
    succeeds(&args, "").trim_end().to_owned()
}

pub(crate) async fn ask(
    server: &Server,
    receiver: &Receiver,
    expires_in: Option<u32>,
) -> InquiryResponse {
    let params = NewInquiryParams {
        input: json!({"question": "Which?", "options": ["A", "B"]}),
        webhook: Some(receiver.url.clone()),
        expires_in: expires_in.map(HumanDuration::from_secs),
        ..NewInquiryParams::default()
    };
    server.client.ask(&params).await.expect("it is asked")
}

pub(crate) async fn answer(server: &Server, inquiry: &InquiryResponse) -> InquiryResponse {
    let params = AnswerParams {
        answers: json!({"q1": "B"}),
        ..AnswerParams::default()
    };
    let answered = server.client.answer(&inquiry.id, &params).await;
    answered.expect("it is answered")
}

/// A server whose webhooks may call this machine.
pub(crate) fn serve(directory: &Directory) -> Server {
    Server::start_with(directory, &["--webhook-allow", "127.0.0.1"])
}

/// Refused at first, it comes again with the same body, signed each time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outcome_is_sent_signed_until_accepted() {
    let directory = Directory::new();
    let server = serve(&directory);
    let receiver = Receiver::start(&[500, 200]).await;
    let asked = ask(&server, &receiver, None).await;
    answer(&server, &asked).await;
    let deliveries = receiver.deliveries(2).await;
    let secret = secret(&directory, &[]);
    let signed = deliveries.iter().all(|it| is_signed(&secret, it));
    assert!(signed, "{deliveries:?}");
    assert_eq!(deliveries[0].1, deliveries[1].1);
    let body: Value = serde_json::from_str(&deliveries[0].1).unwrap();
    assert_eq!(body["type"], "inquiry_resolved");
    assert_eq!(body["inquiry"]["id"], asked.id.as_str());
    let ids = deliveries
        .iter()
        .map(|(head, _)| header(head, "webhook-id"));
    let ids: Vec<_> = ids.collect();
    assert!(ids[0].is_some() && ids[0] == ids[1], "{ids:?}");
    assert_eq!(receiver.deliveries(2).await.len(), 2, "taken once");
}

/// An unresponsive receiver delays neither the answer, nor other questions, other webhooks or a restart.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unresponsive_receiver_delays_nothing() {
    let directory = Directory::new();
    let server = serve(&directory);
    let silent = Receiver::start(&[0]).await;
    let prompt = Receiver::start(&[200]).await;
    let first = ask(&server, &silent, None).await;
    let answered = answer(&server, &first).await;
    assert_eq!(answered.status, InquiryStatus::Answered);
    silent.deliveries(1).await;
    let second = ask(&server, &prompt, None).await;
    answer(&server, &second).await;
    let delivered = prompt.deliveries(1).await;
    assert!(delivered[0].1.contains(second.id.as_str()));
    assert_eq!(silent.deliveries(1).await.len(), 1, "it still waits there");
    server.kill();
    let again = serve(&directory);
    let outcome = again.client.inquiry(&first.id).await.unwrap();
    assert_eq!(outcome.status, InquiryStatus::Answered);
}

/// A reminder is delivered, and then the outcome.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reminder_is_sent_before_the_outcome() {
    let directory = Directory::new();
    let server = serve(&directory);
    let receiver = Receiver::start(&[200]).await;
    ask(&server, &receiver, Some(2)).await;
    let deliveries = receiver.deliveries(2).await;
    let secret = secret(&directory, &["show"]);
    assert!(deliveries.iter().all(|it| is_signed(&secret, it)));
    let told: Vec<(Value, Value)> = deliveries
        .iter()
        .map(|(_, body)| {
            let body: Value = serde_json::from_str(body).unwrap();
            (body["type"].clone(), body["inquiry"]["status"].clone())
        })
        .collect();
    assert_eq!(
        told,
        [
            (json!("inquiry_reminder"), json!("pending")),
            (json!("inquiry_resolved"), json!("expired"))
        ]
    );
}

/// The secret is not the token; a running server follows a rotation, signs with both secrets for
/// a time, and with the new one alone if there is to be no overlap.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secret_is_rotated_while_the_server_runs() {
    let directory = Directory::new();
    let server = serve(&directory);
    let receiver = Receiver::start(&[200]).await;
    let deliver = async |count| {
        let asked = ask(&server, &receiver, None).await;
        answer(&server, &asked).await;
        receiver.deliveries(count).await.remove(count - 1)
    };
    let first = secret(&directory, &[]);
    assert!(first.starts_with("whsec_"), "{first}");
    let delivery = deliver(1).await;
    assert!(is_signed(&first, &delivery) && !is_signed(TOKEN, &delivery));
    let second = secret(&directory, &["rotate"]);
    let delivery = deliver(2).await;
    assert!(is_signed(&second, &delivery) && is_signed(&first, &delivery));
    let third = secret(&directory, &["rotate", "--overlap", "0s"]);
    let delivery = deliver(3).await;
    assert!(is_signed(&third, &delivery));
    assert!(!is_signed(&second, &delivery) && !is_signed(&first, &delivery));
    assert_eq!(secret(&directory, &[]), third);
    server.kill();
    let log = std::fs::read_to_string(directory.path().join("server.log")).expect("a log");
    for hidden in ["whsec_", "/hook", "askback-signature"] {
        assert!(!log.contains(hidden), "{hidden} is in the log");
    }
}

/// Without permission this machine and private networks are refused when the question is asked,
/// with words that say what to do; nothing is asked then.
#[tokio::test]
async fn private_addresses_are_refused_when_asking() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &["--webhook-allow", "10.7.0.0/16"]);
    for (url, words) in [
        ("http://127.0.0.1:9/hook", "--webhook-allow 127.0.0.1"),
        ("http://2130706433/", "--webhook-allow 127.0.0.1"),
        ("http://[::ffff:127.0.0.1]/", "--webhook-allow 127.0.0.1"),
        (
            "http://169.254.169.254/latest",
            "--webhook-allow 169.254.169.254",
        ),
        ("http://localhost:1/", "--webhook-allow localhost"),
        ("http://u:p@example.com/", "a user name or a password"),
        ("http://exa mple/", "https://example.com/hook"),
    ] {
        let params = NewInquiryParams {
            input: json!({"question": "Which?", "options": ["A", "B"]}),
            webhook: Some(url.to_owned()),
            ..NewInquiryParams::default()
        };
        let error = server.client.ask(&params).await.expect_err(url);
        let ClientError::Problem(problem) = error else {
            panic!("{url}: {error}");
        };
        assert_eq!(problem.code, "invalid_webhook", "{url}");
        assert!(problem.detail.contains(words), "{url}: {}", problem.detail);
    }
    let none = server
        .client
        .inquiries(&ListInquiriesParams::default())
        .await;
    assert_eq!(none.expect("a list").items, []);
    let wrong = super::support::run_binary::askback(&["serve", "--webhook-allow", "http://x"], "");
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.err.contains("without scheme"), "{}", wrong.err);
}

/// A configuration file names the secret and what may be called; such a secret is not
/// rotated by the command, and no file is made for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn configuration_names_the_secret_and_the_hosts() {
    let directory = Directory::new();
    let config = directory.path().join("askback.toml");
    let (new, old) = (
        "whsec_the-new-one-of-the-operator",
        "whsec_the-old-one-of-the-operator",
    );
    let text = format!("webhook_allow = [\"127.0.0.0/8\"]\nwebhook_secret = \"{new},{old}\"\n");
    std::fs::write(&config, text).expect("it is written");
    let config = config.to_str().expect("the path is text");
    let server = Server::start_with(&directory, &["--config", config]);
    let receiver = Receiver::start(&[200]).await;
    let asked = ask(&server, &receiver, None).await;
    answer(&server, &asked).await;
    let delivery = receiver.deliveries(1).await.remove(0);
    assert!(is_signed(new, &delivery) && is_signed(old, &delivery));
    assert_eq!(secret(&directory, &["--config", config]), new);
    let data = directory.path().join("data");
    assert!(!data.join("webhook-secret.json").exists());
    let data = data.to_str().expect("the path is text");
    let rotate = [
        "webhook-secret",
        "rotate",
        "--config",
        config,
        "--data",
        data,
    ];
    let refused = super::support::run_binary::askback(&rotate, "");
    assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""));
    assert!(
        refused.err.contains("comes from the configuration"),
        "{}",
        refused.err
    );
}

/// The receiver sees the outcome in the trace of the agent that asked.
#[tokio::test(flavor = "multi_thread")]
async fn trace_of_the_asker_is_passed_on() {
    let directory = Directory::new();
    let server = serve(&directory);
    let receiver = Receiver::start(&[200]).await;
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let params =
        json!({"questions": [{"id": "q1", "text": "Go?"}], "webhook": receiver.url}).to_string();
    let (auth, length) = (bearer(), params.len().to_string());
    let headers = [
        ("Host", "localhost"),
        ("Authorization", auth.as_str()),
        ("Content-Type", "application/json"),
        ("Content-Length", length.as_str()),
        ("Traceparent", trace),
    ];
    let asked = [request("POST /inquiries", &headers), params.into_bytes()].concat();
    let (status, reply) = raw(&server, &asked);
    assert_eq!(status, 201, "{reply}");
    let asked: InquiryResponse = serde_json::from_str(body(&reply)).expect("an inquiry");
    answer(&server, &asked).await;
    let deliveries = receiver.deliveries(1).await;
    assert_eq!(header(&deliveries[0].0, "traceparent"), Some(trace));
}

/// A delivery that fails is listed with why, but without its URL, and can be tried again at once.
#[tokio::test(flavor = "multi_thread")]
async fn failed_webhooks_are_listed_and_tried_again() {
    let directory = Directory::new();
    let server = serve(&directory);
    let receiver = Receiver::start(&[500, 500, 500, 500, 200]).await;
    let asked = ask(&server, &receiver, None).await;
    answer(&server, &asked).await;
    receiver.deliveries(1).await;
    let run = |args: &[&str]| {
        let url = ["--url", server.address.as_str(), "--token", TOKEN];
        succeeds(&[&["webhooks"], args, &url].concat(), "")
    };
    let mut listed = Value::Null;
    for delivered in 2..=5 {
        // The attempt that the receiver has seen may not be written yet.
        while listed["attempts"] != delivered - 1 {
            listed = serde_json::from_str(run(&["--json"]).trim_end()).expect("one webhook");
        }
        assert_eq!(listed["inquiry_id"], asked.id.as_str());
        assert_eq!(listed["last_error"], "status 500");
        assert!(listed["next_attempt_at"].is_string(), "{listed}");
        assert!(!listed.to_string().contains("/hook"), "{listed}");
        run(&["retry", listed["id"].as_str().expect("a number")]);
        receiver.deliveries(delivered).await;
    }
    while !run(&["--json"]).is_empty() {}
    let log = std::fs::read_to_string(directory.path().join("server.log")).expect("it is there");
    let failed = |line: &&str| line.contains("a webhook was not delivered");
    let line = log.lines().find(failed).expect("it is logged");
    let host = receiver
        .url
        .trim_start_matches("http://")
        .trim_end_matches("/hook");
    for part in [asked.id.as_str(), host, "status 500"] {
        assert!(line.contains(part), "{line}");
    }
}

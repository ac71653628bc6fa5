//! Limits on what unauthenticated or misbehaving clients can make the server do.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use askback_client::FeedItem;
use askback_wire::event::EventResponse;
use askback_wire::inquiry::NewInquiryParams;
use serde_json::json;

use super::support::raw_http::{bearer, body, raw, request};
use super::support::server_process::{Directory, Server};
use super::support::timeout::{TEST_TIMEOUT, within};

fn metrics(server: &Server) -> String {
    let auth = bearer();
    let sent = request(
        "GET /metrics",
        &[("Host", "localhost"), ("Authorization", &auth)],
    );
    let (status, reply) = raw(server, &sent);
    assert_eq!(status, 200, "{reply}");
    body(&reply).to_owned()
}

fn connect(server: &Server) -> TcpStream {
    let address = server.address.trim_start_matches("http://");
    let stream = TcpStream::connect(address).expect("the server listens");
    stream
        .set_read_timeout(Some(TEST_TIMEOUT))
        .expect("it can be set");
    stream
}

/// A request on a connection that stays open.
fn asks(stream: &mut TcpStream) -> bool {
    let asked = format!(
        "GET /apps HTTP/1.1\r\nHost: localhost\r\nAuthorization: {}\r\n\r\n",
        bearer()
    );
    let mut reply = [0; 12];
    stream.write_all(asked.as_bytes()).is_ok()
        && stream.read_exact(&mut reply).is_ok()
        && reply.starts_with(b"HTTP/1.1 200")
}

/// Connections without the token are closed in favour of new ones; a connection with the token
/// stays, and a new one is served at once.
#[test]
fn idle_unauthenticated_connections_give_way() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let mut known = connect(&server);
    assert!(asks(&mut known));
    let mut strangers: Vec<_> = (0..600).map(|_| connect(&server)).collect();
    let mut late = connect(&server);
    assert!(asks(&mut late), "whoever has the token is served");
    let mut end = [0; 1];
    let closed = strangers[0].read(&mut end);
    assert!(
        matches!(closed, Ok(0) | Err(_)),
        "the oldest stranger is closed"
    );
    drop(strangers);
    // What was not read of its first reply is behind it; it is open still.
    known.set_nonblocking(true).expect("it can be set");
    let mut rest = vec![0; 1 << 16];
    let open = loop {
        match known.read(&mut rest) {
            Ok(0) => break false,
            Ok(_) => {}
            Err(error) => break error.kind() == std::io::ErrorKind::WouldBlock,
        }
    };
    assert!(open, "a connection with the token stays");
}

/// A readiness check writes nothing, and fails when the store is gone.
#[test]
fn readiness_writes_nothing_and_fails_without_a_store() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let ready = || raw(&server, &request("GET /readyz", &[("Host", "localhost")])).0;
    let written = |text: &str| {
        let line = text
            .lines()
            .find(|line| line.starts_with("askback_store_transactions_total"));
        line.map(str::to_owned)
    };
    let before = written(&metrics(&server));
    assert!(before.is_some());
    for _ in 0..20 {
        assert_eq!(ready(), 200);
    }
    assert_eq!(written(&metrics(&server)), before);
    for entry in fs::read_dir(directory.path().join("data")).expect("it is there") {
        let path = entry.expect("it can be read").path();
        if path.to_string_lossy().contains(".db") {
            fs::remove_file(path).expect("it can be removed");
        }
    }
    let told = (0..100_000).any(|_| ready() == 503);
    assert!(told, "it is never told");
}

/// Unknown HTTP methods share one metric label.
#[test]
fn unknown_methods_share_one_metric_label() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let auth = bearer();
    for number in 0..50 {
        let line = format!("BREW{number} /apps");
        let sent = request(&line, &[("Host", "localhost"), ("Authorization", &auth)]);
        assert_eq!(raw(&server, &sent).0, 405);
    }
    let metrics = metrics(&server);
    assert!(!metrics.contains("BREW"), "{metrics}");
    let others = metrics
        .lines()
        .filter(|line| line.contains("method=\"other\""));
    assert_eq!(others.count(), 1, "{metrics}");
}

/// A body that is not a JSON object is refused.
#[test]
fn non_object_body_is_refused() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let auth = bearer();
    for sent in ["[]", "[null]", "[null,\"hi\"]", "null", "3", "\"text\""] {
        let head = [
            ("Host", "localhost"),
            ("Authorization", auth.as_str()),
            ("Content-Type", "application/json"),
            ("Content-Length", &sent.len().to_string()),
        ];
        let mut bytes = request("POST /conversations", &head);
        bytes.extend_from_slice(sent.as_bytes());
        let (status, reply) = raw(&server, &bytes);
        assert_eq!(status, 400, "{sent}: {reply}");
        assert!(body(&reply).contains("JSON object"), "{reply}");
    }
}

/// A reader with a sequence number beyond the newest gets a reset, and then new events.
#[tokio::test]
async fn feed_cursor_beyond_the_newest_resets() {
    let directory = Directory::new();
    let server = Server::start_with(&directory, &[]);
    let mut feed = server.client.events(Some(1_000_000));
    let first = within("it is told", feed.next())
        .await
        .expect("the feed stands");
    assert!(matches!(first, FeedItem::Reconnected), "{first:?}");
    assert!(
        feed.last_sequence()
            .is_some_and(|sequence| sequence < 1_000_000)
    );
    let params = NewInquiryParams {
        input: json!({"question": "Which?", "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    };
    let asked = server.client.ask(&params).await.expect("it is asked");
    loop {
        let next = within("it is asked", feed.next())
            .await
            .expect("the feed stands");
        if let FeedItem::Event(event) = next
            && let EventResponse::Inquiry(event) = *event
        {
            assert_eq!(event.inquiry.id, asked.id);
            break;
        }
    }
}

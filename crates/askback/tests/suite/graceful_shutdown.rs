//! A stopping server finishes its requests and closes feeds and idle connections at once.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use askback_client::FeedItem;
use askback_wire::inquiry::NewInquiryParams;
use serde_json::json;

use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::within;

fn connect(server: &Server) -> TcpStream {
    let address = server.address.trim_start_matches("http://");
    TcpStream::connect(address).expect("the server listens")
}

/// Feeds, long polls, idle connections and half a request do not delay the shutdown.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shutdown_waits_for_no_feed_and_no_idle_connection() {
    let directory = Directory::new();
    let server = Server::start(&directory, &json!({"steps": [{"say": "-"}]}));
    let question = NewInquiryParams {
        input: json!({"question": "Which?", "options": ["A", "B"]}),
        ..NewInquiryParams::default()
    };
    let asked = server.client.ask(&question).await.expect("asked");
    let mut feed = server.client.events(None);
    within("the feed opens", feed.open()).await.expect("open");
    let mut poll = connect(&server);
    let head = format!(
        "GET /inquiries/{}?wait=60s HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {TOKEN}\r\n\r\n",
        asked.id
    );
    poll.write_all(head.as_bytes()).expect("sent");
    let _silent = connect(&server);
    let mut used = connect(&server);
    used.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .expect("sent");
    let mut reply = [0; 15];
    used.read_exact(&mut reply).expect("a reply");
    assert_eq!(&reply, b"HTTP/1.1 200 OK");
    server.terminate();
    let log = fs::read_to_string(directory.path().join("server.log")).expect("a log");
    assert!(!log.contains("closing connections"), "it waited: {log}");
    let mut rest = String::new();
    poll.read_to_string(&mut rest)
        .expect("the poll was answered");
    assert!(rest.starts_with("HTTP/1.1 200 OK"), "{rest}");
    assert!(rest.contains("\"status\":\"pending\""), "{rest}");
    assert!(matches!(feed.next().await, Ok(FeedItem::Disconnected(_))));
}

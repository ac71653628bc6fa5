//! Goal: spans of requests reach an OpenTelemetry collector, in the trace of whoever asks, without texts or tokens, and
//! also those that wait when the server stops.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc;
use std::thread;

use askback_wire::path;
use serde_json::json;

use super::support::raw_http::post_json;
use super::support::server_process::{Directory, Server, TOKEN};
use super::support::timeout::TEST_TIMEOUT;

const TRACE: u128 = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736;
const PARENT: u64 = 0x00f0_67aa_0ba9_02b7;

/// A collector: its address, and what it was sent, as the path and the body of each request.
fn collector() -> (String, mpsc::Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let (sender, received) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            // The test may have ended.
            drop(sender.send(receive(stream)));
        }
    });
    (address, received)
}

/// Reads one request and says that it was taken.
fn receive(stream: TcpStream) -> (String, Vec<u8>) {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(stream.read_line(&mut head).expect("it is read") > 0);
    }
    let head = head.to_ascii_lowercase();
    let length = head.split("content-length: ").nth(1).expect("a length");
    let length = length.lines().next().and_then(|it| it.parse().ok());
    let mut body = vec![0; length.expect("a number")];
    stream.read_exact(&mut body).expect("it is read");
    let reply = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    stream.get_mut().write_all(reply).expect("it is sent");
    let path = head.split(' ').nth(1).expect("a path");
    (path.to_owned(), body)
}

fn contains(body: &[u8], part: impl AsRef<[u8]>) -> bool {
    let part = part.as_ref();
    body.windows(part.len()).any(|window| window == part)
}

/// Asks in a trace, and returns what the collector has when the server has stopped.
fn exported(flags: &str) -> Vec<(String, Vec<u8>)> {
    let (endpoint, received) = collector();
    let directory = Directory::new();
    let env = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint.as_str()),
        // What arrives has not waited for the timer: it was sent at the end.
        ("OTEL_BSP_SCHEDULE_DELAY", "3600000"),
    ];
    let server = Server::try_start_at(&directory, "127.0.0.1:0", &[], &env).expect("it starts");
    let traceparent = format!("00-{TRACE:032x}-{PARENT:016x}-{flags}");
    let headers = [
        ("traceparent", traceparent.as_str()),
        ("X-Request-Id", "request-of-the-test"),
    ];
    let question = json!({"questions": [{"id": "q1", "text": "Which secret name?"}]});
    let (status, reply) = post_json(&server, path::INQUIRIES, &headers, &question);
    assert_eq!(status, 201, "{reply}");
    // Of a trace of its own, so that something always arrives.
    post_json(&server, "/nowhere", &[], &question);
    server.terminate();
    let first = received.recv_timeout(TEST_TIMEOUT).expect("spans arrive");
    [first].into_iter().chain(received.try_iter()).collect()
}

#[test]
fn a_request_is_a_span_in_the_trace_of_its_caller() {
    let exported = exported("01");
    let [(path, body)] = exported.as_slice() else {
        panic!("one batch: {exported:?}");
    };
    assert_eq!(path, "/v1/traces");
    let route = format!("POST {}", path::INQUIRIES);
    for part in [route.as_str(), "request-of-the-test", "askback"] {
        assert!(contains(body, part), "{part}");
    }
    assert!(contains(body, TRACE.to_be_bytes()), "the trace");
    assert!(contains(body, PARENT.to_be_bytes()), "its parent");
    for secret in [TOKEN, "secret name", "nowhere"] {
        assert!(!contains(body, secret), "{secret}");
    }
}

#[test]
fn what_the_caller_does_not_sample_is_not_exported() {
    for (_, body) in exported("00") {
        assert!(!contains(&body, TRACE.to_be_bytes()));
        assert!(!contains(&body, path::INQUIRIES));
    }
}

//! Goal: a request that is refused before its body was read costs its client neither the response nor the
//! connection, and an endless body does not hold one.

use std::net::SocketAddr;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::{Bytes, limits};
use crate::serve::{ServeOptions, serve};

/// A server that refuses what is sent to one path, and reads what is sent to another.
async fn connect() -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    let router = Router::new()
        .route("/refused", post(async || StatusCode::FORBIDDEN))
        .route("/read", post(async |_: Bytes| "read"))
        .route("/next", get(async || "next"));
    let options = ServeOptions::default();
    tokio::spawn(serve(listener, router, options, std::future::pending()));
    TcpStream::connect(address).await.unwrap()
}

async fn send(client: &mut TcpStream, line: &str, headers: &str) {
    let head = format!("{line} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
    client.write_all(head.as_bytes()).await.unwrap();
}

/// Reads up to the end of the headers, or of the connection.
async fn read_head(client: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match client.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => break,
        }
    }
    String::from_utf8(head).unwrap().to_lowercase()
}

#[tokio::test]
async fn connection_outlives_a_refused_request_whose_body_comes_after_the_response() {
    let mut client = connect().await;
    send(&mut client, "POST /refused", "Content-Length: 5\r\n").await;
    let head = read_head(&mut client).await;
    assert!(head.starts_with("http/1.1 403"), "{head}");
    assert!(!head.contains("connection: close"), "{head}");
    client.write_all(b"hello").await.unwrap();
    send(&mut client, "GET /next", "").await;
    let head = read_head(&mut client).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
}

#[tokio::test]
async fn body_that_is_too_long_is_discarded_and_the_response_ends_the_connection() {
    let mut client = connect().await;
    let bytes = limits::BODY_BYTES_MAX + 1;
    let length = format!("Content-Length: {bytes}\r\n");
    send(&mut client, "POST /refused", &length).await;
    let head = read_head(&mut client).await;
    assert!(head.starts_with("http/1.1 403"), "{head}");
    assert!(head.contains("connection: close"), "{head}");
    let part = vec![b' '; limits::BODY_BYTES_MAX / 2];
    client.write_all(&part).await.unwrap();
}

#[tokio::test]
async fn endless_body_ends_the_connection() {
    let mut client = connect().await;
    let chunked = "Transfer-Encoding: chunked\r\n";
    send(&mut client, "POST /refused", chunked).await;
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    while client.write_all(chunk.as_bytes()).await.is_ok() {}
}

#[tokio::test(start_paused = true)]
async fn body_that_never_comes_ends_the_connection_after_seconds() {
    let mut client = connect().await;
    send(&mut client, "POST /refused", "Content-Length: 5\r\n").await;
    let begin = tokio::time::Instant::now();
    let mut all = Vec::new();
    client.read_to_end(&mut all).await.unwrap();
    assert!(all.starts_with(b"HTTP/1.1 403"));
    assert_eq!(begin.elapsed().as_secs(), super::TIME_MAX.as_secs());
}

#[tokio::test]
async fn client_that_awaits_leave_to_send_a_body_gets_none() {
    let mut client = connect().await;
    let headers = "Content-Length: 5\r\nExpect: 100-continue\r\n";
    send(&mut client, "POST /refused", headers).await;
    let mut all = String::new();
    client.read_to_string(&mut all).await.unwrap();
    assert!(all.starts_with("HTTP/1.1 403"), "{all}");
    assert!(all.contains("connection: close"), "{all}");
}

#[tokio::test]
async fn body_that_was_read_leaves_the_connection_open() {
    let mut client = connect().await;
    let headers = "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n";
    send(&mut client, "POST /read", headers).await;
    let head = read_head(&mut client).await;
    assert_eq!(head, "http/1.1 100 continue\r\n\r\n");
    client.write_all(b"5\r\nhello\r\n0\r\n\r\n").await.unwrap();
    let head = read_head(&mut client).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(!head.contains("connection: close"), "{head}");
}

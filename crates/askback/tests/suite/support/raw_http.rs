//! HTTP requests as bytes, for what a well-behaved client never sends.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;

use super::server_process::{Server, TOKEN};
use super::timeout::TEST_TIMEOUT;

/// Sends bytes; returns the status and the whole response.
pub(crate) fn raw(server: &Server, request: &[u8]) -> (u16, String) {
    let address = server.address.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).expect("the server listens");
    stream
        .set_read_timeout(Some(TEST_TIMEOUT))
        .expect("it can be set");
    // A server that refuses early may close before everything is sent.
    drop(stream.write_all(request));
    let mut reply = Vec::new();
    drop(stream.read_to_end(&mut reply));
    let reply = String::from_utf8_lossy(&reply).into_owned();
    let status = reply
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    (status.unwrap_or(0), reply)
}

/// A request with these headers and no body.
pub(crate) fn request(line: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    let headers = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let headers: Vec<String> = headers.collect();
    let request = format!(
        "{line} HTTP/1.1\r\nConnection: close\r\n{}\r\n",
        headers.concat()
    );
    request.into_bytes()
}

pub(crate) fn bearer() -> String {
    format!("Bearer {TOKEN}")
}

/// The values of a response header.
pub(crate) fn header<'a>(reply: &'a str, name: &str) -> Vec<&'a str> {
    let head = reply.split("\r\n\r\n").next().unwrap_or_default();
    head.lines()
        .filter_map(|line| line.split_once(": "))
        .filter(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
        .collect()
}

pub(crate) fn body(reply: &str) -> &str {
    reply.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

/// The JSON at a path.
pub(crate) fn get_json(server: &Server, path: &str) -> Value {
    let authorization = bearer();
    let headers = [
        ("Host", "localhost"),
        ("Authorization", authorization.as_str()),
    ];
    let (_, reply) = raw(server, &request(&format!("GET {path}"), &headers));
    serde_json::from_str(body(&reply)).expect("JSON")
}

/// The status and the JSON of the reply to a body.
pub(crate) fn post_json(
    server: &Server,
    path: &str,
    headers: &[(&str, &str)],
    sent: &Value,
) -> (u16, Value) {
    post_text(server, path, headers, &sent.to_string())
}

/// The same with a body as it is written.
pub(crate) fn post_text(
    server: &Server,
    path: &str,
    headers: &[(&str, &str)],
    sent: &str,
) -> (u16, Value) {
    let authorization = bearer();
    let length = sent.len().to_string();
    let own = [
        ("Host", "localhost"),
        ("Authorization", authorization.as_str()),
        ("Content-Type", "application/json"),
        ("Content-Length", length.as_str()),
    ];
    let mut bytes = request(&format!("POST {path}"), &[&own, headers].concat());
    bytes.extend_from_slice(sent.as_bytes());
    let (status, reply) = raw(server, &bytes);
    let reply = serde_json::from_str(body(&reply)).unwrap_or(Value::Null);
    (status, reply)
}

/// The cookie of a browser that opened the printed address.
pub(crate) fn browser_cookie(server: &Server) -> String {
    let line = format!("GET /?token={TOKEN}");
    let (status, reply) = raw(server, &request(&line, &[("Host", "localhost")]));
    assert_eq!(status, 303, "{reply}");
    let cookie = header(&reply, "set-cookie")[0];
    cookie.split(';').next().unwrap_or_default().to_owned()
}

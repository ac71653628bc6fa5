//! A scripted server: one response for each connection. It records the requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

/// The response to one request.
pub(crate) enum Response {
    /// Sends these bytes and closes the connection.
    Bytes(String),
    /// Closes the connection without a response.
    Hangup,
}

impl Response {
    pub(crate) fn json(status: u16, body: &str) -> Response {
        let kind = "application/json";
        Response::Bytes(format!(
            "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        ))
    }

    /// A feed that ends after these bytes.
    pub(crate) fn feed(body: &str) -> Response {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close";
        Response::Bytes(format!("{head}\r\n\r\n{body}"))
    }
}

/// A running server with the requests it received.
pub(crate) struct Server {
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Serves these responses, one for each connection, and closes all others.
    pub(crate) async fn play(responses: impl IntoIterator<Item = Response>) -> Server {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        let mut responses: VecDeque<Response> = responses.into_iter().collect();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let request = read_request(&mut stream).await;
                kept.lock().unwrap().push(request);
                if let Some(Response::Bytes(bytes)) = responses.pop_front() {
                    stream.write_all(bytes.as_bytes()).await.unwrap();
                }
            }
        });
        Server { url, requests }
    }

    /// The requests so far.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// The first lines of the requests so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        let first = |request: &String| request.lines().next().unwrap().to_owned();
        self.requests().iter().map(first).collect()
    }
}

/// A request with its body.
async fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let count = stream.read(&mut piece).await.unwrap();
        bytes.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let complete = text.split_once("\r\n\r\n").is_some_and(|(head, body)| {
            let mut lines = head.lines().map(str::to_ascii_lowercase);
            let length = lines.find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            body.len() >= length.unwrap_or(0)
        });
        if complete || count == 0 {
            return text;
        }
    }
}

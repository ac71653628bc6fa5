//! Enough of HTTP/1.1 for one request per connection, with ways to break it.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Result};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Most bytes of a request.
const BYTES_MAX: usize = 64 << 20;

/// Header names are in lower case.
pub(crate) struct Request {
    pub(crate) path: String,
    headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// Reads a request; `None` if the client closes the connection without one.
pub(crate) async fn read(stream: &mut TcpStream) -> Result<Option<Request>> {
    let mut bytes = Vec::new();
    let head_len = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut bytes).await? == 0 || bytes.len() > BYTES_MAX {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&bytes[..head_len]).into_owned();
    let mut lines = head.lines();
    let path = lines.next().and_then(|line| line.split(' ').nth(1));
    let path = path.unwrap_or_default().to_owned();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers
        .get("content-length")
        .and_then(|value| value.parse::<usize>().ok());
    let length = length.unwrap_or_default().min(BYTES_MAX);
    let mut body = bytes.split_off(head_len);
    while body.len() < length {
        if stream.read_buf(&mut body).await? == 0 {
            return Err(Error::from(ErrorKind::UnexpectedEof));
        }
    }
    Ok(Some(Request {
        path,
        headers,
        body,
    }))
}

pub(crate) struct Response {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Body,
}

enum Body {
    Full(String),
    Events {
        events: Vec<String>,
        pause: Duration,
        /// Whether the stream ends properly.
        complete: bool,
    },
    Disconnect,
    Hang,
}

impl Response {
    pub(crate) fn json(status: u16, json: &Value) -> Response {
        let response = Response::new(status, Body::Full(json.to_string()));
        response.header("Content-Type", "application/json".to_owned())
    }

    pub(crate) fn text(status: u16, text: &str) -> Response {
        let response = Response::new(status, Body::Full(text.to_owned()));
        response.header("Content-Type", "text/html".to_owned())
    }

    pub(crate) fn stream(events: Vec<String>, pause: Duration) -> Response {
        let body = Body::Events {
            events,
            pause,
            complete: true,
        };
        let response = Response::new(200, body);
        let response = response.header("Transfer-Encoding", "chunked".to_owned());
        response.header(
            "Content-Type",
            "text/event-stream; charset=utf-8".to_owned(),
        )
    }

    pub(crate) fn disconnect() -> Response {
        Response::new(0, Body::Disconnect)
    }

    pub(crate) fn hang() -> Response {
        Response::new(0, Body::Hang)
    }

    /// Cuts a stream off after some events.
    pub(crate) fn truncate(mut self, after_events: usize) -> Response {
        if let Body::Events {
            events, complete, ..
        } = &mut self.body
        {
            events.truncate(after_events);
            *complete = false;
        }
        self
    }

    pub(crate) fn header(mut self, name: &'static str, value: String) -> Response {
        self.headers.push((name, value));
        self
    }

    pub(crate) fn status(&self) -> u16 {
        self.status
    }

    fn new(status: u16, body: Body) -> Response {
        Response {
            status,
            headers: vec![("Connection", "close".to_owned())],
            body,
        }
    }

    fn head(&self) -> String {
        let mut head = format!("HTTP/1.1 {} Status\r\n", self.status);
        let length = match &self.body {
            Body::Full(body) => Some(("Content-Length", body.len().to_string())),
            Body::Events { .. } | Body::Disconnect | Body::Hang => None,
        };
        for (name, value) in self.headers.iter().chain(&length) {
            for part in [*name, ": ", value, "\r\n"] {
                head.push_str(part);
            }
        }
        head.push_str("\r\n");
        head
    }

    pub(crate) async fn write(self, stream: &mut TcpStream) -> Result<()> {
        let head = self.head();
        match self.body {
            Body::Disconnect => return Ok(()),
            Body::Hang => {
                // Ends when the client gives up.
                let mut rest = Vec::new();
                stream.read_to_end(&mut rest).await?;
                return Ok(());
            }
            Body::Full(body) => {
                stream.write_all(head.as_bytes()).await?;
                stream.write_all(body.as_bytes()).await?;
            }
            Body::Events {
                events,
                pause,
                complete,
            } => {
                stream.write_all(head.as_bytes()).await?;
                for event in events {
                    let chunk = format!("{:x}\r\n{event}\r\n", event.len());
                    stream.write_all(chunk.as_bytes()).await?;
                    stream.flush().await?;
                    if !pause.is_zero() {
                        tokio::time::sleep(pause).await;
                    }
                }
                if complete {
                    stream.write_all(b"0\r\n\r\n").await?;
                }
            }
        }
        stream.shutdown().await
    }
}

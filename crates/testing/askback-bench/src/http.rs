//! A minimal HTTP client for both servers, so that its own cost is the same for both.

use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::TcpStream;

/// How long a response may take before the run fails.
const RESPONSE_TIMEOUT: Duration = Duration::from_mins(1);

/// The secret of every server that is measured.
pub(crate) const TOKEN: &str = "a-token-for-measuring-only";

/// One connection, used for one request after the other.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
}

/// What came back.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: &str) -> anyhow::Result<Connection> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Connection {
            stream: BufReader::new(stream),
        })
    }

    /// Sends a request and reads the whole response. A response that is not in the 200s is an error.
    pub(crate) async fn send(
        &mut self,
        method: &str,
        path: &str,
        body: &str,
    ) -> anyhow::Result<Vec<u8>> {
        let exchange = tokio::time::timeout(RESPONSE_TIMEOUT, self.exchange(method, path, body));
        let response = exchange
            .await
            .with_context(|| format!("{method} {path}: no response in {RESPONSE_TIMEOUT:?}"))?
            .with_context(|| format!("{method} {path}"))?;
        if response.status / 100 != 2 {
            let text = String::from_utf8_lossy(&response.body);
            bail!("{method} {path}: {} {text}", response.status);
        }
        Ok(response.body)
    }

    async fn exchange(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<Response> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {TOKEN}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.write_all(request.as_bytes()).await?;
        let (status, length) = head(&mut self.stream).await?;
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        Ok(Response { status, body })
    }
}

/// The status of a response and the length of its body.
async fn head(stream: &mut BufReader<TcpStream>) -> anyhow::Result<(u16, usize)> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        bail!("the connection was closed");
    }
    let status = line.split(' ').nth(1).context("no status")?.parse()?;
    let mut length = 0;
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            bail!("the connection was closed");
        }
        if line.trim().is_empty() {
            return Ok((status, length));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse()?;
        }
    }
}

/// The feed of a server, line by line. It uses HTTP/1.0, so that the body is not chunked.
pub(crate) async fn feed(address: &str) -> anyhow::Result<Lines<BufReader<TcpStream>>> {
    let stream = TcpStream::connect(address).await?;
    let mut stream = BufReader::new(stream);
    let request =
        format!("GET /events HTTP/1.0\r\nhost: 127.0.0.1\r\nauthorization: Bearer {TOKEN}\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let (status, _) = head(&mut stream).await?;
    if status != 200 {
        bail!("the feed answers {status}");
    }
    Ok(stream.lines())
}

//! An HTTP server that records requests and responds as told. It is written on plain TCP, since it must
//! be able to break connections.

use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::TEST_TIMEOUT;
use crate::lock::lock;

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Request {
    /// Such as `POST`.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as it arrived.
    pub body: Vec<u8>,
    /// How many connections were opened before the one that it came on.
    pub connection: usize,
}

impl Request {
    /// The first header of this name, which is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(header, _)| header == name);
        found.next().map(|(_, value)| value.as_str())
    }

    /// The body. `Null` if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }
}

/// What the fake does with one request.
#[derive(Debug, Clone)]
pub enum FakeResponse {
    /// Responds.
    Response {
        /// The status.
        status: u16,
        /// Further headers.
        headers: Vec<(&'static str, String)>,
        /// The body.
        body: String,
    },
    /// Closes the connection without a response.
    Drop,
    /// Waits before it does what it would have done.
    Delay(Duration),
}

impl FakeResponse {
    /// A response with a JSON body.
    pub fn json(status: u16, body: &Value) -> FakeResponse {
        FakeResponse::Response {
            status,
            headers: Vec::new(),
            body: body.to_string(),
        }
    }

    /// Status 429, which asks to wait.
    pub fn retry_after(seconds: u64) -> FakeResponse {
        FakeResponse::Response {
            status: 429,
            headers: vec![("retry-after", seconds.to_string())],
            body: "{}".to_owned(),
        }
    }
}

type ResponseFuture = Pin<Box<dyn Future<Output = FakeResponse> + Send>>;

/// Responds to a request if nothing else was told.
type Handler = Arc<dyn Fn(Request) -> ResponseFuture + Send + Sync>;

/// A running fake. It stops when it is dropped.
pub struct FakeHttp {
    address: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

struct Shared {
    requests: Mutex<Vec<Request>>,
    count: watch::Sender<usize>,
    /// Who opened each connection.
    peers: watch::Sender<Vec<SocketAddr>>,
    planned: Mutex<VecDeque<FakeResponse>>,
    handler: Handler,
}

impl Drop for FakeHttp {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl FakeHttp {
    /// Responds with what `handler` returns.
    pub async fn start(
        handler: impl Fn(&Request) -> FakeResponse + Send + Sync + 'static,
    ) -> io::Result<FakeHttp> {
        let handler: Handler = Arc::new(move |request| {
            let response = handler(&request);
            Box::pin(std::future::ready(response))
        });
        FakeHttp::start_at(0, handler).await
    }

    /// Responds to everything with status 200 and this body.
    pub async fn responding(body: Value) -> io::Result<FakeHttp> {
        FakeHttp::start(move |_| FakeResponse::json(200, &body)).await
    }

    /// Listens on a port of this machine; 0 is a free one.
    pub(crate) async fn start_at(port: u16, handler: Handler) -> io::Result<FakeHttp> {
        let listener = TcpListener::bind(("127.0.0.1", port)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            requests: Mutex::default(),
            count: watch::Sender::new(0),
            peers: watch::Sender::default(),
            planned: Mutex::default(),
            handler,
        });
        let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
        Ok(FakeHttp {
            address,
            shared,
            accepting,
        })
    }

    /// The address for the settings of a channel.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The next request gets this, before the handler is asked again.
    pub fn plan(&self, response: FakeResponse) {
        lock(&self.shared.planned).push_back(response);
    }

    /// What has arrived, in order.
    pub fn requests(&self) -> Vec<Request> {
        lock(&self.shared.requests).clone()
    }

    /// Waits until this many requests have arrived.
    pub async fn wait_for(&self, count: usize) -> Vec<Request> {
        let mut counted = self.shared.count.subscribe();
        let arrived = counted.wait_for(|arrived| *arrived >= count);
        let waited = tokio::time::timeout(TEST_TIMEOUT, arrived).await;
        drop(waited.expect("the requests arrive"));
        self.requests()
    }

    /// How many connections have been opened until now. Requests on them may still arrive, also of a program that has ended.
    pub async fn connections(&self) -> io::Result<usize> {
        let own = TcpStream::connect(self.address).await?;
        let address = own.local_addr()?;
        let number = |peers: &Vec<SocketAddr>| peers.iter().rposition(|peer| *peer == address);
        let mut peers = self.shared.peers.subscribe();
        let accepted = peers.wait_for(|peers| number(peers).is_some()).await;
        let accepted = accepted.map_err(io::Error::other)?;
        Ok(number(&accepted).unwrap_or_default())
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, peer)) = listener.accept().await {
        let connection = shared.peers.borrow().len();
        shared.peers.send_modify(|peers| peers.push(peer));
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            let mut stream = BufReader::new(stream);
            while let Some(request) = read_request(&mut stream, connection).await {
                if !respond(&mut stream, &shared, request).await {
                    return;
                }
            }
        });
    }
}

/// Whether the connection stays open.
async fn respond(stream: &mut BufReader<TcpStream>, shared: &Shared, request: Request) -> bool {
    lock(&shared.requests).push(request.clone());
    shared.count.send_modify(|count| *count += 1);
    loop {
        let planned = lock(&shared.planned).pop_front();
        let response = match planned {
            Some(planned) => planned,
            None => (shared.handler)(request.clone()).await,
        };
        match response {
            FakeResponse::Drop => return false,
            FakeResponse::Delay(pause) => tokio::time::sleep(pause).await,
            FakeResponse::Response {
                status,
                headers,
                body,
            } => {
                let length = body.len();
                let headers = headers
                    .into_iter()
                    .map(|(name, value)| format!("{name}: {value}\r\n"));
                let headers: String = headers.collect();
                let head = format!("HTTP/1.1 {status} Fake\r\ncontent-length: {length}\r\n");
                let bytes = format!("{head}{headers}\r\n{body}");
                return stream.write_all(bytes.as_bytes()).await.is_ok();
            }
        }
    }
}

async fn read_request(stream: &mut BufReader<TcpStream>, connection: usize) -> Option<Request> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        lines.push(line.to_owned());
    }
    let mut first = lines.first()?.split(' ');
    let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
    let headers: Vec<(String, String)> = lines[1..]
        .iter()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(Some(0), |(_, length)| length.parse().ok())?;
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Request {
        method,
        path,
        headers,
        body,
        connection,
    })
}

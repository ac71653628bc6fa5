//! An MCP server over HTTP whose one tool asks the user, in the old protocol or in the new one.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, oneshot};
use tokio::task::JoinHandle;

/// Which protocol the server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// It sends its questions as requests during the call.
    Old,
    /// It returns its questions, and the call is repeated with the replies.
    New,
}

/// Stopped with the test.
///
/// The input of its tool `deploy` has `ask`, a list of params of elicitations. The result is the list of
/// the replies. With `impatient`, it does not wait for them, but for [`ElicitingServer::finish`].
pub(crate) struct ElicitingServer {
    pub(crate) address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    era: Era,
    /// The questions that wait for the client, by the id of their request.
    waiting: Mutex<HashMap<u64, oneshot::Sender<Value>>>,
    next: Mutex<u64>,
    /// All replies that came, in their order.
    replies: Mutex<Vec<Value>>,
    finish: Notify,
}

impl ElicitingServer {
    pub(crate) async fn start(era: Era) -> ElicitingServer {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("it is bound");
        let shared = Arc::new(Shared {
            era,
            waiting: Mutex::default(),
            next: Mutex::new(1_000),
            replies: Mutex::default(),
            finish: Notify::new(),
        });
        let task = tokio::spawn(accept(listener, Arc::clone(&shared)));
        ElicitingServer {
            address,
            shared,
            task,
        }
    }

    /// Lets an impatient call return.
    pub(crate) fn finish(&self) {
        self.shared.finish.notify_one();
    }

    /// The actions of all replies so far.
    pub(crate) fn actions(&self) -> Vec<String> {
        let replies = lock(&self.shared.replies);
        let action = |reply: &Value| reply["action"].as_str().unwrap_or_default().to_owned();
        replies.iter().map(action).collect()
    }
}

impl Drop for ElicitingServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        // A client that goes away is no failure of the test.
        tokio::spawn(async move { drop(serve(stream, &shared).await) });
    }
}

async fn serve(stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await?;
        let line = line.trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    let message: Value = serde_json::from_slice(&body).unwrap_or_default();
    let stream = stream.get_mut();
    let Some(method) = message["method"].as_str() else {
        shared.take_reply(&message);
        return respond(stream, "202 Accepted", &Value::Null).await;
    };
    if method == "tools/call" {
        return match shared.era {
            Era::Old => call_old(stream, &message, shared).await,
            Era::New => call_new(stream, &message, shared).await,
        };
    }
    let result = match (method, shared.era) {
        ("initialize", Era::Old) => json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "cloud", "version": "1"},
        }),
        ("server/discover", Era::New) => json!({
            "resultType": "complete", "supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private",
        }),
        ("tools/list", _) => json!({
            "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
            "tools": [{"name": "deploy", "inputSchema": {"type": "object"}}],
        }),
        _ if message["id"].is_null() => {
            return respond(stream, "202 Accepted", &Value::Null).await;
        }
        _ => return respond(stream, "400 Bad Request", &Value::Null).await,
    };
    respond(stream, "200 OK", &reply_to(&message, &result)).await
}

impl Shared {
    fn take_reply(&self, message: &Value) {
        let id = message["id"].as_u64().unwrap_or_default();
        let error = &message["error"];
        let reply = if error.is_null() {
            message["result"].clone()
        } else {
            json!({"action": "error", "error": error})
        };
        lock(&self.replies).push(reply.clone());
        if let Some(waiting) = lock(&self.waiting).remove(&id) {
            drop(waiting.send(reply));
        }
    }
}

/// Sends each question in the open response, and waits for the client to post its reply.
async fn call_old(stream: &mut TcpStream, call: &Value, shared: &Shared) -> std::io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await?;
    let arguments = &call["params"]["arguments"];
    let mut replies = Vec::new();
    for params in arguments["ask"].as_array().into_iter().flatten() {
        let id = {
            let mut next = lock(&shared.next);
            *next += 1;
            *next
        };
        let (sender, receiver) = oneshot::channel();
        lock(&shared.waiting).insert(id, sender);
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "elicitation/create",
            "params": params});
        stream.write_all(event(&request).as_bytes()).await?;
        if arguments["impatient"] != true {
            replies.push(receiver.await.unwrap_or_default());
        }
    }
    if arguments["impatient"] == true {
        shared.finish.notified().await;
    }
    let result = reply_to(call, &text(&json!(replies)));
    stream.write_all(event(&result).as_bytes()).await?;
    stream.shutdown().await
}

/// Returns two questions at a time, and then the result.
async fn call_new(stream: &mut TcpStream, call: &Value, shared: &Shared) -> std::io::Result<()> {
    let params = &call["params"];
    let asked = params["arguments"]["ask"].as_array();
    let asked = asked.cloned().unwrap_or_default();
    let mut replies: Vec<Value> = params["requestState"]
        .as_str()
        .and_then(|state| serde_json::from_str(state).ok())
        .unwrap_or_default();
    if let Value::Object(given) = &params["inputResponses"] {
        replies.extend(given.values().cloned());
        lock(&shared.replies).extend(given.values().cloned());
    }
    let result = if replies.len() < asked.len() {
        let open = asked.iter().skip(replies.len()).take(2).enumerate();
        let open = open.map(|(at, params)| {
            let request = json!({"method": "elicitation/create", "params": params});
            (format!("key{at}"), request)
        });
        let open: serde_json::Map<String, Value> = open.collect();
        json!({"resultType": "input_required", "inputRequests": open,
            "requestState": json!(replies).to_string()})
    } else {
        text(&json!(replies))
    };
    respond(stream, "200 OK", &reply_to(call, &result)).await
}

fn text(value: &Value) -> Value {
    let content = json!([{"type": "text", "text": value.to_string()}]);
    json!({"resultType": "complete", "content": content})
}

fn reply_to(request: &Value, result: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": request["id"], "result": result})
}

fn event(message: &Value) -> String {
    format!("data: {message}\n\n")
}

async fn respond(stream: &mut TcpStream, status: &str, body: &Value) -> std::io::Result<()> {
    let body = if body.is_null() {
        String::new()
    } else {
        body.to_string()
    };
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: \
         close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}

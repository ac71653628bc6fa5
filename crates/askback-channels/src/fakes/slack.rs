//! A fake Slack: its Web API, and a socket through which people press and write.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_websockets::{Message, ServerBuilder};

use super::http::{FakeHttp, Reply, Request};

/// What the fake does on its socket.
#[derive(Debug)]
enum SocketAction {
    Send(Value),
    /// Closes the connection without a word.
    Drop,
}

type Actions = Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<SocketAction>>>;

/// A running fake. It stops when it is dropped.
pub(crate) struct FakeSlack {
    pub(crate) http: FakeHttp,
    act: mpsc::UnboundedSender<SocketAction>,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

struct Shared {
    /// Envelopes that were acknowledged.
    acks: watch::Sender<Vec<String>>,
    sockets: watch::Sender<usize>,
    next_ts: Mutex<u32>,
}

impl Drop for FakeSlack {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl FakeSlack {
    pub(crate) async fn start() -> FakeSlack {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await;
        let listener = listener.expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        let (act, actions) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            acks: watch::Sender::default(),
            sockets: watch::Sender::default(),
            next_ts: Mutex::default(),
        });
        let actions = Arc::new(tokio::sync::Mutex::new(actions));
        let accepting = tokio::spawn(accept(listener, actions, Arc::clone(&shared)));
        let replying = Arc::clone(&shared);
        let http = FakeHttp::start(move |request| reply(request, address, &replying)).await;
        FakeSlack {
            http,
            act,
            shared,
            accepting,
        }
    }

    /// Sends a frame through the socket.
    pub(crate) fn send(&self, frame: Value) {
        let sent = self.act.send(SocketAction::Send(frame));
        sent.expect("the fake runs");
    }

    pub(crate) fn drop_socket(&self) {
        self.act.send(SocketAction::Drop).expect("the fake runs");
    }

    /// Somebody presses a button of a message.
    pub(crate) fn press(&self, envelope: &str, user: &str, data: &str, values: &Value) {
        self.send(json!({
            "type": "interactive", "envelope_id": envelope, "accepts_response_payload": true,
            "payload": {
                "type": "block_actions",
                "user": { "id": user, "name": "zoe", "team_id": "T1" },
                "team": { "id": "T1" },
                "container": { "type": "message", "channel_id": "D1", "message_ts": "1.1" },
                "actions": [{ "type": "button", "action_id": data, "value": data }],
                "state": { "values": values },
            },
        }));
    }

    /// Somebody writes to the app.
    pub(crate) fn write(&self, envelope: &str, event: &Value) {
        self.send(json!({
            "type": "events_api", "envelope_id": envelope, "payload": { "event": event },
        }));
    }

    pub(crate) async fn wait_for_acks(&self, count: usize) -> Vec<String> {
        let mut acks = self.shared.acks.subscribe();
        let limit = Duration::from_secs(20);
        let waited = tokio::time::timeout(limit, acks.wait_for(|acks| acks.len() >= count));
        waited
            .await
            .expect("they arrive")
            .expect("the fake runs")
            .clone()
    }

    pub(crate) fn acks(&self) -> Vec<String> {
        self.shared.acks.borrow().clone()
    }

    pub(crate) async fn wait_for_sockets(&self, count: usize) {
        let mut sockets = self.shared.sockets.subscribe();
        let limit = Duration::from_secs(20);
        let waited = tokio::time::timeout(limit, sockets.wait_for(|open| *open >= count));
        drop(waited.await.expect("it connects"));
    }

    /// The bodies that a method was called with.
    pub(crate) fn calls(&self, method: &str) -> Vec<Value> {
        let requests = self.http.requests();
        let of_method = requests
            .iter()
            .filter(|request| request.path == format!("/{method}"));
        of_method.map(Request::json).collect()
    }

    pub(crate) async fn wait_for_calls(&self, method: &str, count: usize) -> Vec<Value> {
        let mut seen = 0;
        while self.calls(method).len() < count {
            seen += 1;
            let more = self.http.requests().len() + 1;
            assert!(seen < 1000, "{method} is not called");
            self.http.wait_for(more).await;
        }
        self.calls(method)
    }
}

fn reply(request: &Request, socket: SocketAddr, shared: &Shared) -> Reply {
    let is_app = request.header("authorization") == Some("Bearer xapp-1");
    let is_bot = request.header("authorization") == Some("Bearer xoxb-1");
    let body = match request.path.as_str() {
        "/apps.connections.open" if is_app => {
            json!({ "ok": true, "url": format!("ws://{socket}/?ticket=secret-ticket") })
        }
        _ if !is_bot => json!({ "ok": false, "error": "invalid_auth" }),
        "/auth.test" => json!({ "ok": true, "team": "Shop", "team_id": "T1", "user": "askback" }),
        "/chat.postMessage" => {
            let mut ts = shared
                .next_ts
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            *ts += 1;
            json!({ "ok": true, "channel": "D1", "ts": format!("1.{ts}") })
        }
        "/chat.update" | "/chat.postEphemeral" => json!({ "ok": true }),
        _ => json!({ "ok": false, "error": "unknown_method" }),
    };
    Reply::json(200, &body)
}

async fn accept(listener: TcpListener, actions: Actions, shared: Arc<Shared>) {
    let mut serving: Option<JoinHandle<()>> = None;
    while let Ok((stream, _)) = listener.accept().await {
        // The newest socket gets what happens from now on.
        if let Some(serving) = serving.take() {
            serving.abort();
        }
        let (actions, shared) = (Arc::clone(&actions), Arc::clone(&shared));
        serving = Some(tokio::spawn(serve(stream, actions, shared)));
    }
}

async fn serve(stream: TcpStream, actions: Actions, shared: Arc<Shared>) {
    let Ok((_, mut socket)) = ServerBuilder::new().accept(stream).await else {
        return;
    };
    let hello = Message::text(json!({ "type": "hello" }).to_string());
    if socket.send(hello).await.is_err() {
        return;
    }
    shared.sockets.send_modify(|open| *open += 1);
    let mut actions = actions.lock().await;
    loop {
        tokio::select! {
            action = actions.recv() => match action {
                Some(SocketAction::Send(frame)) => {
                    if socket.send(Message::text(frame.to_string())).await.is_err() {
                        return;
                    }
                }
                Some(SocketAction::Drop) | None => return,
            },
            message = socket.next() => {
                let Some(Ok(message)) = message else { return };
                let Some(text) = message.as_text() else { continue };
                let ack: Value = serde_json::from_str(text).expect("it is JSON");
                let envelope = ack["envelope_id"].as_str().expect("it names one").to_owned();
                shared.acks.send_modify(|acks| acks.push(envelope));
            }
        }
    }
}

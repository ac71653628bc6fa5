//! A fake Slack: its Web API, and a socket through which people press and write.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_websockets::{Message, ServerBuilder};

use crate::TEST_TIMEOUT;
use crate::http::{FakeHttp, FakeResponse, Request};
use crate::lock::lock;

/// The tokens that the fake takes.
const BOT_AUTHORIZATION: &str = "Bearer xoxb-1";
const APP_AUTHORIZATION: &str = "Bearer xapp-1";

/// A message in a conversation, as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct SlackMessage {
    /// The conversation with the person: `D1` for the member `U1`.
    pub conversation: String,
    /// Its time stamp, which identifies it within the conversation.
    pub ts: String,
    /// Its text and blocks, as they were sent or updated last.
    pub body: Value,
    /// How often it was updated.
    pub edits: usize,
}

impl SlackMessage {
    fn place(&self) -> SlackPlace<'_> {
        SlackPlace {
            conversation: &self.conversation,
            ts: &self.ts,
        }
    }

    /// The text of a notification.
    pub fn text(&self) -> &str {
        self.body["text"].as_str().unwrap_or_default()
    }

    /// The buttons that can be pressed: label and value. Those that open a link have no value.
    pub fn buttons(&self) -> Vec<(String, String)> {
        let blocks = self.body["blocks"].as_array().into_iter().flatten();
        let elements = blocks.flat_map(|block| {
            let accessory = block.get("accessory").into_iter();
            let elements = block["elements"].as_array().into_iter().flatten();
            accessory.chain(elements)
        });
        let buttons = elements.filter_map(|element| {
            let text = element["text"]["text"].as_str()?.to_owned();
            Some((text, element["value"].as_str()?.to_owned()))
        });
        buttons.collect()
    }
}

/// What the fake does on its socket.
#[derive(Debug)]
enum SocketAction {
    Send(Value),
    /// Sends a frame and closes the connection without reading what comes back.
    SendAndDrop(Value),
    /// Closes the connection without a word.
    Drop,
}

type Actions = Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<SocketAction>>>;

/// A running fake. It stops when it is dropped.
pub struct FakeSlack {
    /// Its Web API.
    pub http: FakeHttp,
    act: mpsc::UnboundedSender<SocketAction>,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
}

struct Shared {
    /// Envelopes that were acknowledged.
    acks: watch::Sender<Vec<String>>,
    sockets: watch::Sender<usize>,
    messages: Mutex<BTreeMap<u32, SlackMessage>>,
}

impl Drop for FakeSlack {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl FakeSlack {
    /// Starts it on free ports of this machine. It takes the tokens `xoxb-1` and `xapp-1`.
    pub async fn start() -> io::Result<FakeSlack> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let (act, actions) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared {
            acks: watch::Sender::default(),
            sockets: watch::Sender::default(),
            messages: Mutex::default(),
        });
        let actions = Arc::new(tokio::sync::Mutex::new(actions));
        let accepting = tokio::spawn(accept(listener, actions, Arc::clone(&shared)));
        let responding = Arc::clone(&shared);
        let http = FakeHttp::start(move |request| respond(request, address, &responding)).await?;
        Ok(FakeSlack {
            http,
            act,
            shared,
            accepting,
        })
    }

    /// All messages, oldest first.
    pub fn messages(&self) -> Vec<SlackMessage> {
        lock(&self.shared.messages).values().cloned().collect()
    }

    /// Sends a frame through the socket.
    pub fn send(&self, frame: Value) {
        let sent = self.act.send(SocketAction::Send(frame));
        sent.expect("the fake runs");
    }

    /// Closes the socket without a word.
    pub fn drop_socket(&self) {
        self.act.send(SocketAction::Drop).expect("the fake runs");
    }

    /// Somebody presses a button of the first message to the member `U1`.
    pub fn press(&self, envelope: &str, user: &str, data: &str, values: &Value) {
        let first = SlackPlace {
            conversation: "D1",
            ts: "1.1",
        };
        self.send(press_frame(first, envelope, user, data, values));
    }

    /// Somebody presses a button of a message.
    pub fn press_message(&self, envelope: &str, user: &str, message: &SlackMessage, data: &str) {
        self.press_filled_in(envelope, user, message, data, &json!({}));
    }

    /// Somebody presses a button of a message with fields, which have these values.
    pub fn press_filled_in(
        &self,
        envelope: &str,
        user: &str,
        message: &SlackMessage,
        data: &str,
        values: &Value,
    ) {
        self.send(press_frame(message.place(), envelope, user, data, values));
    }

    /// Somebody presses a button of a message, and the socket is closed before that is acknowledged.
    pub fn press_and_drop(&self, envelope: &str, user: &str, message: &SlackMessage, data: &str) {
        let frame = press_of(message, envelope, user, data);
        let sent = self.act.send(SocketAction::SendAndDrop(frame));
        sent.expect("the fake runs");
    }

    /// Somebody writes to the app.
    pub fn write(&self, envelope: &str, event: &Value) {
        self.send(json!({
            "type": "events_api", "envelope_id": envelope, "payload": { "event": event },
        }));
    }

    /// Waits until this many envelopes were acknowledged.
    pub async fn wait_for_acks(&self, count: usize) -> Vec<String> {
        let mut acks = self.shared.acks.subscribe();
        let waited = tokio::time::timeout(TEST_TIMEOUT, acks.wait_for(|acks| acks.len() >= count));
        waited
            .await
            .expect("they arrive")
            .expect("the fake runs")
            .clone()
    }

    /// The envelopes that were acknowledged.
    pub fn acks(&self) -> Vec<String> {
        self.shared.acks.borrow().clone()
    }

    /// Waits until this many sockets have been opened.
    pub async fn wait_for_sockets(&self, count: usize) {
        let mut sockets = self.shared.sockets.subscribe();
        let waited = tokio::time::timeout(TEST_TIMEOUT, sockets.wait_for(|open| *open >= count));
        drop(waited.await.expect("it connects"));
    }

    /// The bodies that a method was called with.
    pub fn calls(&self, method: &str) -> Vec<Value> {
        let requests = self.http.requests();
        let of_method = requests
            .iter()
            .filter(|request| request.path == format!("/{method}"));
        of_method.map(Request::json).collect()
    }

    /// Waits until a method was called this often.
    pub async fn wait_for_calls(&self, method: &str, count: usize) -> Vec<Value> {
        for _ in 0..1000 {
            // Counted before the calls are read, so that one that arrives in between is not waited for again.
            let requests = self.http.requests().len();
            let calls = self.calls(method);
            if calls.len() >= count {
                return calls;
            }
            self.http.wait_for(requests + 1).await;
        }
        panic!("{method} is not called");
    }
}

fn press_of(message: &SlackMessage, envelope: &str, user: &str, data: &str) -> Value {
    press_frame(message.place(), envelope, user, data, &json!({}))
}

/// Where a message is.
#[derive(Clone, Copy)]
struct SlackPlace<'a> {
    conversation: &'a str,
    ts: &'a str,
}

fn press_frame(
    place: SlackPlace<'_>,
    envelope: &str,
    user: &str,
    data: &str,
    values: &Value,
) -> Value {
    let SlackPlace { conversation, ts } = place;
    json!({
        "type": "interactive", "envelope_id": envelope, "accepts_response_payload": true,
        "payload": {
            "type": "block_actions",
            "user": { "id": user, "name": "zoe", "team_id": "T1" },
            "team": { "id": "T1" },
            "container": { "type": "message", "channel_id": conversation, "message_ts": ts },
            "actions": [{ "type": "button", "action_id": data, "value": data }],
            "state": { "values": values },
        },
    })
}

fn respond(request: &Request, socket: SocketAddr, shared: &Shared) -> FakeResponse {
    let is_app = request.header("authorization") == Some(APP_AUTHORIZATION);
    let is_bot = request.header("authorization") == Some(BOT_AUTHORIZATION);
    let body = match request.path.as_str() {
        "/apps.connections.open" if is_app => {
            json!({ "ok": true, "url": format!("ws://{socket}/?ticket=secret-ticket") })
        }
        _ if !is_bot => json!({ "ok": false, "error": "invalid_auth" }),
        "/auth.test" => json!({ "ok": true, "team": "Shop", "team_id": "T1", "user": "askback" }),
        "/chat.postMessage" => post(request.json(), shared),
        "/chat.update" => update(request.json(), shared),
        "/chat.postEphemeral" => json!({ "ok": true }),
        _ => json!({ "ok": false, "error": "unknown_method" }),
    };
    FakeResponse::json(200, &body)
}

/// A message to a member is in the conversation with them.
fn post(body: Value, shared: &Shared) -> Value {
    let to = body["channel"].as_str().unwrap_or_default();
    let member = to.strip_prefix('U');
    let conversation = member.map_or_else(|| to.to_owned(), |member| format!("D{member}"));
    let mut messages = lock(&shared.messages);
    let number = messages.keys().next_back().map_or(1, |last| last + 1);
    let message = SlackMessage {
        conversation,
        ts: format!("1.{number}"),
        body,
        edits: 0,
    };
    let posted = json!({ "ok": true, "channel": message.conversation, "ts": message.ts });
    messages.insert(number, message);
    posted
}

fn update(body: Value, shared: &Shared) -> Value {
    let mut messages = lock(&shared.messages);
    let updated = messages.values_mut().find(|message| {
        body["channel"] == message.conversation.as_str() && body["ts"] == message.ts.as_str()
    });
    if let Some(message) = updated {
        message.body = body;
        message.edits += 1;
    }
    json!({ "ok": true })
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
                Some(SocketAction::SendAndDrop(frame)) => {
                    // Whoever does not get it has nothing to acknowledge.
                    drop(socket.send(Message::text(frame.to_string())).await);
                    return;
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

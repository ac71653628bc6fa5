//! A Telegram server for tests and for trying things out: it speaks the Bot API on loopback, records calls,
//! plays people, and fails as told.

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// The name of the bot.
const BOT: &str = "askback_test_bot";

/// A message in a chat, as it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct FakeMessage {
    /// The id that the server gave it.
    pub id: i64,
    /// Who gets it.
    pub chat: String,
    /// Its text and buttons, as they were sent or edited last.
    pub body: Value,
    /// How often it was edited.
    pub edits: usize,
}

impl FakeMessage {
    /// The text.
    pub fn text(&self) -> &str {
        self.body["text"].as_str().unwrap_or_default()
    }

    /// The buttons with data: label and data.
    pub fn buttons(&self) -> Vec<(String, String)> {
        let rows = self.body["reply_markup"]["inline_keyboard"].as_array();
        let buttons = rows
            .into_iter()
            .flatten()
            .filter_map(Value::as_array)
            .flatten();
        let buttons = buttons.filter_map(|button| {
            let text = button["text"].as_str()?.to_owned();
            Some((text, button["callback_data"].as_str()?.to_owned()))
        });
        buttons.collect()
    }
}

#[derive(Default)]
struct Tables {
    messages: BTreeMap<i64, FakeMessage>,
    updates: VecDeque<Value>,
    last_update: i64,
    last_message: i64,
    acknowledged: Vec<Value>,
    /// How the next calls of a method fail: a status and a body.
    failures: VecDeque<(String, u16, String)>,
    is_down: bool,
    calls: Vec<String>,
}

/// A fake of the Bot API.
#[derive(Clone)]
pub struct FakeTelegram {
    address: SocketAddr,
    token: String,
    tables: Arc<Mutex<Tables>>,
    changed: Arc<Notify>,
}

impl FakeTelegram {
    /// Starts a server on a free port of this machine.
    pub async fn start(token: &str) -> std::io::Result<FakeTelegram> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let fake = FakeTelegram {
            address: listener.local_addr()?,
            token: token.to_owned(),
            tables: Arc::default(),
            changed: Arc::new(Notify::new()),
        };
        let serving = fake.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let fake = serving.clone();
                tokio::spawn(async move { drop(fake.serve(stream).await) });
            }
        });
        Ok(fake)
    }

    /// The base URL for the settings.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All messages, oldest first.
    pub fn messages(&self) -> Vec<FakeMessage> {
        self.lock().messages.values().cloned().collect()
    }

    /// What people were told about their presses.
    pub fn acknowledged(&self) -> Vec<Value> {
        self.lock().acknowledged.clone()
    }

    /// The methods that were called.
    pub fn calls(&self) -> Vec<String> {
        self.lock().calls.clone()
    }

    /// The next call of `method` fails with this status and body.
    pub fn fail(&self, method: &str, status: u16, body: &str) {
        let failure = (method.to_owned(), status, body.to_owned());
        self.lock().failures.push_back(failure);
    }

    /// Closes every connection without a response, until it is up again.
    pub fn set_down(&self, is_down: bool) {
        self.lock().is_down = is_down;
        self.changed.notify_waiters();
    }

    /// Somebody presses a button with this data on a message.
    pub fn press(&self, user: i64, message: i64, data: &str) -> i64 {
        let chat = user;
        self.update(|id| {
            json!({ "callback_query": {
                "id": format!("q{id}"),
                "from": { "id": user, "is_bot": false, "first_name": "Somebody" },
                "message": { "message_id": message, "chat": { "id": chat } },
                "data": data,
                "chat_instance": "1",
            }})
        })
    }

    /// Somebody writes a text, perhaps as a reply to a message. `extra` is merged into the message.
    pub fn write(&self, user: i64, text: &str, reply_to: Option<i64>, extra: &Value) -> i64 {
        self.update(|id| {
            let mut message = json!({
                "message_id": 100_000 + id,
                "from": { "id": user, "is_bot": false, "first_name": "Somebody" },
                "chat": { "id": user },
                "text": text,
            });
            if let Some(reply_to) = reply_to {
                message["reply_to_message"] = json!({ "message_id": reply_to });
            }
            for (key, value) in extra.as_object().into_iter().flatten() {
                message[key] = value.clone();
            }
            json!({ "message": message })
        })
    }

    /// Delivers an update again, as if it had not been confirmed.
    pub fn repeat(&self, update: &Value) {
        self.lock().updates.push_back(update.clone());
        self.changed.notify_waiters();
    }

    /// The updates that were not confirmed yet.
    pub fn unconfirmed(&self) -> Vec<Value> {
        self.lock().updates.iter().cloned().collect()
    }

    fn update(&self, make: impl FnOnce(i64) -> Value) -> i64 {
        let mut tables = self.lock();
        tables.last_update += 1;
        let id = tables.last_update;
        let mut update = make(id);
        update["update_id"] = json!(id);
        tables.updates.push_back(update);
        drop(tables);
        self.changed.notify_waiters();
        id
    }

    async fn serve(&self, mut stream: TcpStream) -> std::io::Result<()> {
        loop {
            let Some((path, body)) = read_request(&mut stream).await? else {
                return Ok(());
            };
            if self.lock().is_down {
                return Ok(());
            }
            let (status, reply) = self.answer(&path, &body).await;
            let head = format!(
                "HTTP/1.1 {status} Fake\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                reply.len()
            );
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(reply.as_bytes()).await?;
        }
    }

    async fn answer(&self, path: &str, body: &Value) -> (u16, String) {
        let prefix = format!("/bot{}/", self.token);
        let Some(method) = path.strip_prefix(&prefix) else {
            return refused(404, "Not Found");
        };
        {
            let mut tables = self.lock();
            tables.calls.push(method.to_owned());
            let failure = tables
                .failures
                .iter()
                .position(|(failing, _, _)| failing == method);
            if let Some((_, status, reply)) = failure.and_then(|at| tables.failures.remove(at)) {
                return (status, reply);
            }
        }
        match method {
            "getUpdates" => self.get_updates(body).await,
            "getWebhookInfo" => ok(&json!({ "url": "" })),
            "getMe" => ok(&json!({ "id": 1, "is_bot": true, "username": BOT })),
            "sendMessage" => self.send_message(body),
            "editMessageText" => self.edit_message(body),
            "answerCallbackQuery" => {
                self.lock().acknowledged.push(body.clone());
                ok(&json!(true))
            }
            _ => refused(404, "Not Found: method not found"),
        }
    }

    /// Waits for updates, but not as long as Telegram would, so that tests end soon.
    async fn get_updates(&self, body: &Value) -> (u16, String) {
        let offset = body["offset"].as_i64().unwrap_or(0);
        for _ in 0..2 {
            let changed = self.changed.notified();
            {
                let mut tables = self.lock();
                tables
                    .updates
                    .retain(|update| update["update_id"].as_i64() >= Some(offset));
                if !tables.updates.is_empty() {
                    let updates: Vec<&Value> = tables.updates.iter().collect();
                    return ok(&json!(updates));
                }
            }
            if tokio::time::timeout(Duration::from_secs(2), changed)
                .await
                .is_err()
            {
                break;
            }
        }
        ok(&json!([]))
    }

    fn send_message(&self, body: &Value) -> (u16, String) {
        let length = body["text"]
            .as_str()
            .unwrap_or_default()
            .encode_utf16()
            .count();
        if !(1..=4096).contains(&length) {
            return refused(400, "Bad Request: message text is empty or too long");
        }
        let mut tables = self.lock();
        tables.last_message += 1;
        let id = tables.last_message;
        let message = FakeMessage {
            id,
            chat: body["chat_id"].as_str().unwrap_or_default().to_owned(),
            body: body.clone(),
            edits: 0,
        };
        tables.messages.insert(id, message);
        ok(&json!({ "message_id": id }))
    }

    fn edit_message(&self, body: &Value) -> (u16, String) {
        let mut tables = self.lock();
        let id = body["message_id"].as_i64().unwrap_or_default();
        let Some(message) = tables.messages.get_mut(&id) else {
            return refused(400, "Bad Request: message to edit not found");
        };
        let shown = |body: &Value| (body["text"].clone(), body["reply_markup"].clone());
        if shown(&message.body) == shown(body) {
            return refused(400, "Bad Request: message is not modified");
        }
        message.body = body.clone();
        message.edits += 1;
        ok(&json!({ "message_id": id }))
    }
}

fn ok(result: &Value) -> (u16, String) {
    (200, json!({ "ok": true, "result": result }).to_string())
}

fn refused(status: u16, description: &str) -> (u16, String) {
    let body = json!({ "ok": false, "error_code": status, "description": description });
    (status, body.to_string())
}

/// The path and the JSON body of a request.
async fn read_request(stream: &mut TcpStream) -> std::io::Result<Option<(String, Value)>> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let path = String::from_utf8_lossy(&bytes[..end]);
    let path = path.split(' ').nth(1).unwrap_or_default().to_owned();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"));
    let length: usize = length
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(0);
    while bytes.len() < end + length {
        if stream.read_buf(&mut bytes).await? == 0 {
            return Ok(None);
        }
    }
    let body = serde_json::from_slice(&bytes[end..end + length]).unwrap_or(Value::Null);
    Ok(Some((path, body)))
}

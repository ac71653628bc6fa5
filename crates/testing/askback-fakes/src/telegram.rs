//! A Telegram server for tests and for trying things out: it speaks the Bot API on loopback, records calls,
//! plays people, and fails as told.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{oneshot, watch};

use crate::http::{FakeHttp, FakeResponse, Request};
use crate::lock::lock;

/// The name of the bot.
const BOT: &str = "askback_test_bot";
/// How long a request for updates waits. Telegram waits longer; tests should end soon.
const POLL: Duration = Duration::from_secs(2);

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
    /// How many connections were opened before the one that it came on.
    pub connection: usize,
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

/// Where a call is stopped, so that the caller can be killed there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopPoint {
    /// It has arrived and had no effect.
    BeforeEffect,
    /// It had its effect, and gets no response.
    BeforeResponse,
}

struct Stop {
    method: String,
    at: StopPoint,
    reached: oneshot::Sender<()>,
}

#[derive(Default)]
struct Tables {
    messages: BTreeMap<i64, FakeMessage>,
    updates: VecDeque<Value>,
    last_update: i64,
    /// The newest update that was handed out.
    handed_out: i64,
    last_message: i64,
    acknowledged: Vec<Value>,
    /// How the next calls of a method fail.
    failures: VecDeque<(String, FakeResponse)>,
    stops: Vec<Stop>,
    is_down: bool,
    calls: Vec<String>,
}

struct State {
    /// Those of all bots. They share chats and updates.
    tokens: Mutex<Vec<String>>,
    tables: Mutex<Tables>,
    /// Grows with everything that happens.
    changes: watch::Sender<u64>,
}

/// A fake of the Bot API. It stops with its last clone.
#[derive(Clone)]
pub struct FakeTelegram {
    http: Arc<FakeHttp>,
    state: Arc<State>,
}

impl FakeTelegram {
    /// Starts a server on a free port of this machine.
    pub async fn start(token: &str) -> io::Result<FakeTelegram> {
        FakeTelegram::start_at(0, token).await
    }

    /// Starts a server on this port of this machine.
    pub async fn start_at(port: u16, token: &str) -> io::Result<FakeTelegram> {
        let state = Arc::new(State {
            tokens: Mutex::new(vec![token.to_owned()]),
            tables: Mutex::default(),
            changes: watch::Sender::new(0),
        });
        let serving = Arc::clone(&state);
        let handler = Arc::new(move |request: Request| {
            let state = Arc::clone(&serving);
            let response = async move { state.respond(&request).await };
            Box::pin(response) as std::pin::Pin<Box<dyn Future<Output = FakeResponse> + Send>>
        });
        let http = Arc::new(FakeHttp::start_at(port, handler).await?);
        Ok(FakeTelegram { http, state })
    }

    /// The base URL for the settings.
    pub fn base_url(&self) -> String {
        self.http.url()
    }

    /// Grows with everything that happens.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.state.changes.subscribe()
    }

    /// All messages, oldest first.
    pub fn messages(&self) -> Vec<FakeMessage> {
        lock(&self.state.tables)
            .messages
            .values()
            .cloned()
            .collect()
    }

    /// The last messages that were sent, newest first.
    pub fn newest_messages(&self, count: usize) -> Vec<FakeMessage> {
        let tables = lock(&self.state.tables);
        tables
            .messages
            .values()
            .rev()
            .take(count)
            .cloned()
            .collect()
    }

    /// How many connections have been opened until now. Messages may still arrive on them, also of a server that was killed.
    pub async fn connections(&self) -> io::Result<usize> {
        self.http.connections().await
    }

    /// What people were told about their presses.
    pub fn acknowledged(&self) -> Vec<Value> {
        lock(&self.state.tables).acknowledged.clone()
    }

    /// The methods that were called.
    pub fn calls(&self) -> Vec<String> {
        lock(&self.state.tables).calls.clone()
    }

    /// The next call of `method` fails with this status and body.
    pub fn fail(&self, method: &str, status: u16, body: &str) {
        let response = FakeResponse::Response {
            status,
            headers: Vec::new(),
            body: body.to_owned(),
        };
        lock(&self.state.tables)
            .failures
            .push_back((method.to_owned(), response));
    }

    /// The next call of `method` asks to wait.
    pub fn ask_to_wait(&self, method: &str, seconds: u64) {
        let body = json!({
            "ok": false, "error_code": 429, "description": "Too Many Requests",
            "parameters": { "retry_after": seconds },
        });
        self.fail(method, 429, &body.to_string());
    }

    /// The response to the next call of `method` comes later.
    pub fn delay(&self, method: &str, pause: Duration) {
        let delayed = (method.to_owned(), FakeResponse::Delay(pause));
        lock(&self.state.tables).failures.push_back(delayed);
    }

    /// The next call of `method` is stopped there for good. Completes when it is.
    pub fn stop_at(&self, method: &str, at: StopPoint) -> oneshot::Receiver<()> {
        let (reached, stopped) = oneshot::channel();
        let stop = Stop {
            method: method.to_owned(),
            at,
            reached,
        };
        lock(&self.state.tables).stops.push(stop);
        stopped
    }

    /// Closes every connection without a response, until it is up again.
    pub fn set_down(&self, is_down: bool) {
        lock(&self.state.tables).is_down = is_down;
        self.state.changed();
    }

    /// Waits until the update was handed out.
    pub async fn wait_handed_out(&self, update: i64) {
        let mut changes = self.changes();
        while lock(&self.state.tables).handed_out < update {
            changes.changed().await.expect("the fake runs");
        }
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
        let replied = reply_to.map(|id| {
            let messages = &lock(&self.state.tables).messages;
            let body = messages
                .get(&id)
                .map_or(&Value::Null, |message| &message.body);
            json!({ "message_id": id, "text": body["text"], "reply_markup": body["reply_markup"] })
        });
        self.update(|id| {
            let mut message = json!({
                "message_id": 100_000 + id,
                "from": { "id": user, "is_bot": false, "first_name": "Somebody" },
                "chat": { "id": user },
                "text": text,
            });
            if let Some(replied) = replied {
                message["reply_to_message"] = replied;
            }
            for (key, value) in extra.as_object().into_iter().flatten() {
                message[key] = value.clone();
            }
            json!({ "message": message })
        })
    }

    /// Serves another bot, too.
    pub fn add_bot(&self, token: &str) {
        lock(&self.state.tokens).push(token.to_owned());
    }

    /// The ids of updates start at 1 again, as those of Telegram start anywhere after a week without updates.
    pub fn restart_update_ids(&self) {
        lock(&self.state.tables).last_update = 0;
    }

    /// Delivers an update again, as if it had not been confirmed.
    pub fn repeat(&self, update: &Value) {
        lock(&self.state.tables).updates.push_back(update.clone());
        self.state.changed();
    }

    /// The updates that were not confirmed yet.
    pub fn unconfirmed(&self) -> Vec<Value> {
        lock(&self.state.tables).updates.iter().cloned().collect()
    }

    fn update(&self, make: impl FnOnce(i64) -> Value) -> i64 {
        let mut tables = lock(&self.state.tables);
        tables.last_update += 1;
        let id = tables.last_update;
        let mut update = make(id);
        update["update_id"] = json!(id);
        tables.updates.push_back(update);
        drop(tables);
        self.state.changed();
        id
    }
}

impl State {
    fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    async fn respond(&self, request: &Request) -> FakeResponse {
        let method = lock(&self.tokens).iter().find_map(|token| {
            let method = request.path.strip_prefix(&format!("/bot{token}/"));
            method.map(str::to_owned)
        });
        let Some(method) = method.as_deref() else {
            return refused(404, "Not Found");
        };
        {
            let mut tables = lock(&self.tables);
            if tables.is_down {
                return FakeResponse::Drop;
            }
            tables.calls.push(method.to_owned());
            let mut failures = tables.failures.iter();
            let failing = failures.position(|(failing, _)| failing == method);
            if let Some((_, response)) = failing.and_then(|at| tables.failures.remove(at)) {
                return response;
            }
        }
        self.stop_if_told(method, StopPoint::BeforeEffect).await;
        let response = self.call(method, request).await;
        self.changed();
        self.stop_if_told(method, StopPoint::BeforeResponse).await;
        response
    }

    async fn stop_if_told(&self, method: &str, at: StopPoint) {
        let found = {
            let mut tables = lock(&self.tables);
            let mut stops = tables.stops.iter();
            let found = stops.position(|stop| stop.method == method && stop.at == at);
            found.map(|found| tables.stops.remove(found))
        };
        if let Some(stop) = found {
            // Nobody waits for it if the test has ended.
            let _unheard = stop.reached.send(());
            std::future::pending::<()>().await;
        }
    }

    async fn call(&self, method: &str, request: &Request) -> FakeResponse {
        let body = &request.json();
        match method {
            "getUpdates" => self.get_updates(body).await,
            "getWebhookInfo" => ok(&json!({ "url": "" })),
            "getMe" => ok(&json!({ "id": 1, "is_bot": true, "username": BOT })),
            "sendMessage" => self.send_message(body, request.connection),
            "editMessageText" => self.edit_message(body),
            "answerCallbackQuery" => {
                lock(&self.tables).acknowledged.push(body.clone());
                ok(&json!(true))
            }
            _ => refused(404, "Not Found: method not found"),
        }
    }

    /// Waits for updates, but not as long as Telegram would, so that tests end soon.
    async fn get_updates(&self, body: &Value) -> FakeResponse {
        let offset = body["offset"].as_i64().unwrap_or(0);
        let mut changes = self.changes.subscribe();
        let until = tokio::time::Instant::now() + POLL;
        loop {
            changes.mark_unchanged();
            {
                let mut tables = lock(&self.tables);
                tables
                    .updates
                    .retain(|update| update["update_id"].as_i64() >= Some(offset));
                if !tables.updates.is_empty() {
                    tables.handed_out = tables.last_update;
                    let updates: Vec<&Value> = tables.updates.iter().collect();
                    return ok(&json!(updates));
                }
                if tables.is_down {
                    return FakeResponse::Drop;
                }
            }
            if tokio::time::timeout_at(until, changes.changed())
                .await
                .is_err()
            {
                return ok(&json!([]));
            }
        }
    }

    fn send_message(&self, body: &Value, connection: usize) -> FakeResponse {
        let length = body["text"]
            .as_str()
            .unwrap_or_default()
            .encode_utf16()
            .count();
        if !(1..=4096).contains(&length) {
            return refused(400, "Bad Request: message text is empty or too long");
        }
        let mut tables = lock(&self.tables);
        tables.last_message += 1;
        let id = tables.last_message;
        let message = FakeMessage {
            id,
            chat: body["chat_id"].as_str().unwrap_or_default().to_owned(),
            body: body.clone(),
            edits: 0,
            connection,
        };
        tables.messages.insert(id, message);
        ok(&json!({ "message_id": id }))
    }

    fn edit_message(&self, body: &Value) -> FakeResponse {
        let mut tables = lock(&self.tables);
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

fn ok(result: &Value) -> FakeResponse {
    FakeResponse::json(200, &json!({ "ok": true, "result": result }))
}

fn refused(status: u16, description: &str) -> FakeResponse {
    let body = json!({ "ok": false, "error_code": status, "description": description });
    FakeResponse::json(status, &body)
}

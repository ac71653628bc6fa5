//! A fake model provider for tests. It speaks every protocol of [`askback_agent::provider`], streamed and not,
//! and refuses what the real servers refuse.
//!
//! Its replies come from a [`Script`]. The history in the request decides which one, so a request
//! that is repeated after a crash gets the same reply. `think` in a step becomes signed reasoning
//! that must be sent back with the calls it led to. `fail` in a step happens over HTTP: `overloaded`
//! is a status with `Retry-After`, `network` a stream that is cut off, `malformed` a body that is not
//! JSON, `refused` a bad request. [`FakeProvider::inject_fault`] does the same once, for any step.
//!
//! It is written on plain TCP, since it must be able to break connections.

mod anthropic;
mod api_error;
mod chunks;
mod fault;
pub(crate) mod http;
mod openai_chat;
mod openai_responses;

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub use fault::Fault;

use api_error::ApiError;
use askback_agent::provider::Protocol;
use askback_agent::scripted::{Script, ScriptedReply};
use http::{Request, Response};

/// What a fake provider replies, and to whom.
#[derive(Debug, Clone)]
pub struct FakeProviderOptions {
    /// Chooses the reply to each request.
    pub script: Script,
    /// The only key that is accepted. Without one, no key is needed.
    pub key: Option<String>,
    /// The only models that exist. If empty, all do.
    pub models: Vec<String>,
}

impl FakeProviderOptions {
    /// Accepts every key and model.
    pub fn new(script: Script) -> FakeProviderOptions {
        FakeProviderOptions {
            script,
            key: None,
            models: Vec::new(),
        }
    }
}

/// A running fake provider. It stops when it is dropped.
#[derive(Debug)]
pub struct FakeProvider {
    address: SocketAddr,
    server: Arc<Server>,
    task: JoinHandle<()>,
}

/// A request that arrived, for assertions.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedRequest {
    /// Without the host.
    pub path: String,
    /// Null if it was not JSON.
    pub body: Value,
    /// The status of the response, or 0 if the connection was closed without one.
    pub status: u16,
}

#[derive(Debug)]
struct Server {
    options: FakeProviderOptions,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    faults: VecDeque<Fault>,
    requests: Vec<RecordedRequest>,
    /// How often each history has arrived. The count is the number of the attempt.
    attempts: BTreeMap<String, u32>,
}

impl FakeProvider {
    /// Starts on a free loopback port.
    pub async fn start(options: FakeProviderOptions) -> std::io::Result<FakeProvider> {
        FakeProvider::start_at(SocketAddr::from(([127, 0, 0, 1], 0)), options).await
    }

    /// Starts at a given address, such as that of an earlier fake provider.
    pub async fn start_at(
        address: SocketAddr,
        options: FakeProviderOptions,
    ) -> std::io::Result<FakeProvider> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let server = Arc::new(Server {
            options,
            state: Mutex::default(),
        });
        let task = tokio::spawn(serve(listener, Arc::clone(&server)));
        Ok(FakeProvider {
            address,
            server,
            task,
        })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The base URL, without a path.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Makes the next valid request fail. Several faults are used in order.
    pub fn inject_fault(&self, fault: Fault) {
        self.server.state().faults.push_back(fault);
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.server.state().requests.clone()
    }

    /// Serves until the process ends.
    pub async fn run(mut self) {
        if (&mut self.task).await.is_err() {
            tracing::debug!("the fake provider was stopped");
        }
    }
}

impl Drop for FakeProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, server: Arc<Server>) {
    while let Ok((stream, _)) = listener.accept().await {
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            if let Err(error) = server.handle(stream).await {
                tracing::debug!(%error, "the client disconnected");
            }
        });
    }
}

impl Server {
    async fn handle(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let Some(request) = http::read(&mut stream).await? else {
            return Ok(());
        };
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let response = self.respond(&request, &body);
        self.state().requests.push(RecordedRequest {
            path: request.path.clone(),
            body,
            status: response.status(),
        });
        response.write(&mut stream).await
    }

    fn respond(&self, request: &Request, body: &Value) -> Response {
        let protocol = match request.path.as_str() {
            "/v1/messages" => Protocol::Anthropic,
            "/v1/chat/completions" => Protocol::OpenAiChat,
            "/v1/responses" => Protocol::OpenAiResponses,
            _ => return ApiError::not_found("nothing at this path").response(),
        };
        match self.scripted_reply(protocol, request, body) {
            Ok(reply) => self.reply(protocol, body, &reply),
            Err(refusal) => refusal.response(),
        }
    }

    /// The script's reply, if the request is valid.
    fn scripted_reply(
        &self,
        protocol: Protocol,
        request: &Request,
        body: &Value,
    ) -> Result<ScriptedReply, ApiError> {
        if !body.is_object() {
            return Err(ApiError::bad_request("the body is not a JSON object"));
        }
        let history = match protocol {
            Protocol::Anthropic => anthropic::validate(&self.options, request, body)?,
            Protocol::OpenAiChat => openai_chat::validate(&self.options, request, body)?,
            Protocol::OpenAiResponses => openai_responses::validate(&self.options, request, body)?,
        };
        let next = self.options.script.next_reply(&history);
        next.map_err(|message| ApiError::bad_request(&message))
    }

    fn reply(&self, protocol: Protocol, body: &Value, reply: &ScriptedReply) -> Response {
        let streamed = body["stream"] == true;
        match self.fault(body, reply) {
            Some(Fault::Disconnect { after_events }) if streamed => {
                stream(protocol, body, reply).truncate(after_events)
            }
            Some(fault) => fault.response(),
            None if streamed => stream(protocol, body, reply),
            None => {
                let whole = match protocol {
                    Protocol::Anthropic => anthropic::message(body, reply),
                    Protocol::OpenAiChat => openai_chat::completion(body, reply),
                    Protocol::OpenAiResponses => openai_responses::response(body, reply),
                };
                Response::json(200, &whole)
            }
        }
    }

    /// The fault that this request gets.
    fn fault(&self, body: &Value, reply: &ScriptedReply) -> Option<Fault> {
        let mut state = self.state();
        if let Some(fault) = state.faults.pop_front() {
            return Some(fault);
        }
        let history = format!("{}{}", body["messages"], body["input"]);
        let attempts = state.attempts.entry(history);
        let attempt = attempts.or_default();
        *attempt += 1;
        reply.failure_for_attempt(*attempt).map(Fault::from_script)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stream(protocol: Protocol, body: &Value, reply: &ScriptedReply) -> Response {
    let events = match protocol {
        Protocol::Anthropic => anthropic::events(body, reply),
        Protocol::OpenAiChat => openai_chat::events(body, reply),
        Protocol::OpenAiResponses => openai_responses::events(body, reply),
    };
    Response::stream(events, reply.chunk_pause)
}

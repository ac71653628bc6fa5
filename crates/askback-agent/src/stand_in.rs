//! A server that stands in for the providers in tests: it speaks both protocols, streamed and not,
//! and refuses what the real ones refuse.
//!
//! What it replies is a [`Script`], chosen by the history in the request, so a request that is sent
//! again after a crash gets the same reply. `think` in a step becomes signed reasoning that must
//! come back with the calls it led to. Steps fail over HTTP as they say: `overloaded` is a status
//! with `Retry-After`, `network` a stream that breaks off, `malformed` a body that is not JSON,
//! `refused` a bad request. [`StandIn::inject`] does the same from outside, once, for any step.
//!
//! A server of one's own on plain TCP, since the faults of a connection are half of its purpose.

mod anthropic;
mod fault;
mod http;
mod openai;
mod pieces;
mod refusal;

use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub use fault::Fault;

use crate::scripted::{Play, Script};
use http::{Request, Response};
use refusal::Refusal;

/// What the stand-in plays and whom it serves.
#[derive(Debug, Clone)]
pub struct Options {
    /// The replies.
    pub script: Script,
    /// The only key it takes; any, or none, if not set.
    pub key: Option<String>,
    /// The only models it knows; any if empty.
    pub models: Vec<String>,
}

impl Options {
    /// A stand-in that plays `script` for everyone.
    pub fn new(script: Script) -> Options {
        Options {
            script,
            key: None,
            models: Vec::new(),
        }
    }
}

/// A stand-in that runs until it is dropped.
#[derive(Debug)]
pub struct StandIn {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

/// A request as it arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// The path.
    pub path: String,
    /// The body.
    pub body: Value,
    /// The status of the reply, or 0 if the connection was to break.
    pub status: u16,
}

#[derive(Debug)]
struct Shared {
    options: Options,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    faults: VecDeque<Fault>,
    seen: Vec<Seen>,
    /// How often each list of messages has come, which numbers the attempts.
    attempts: BTreeMap<String, u32>,
}

impl StandIn {
    /// Starts on a free port of this machine.
    pub async fn start(options: Options) -> std::io::Result<StandIn> {
        StandIn::start_at(SocketAddr::from(([127, 0, 0, 1], 0)), options).await
    }

    /// Starts at an address, as after a restart.
    pub async fn start_at(address: SocketAddr, options: Options) -> std::io::Result<StandIn> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            options,
            state: Mutex::default(),
        });
        let task = tokio::spawn(serve(listener, Arc::clone(&shared)));
        Ok(StandIn {
            address,
            shared,
            task,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its base URL, without a path.
    pub fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Lets the next good request meet a fault; several wait in line.
    pub fn inject(&self, fault: Fault) {
        self.shared.state().faults.push_back(fault);
    }

    /// The requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.state().seen.clone()
    }

    /// Serves until the task is ended from outside.
    pub async fn run(mut self) {
        if (&mut self.task).await.is_err() {
            tracing::debug!("the stand-in was stopped");
        }
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, shared: Arc<Shared>) {
    while let Ok((stream, _)) = listener.accept().await {
        let shared = Arc::clone(&shared);
        tokio::spawn(async move {
            if let Err(error) = shared.handle(stream).await {
                tracing::debug!(%error, "the other side went away");
            }
        });
    }
}

impl Shared {
    async fn handle(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let Some(request) = http::read(&mut stream).await? else {
            return Ok(());
        };
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let response = self.respond(&request, &body);
        self.state().seen.push(Seen {
            path: request.path.clone(),
            body,
            status: response.status(),
        });
        response.write(&mut stream).await
    }

    fn respond(&self, request: &Request, body: &Value) -> Response {
        let wire = match request.path.as_str() {
            "/v1/messages" => Protocol::Anthropic,
            "/v1/chat/completions" => Protocol::OpenAi,
            _ => return Refusal::not_found("there is nothing at this path").response(),
        };
        match self.play(wire, request, body) {
            Ok(play) => self.reply(wire, body, &play),
            Err(refusal) => refusal.response(),
        }
    }

    /// What the script says to a request, if the request is in order.
    fn play(&self, wire: Protocol, request: &Request, body: &Value) -> Result<Play, Refusal> {
        if !body.is_object() {
            return Err(Refusal::bad("the body is not a JSON object"));
        }
        let history = match wire {
            Protocol::Anthropic => anthropic::check(&self.options, request, body)?,
            Protocol::OpenAi => openai::check(&self.options, request, body)?,
        };
        let next = self.options.script.next(&history);
        next.map_err(|sentence| Refusal::bad(&sentence))
    }

    fn reply(&self, wire: Protocol, body: &Value, play: &Play) -> Response {
        let streamed = body["stream"] == true;
        match self.fault(body, play) {
            Some(Fault::Break { after_events }) if streamed => {
                stream(wire, body, play).cut(after_events)
            }
            Some(fault) => fault.response(),
            None if streamed => stream(wire, body, play),
            None => {
                let whole = match wire {
                    Protocol::Anthropic => anthropic::message(body, play),
                    Protocol::OpenAi => openai::completion(body, play),
                };
                Response::json(200, &whole)
            }
        }
    }

    /// The fault that this request meets.
    fn fault(&self, body: &Value, play: &Play) -> Option<Fault> {
        let mut state = self.state();
        if let Some(fault) = state.faults.pop_front() {
            return Some(fault);
        }
        let attempts = state.attempts.entry(body["messages"].to_string());
        let attempt = attempts.or_default();
        *attempt += 1;
        play.fail_at(*attempt).map(Fault::of)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stream(wire: Protocol, body: &Value, play: &Play) -> Response {
    let events = match wire {
        Protocol::Anthropic => anthropic::events(body, play),
        Protocol::OpenAi => openai::events(body, play),
    };
    Response::stream(events, play.chunk_pause)
}

/// Which protocol a request is in.
#[derive(Debug, Clone, Copy)]
enum Protocol {
    Anthropic,
    OpenAi,
}

#[cfg(test)]
#[path = "stand_in_tests.rs"]
mod tests;

//! A provider in virtual time: it records every call with its time, and fails or hangs as a test decides.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askback_channels::{
    Address, Attention, Button, Card, Channel, ChannelFuture, Incoming, IncomingAction,
    IncomingHandler, MessageId, Press, ReceiveError, Rendered, SendError,
};
use askback_core::id::InquiryId;
use askback_core::identity::Identity;
use askback_core::outcome::Surface;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant};

/// What the provider was asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Send,
    Edit,
    /// A short text in the thread of a message.
    ThreadText,
}

#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) method: Method,
    /// Since the fake was made.
    pub(crate) at: Duration,
    pub(crate) address: String,
    /// The message that is sent or edited. The first one is `m1`.
    pub(crate) message: String,
    pub(crate) text: String,
    /// Whether the provider did it and said so.
    pub(crate) is_done: bool,
}

/// How the provider responses.
#[derive(Debug, Clone)]
pub(crate) enum Response {
    Done,
    Fail(SendError),
    /// Never.
    Hang,
}

pub(crate) fn down() -> Response {
    Response::Fail(SendError::temporary("down"))
}

type Responses = Box<dyn FnMut(&Call) -> Response + Send>;

pub(crate) struct FakeChannel {
    start: Instant,
    has_secret_addresses: bool,
    responses: Mutex<Responses>,
    calls: Mutex<Vec<Call>>,
    people: tokio::sync::Mutex<mpsc::UnboundedReceiver<Received>>,
    act: mpsc::UnboundedSender<Received>,
    /// When receiving began, each time.
    received: Mutex<Vec<Duration>>,
}

#[derive(Debug)]
enum Received {
    Incoming(Box<Incoming>),
    Error(ReceiveError),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl FakeChannel {
    /// Responses to each call as the function says.
    pub(crate) fn responding(
        responses: impl FnMut(&Call) -> Response + Send + 'static,
    ) -> FakeChannel {
        let (act, people) = mpsc::unbounded_channel();
        FakeChannel {
            start: Instant::now(),
            has_secret_addresses: false,
            responses: Mutex::new(Box::new(responses)),
            calls: Mutex::default(),
            people: tokio::sync::Mutex::new(people),
            act,
            received: Mutex::default(),
        }
    }

    /// One that is down while the flag is set.
    pub(crate) fn with_outages() -> (FakeChannel, Arc<AtomicBool>) {
        let is_down = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_down);
        let channel = FakeChannel::responding(move |_| {
            if flag.load(Ordering::Relaxed) {
                down()
            } else {
                Response::Done
            }
        });
        (channel, is_down)
    }

    /// Its addresses are secrets, as those of ntfy.
    pub(crate) fn with_secret_addresses(self) -> FakeChannel {
        FakeChannel {
            has_secret_addresses: true,
            ..self
        }
    }

    pub(crate) fn calls(&self) -> Vec<Call> {
        lock(&self.calls).clone()
    }

    /// The calls that succeeded.
    pub(crate) fn done(&self) -> Vec<Call> {
        let mut calls = self.calls();
        calls.retain(|call| call.is_done);
        calls
    }

    pub(crate) fn received(&self) -> Vec<Duration> {
        lock(&self.received).clone()
    }

    /// Receiving fails.
    pub(crate) fn fail_receiving(&self, error: ReceiveError) {
        let sent = self.act.send(Received::Error(error));
        sent.expect("the fake runs");
    }

    /// Zoë does something with a message.
    pub(crate) fn act(&self, message: &str, action: IncomingAction) {
        let incoming = Incoming {
            identity: Identity::new("telegram", "42").expect("it is an identity"),
            address: Address("42".to_owned()),
            message: Some(MessageId(message.to_owned())),
            action,
        };
        let sent = self.act.send(Received::Incoming(Box::new(incoming)));
        sent.expect("the fake runs");
    }

    /// Zoë presses a button of a message.
    pub(crate) fn press(&self, message: &str, inquiry: &InquiryId, press: Press) {
        let button = Button {
            inquiry: inquiry.clone(),
            revision: 1,
            press,
        };
        let data = button.encode();
        self.act(message, IncomingAction::Press { data });
    }

    async fn call(
        &self,
        method: Method,
        to: &Address,
        message: Option<&MessageId>,
        body: &Rendered,
    ) -> Result<MessageId, SendError> {
        let (response, message) = {
            let mut calls = lock(&self.calls);
            let sends = calls.iter().filter(|call| call.method == Method::Send);
            let new = format!("m{}", sends.count() + 1);
            let message = message.map_or(new, |message| message.0.clone());
            let mut call = Call {
                method,
                at: self.start.elapsed(),
                address: to.0.clone(),
                message: message.clone(),
                text: body.body["text"].as_str().unwrap_or_default().to_owned(),
                is_done: false,
            };
            let response = lock(&self.responses)(&call);
            call.is_done = matches!(response, Response::Done);
            calls.push(call);
            (response, message)
        };
        match response {
            Response::Done => Ok(MessageId(message)),
            Response::Fail(error) => Err(error),
            Response::Hang => std::future::pending().await,
        }
    }
}

impl Channel for FakeChannel {
    fn surface(&self) -> Surface {
        Surface::Telegram
    }

    fn has_secret_addresses(&self) -> bool {
        self.has_secret_addresses
    }

    fn render(&self, card: &Card) -> Rendered {
        Rendered {
            body: json!({ "text": card.text(4096) }),
            is_answerable: card.is_answerable(),
        }
    }

    fn send<'a>(
        &'a self,
        to: &'a Address,
        message: &'a Rendered,
        _: Attention,
    ) -> ChannelFuture<'a, Result<MessageId, SendError>> {
        Box::pin(self.call(Method::Send, to, None, message))
    }

    fn edit<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        message: &'a Rendered,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            let edited = self.call(Method::Edit, to, Some(id), message).await;
            edited.map(drop)
        })
    }

    fn send_thread_text<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        text: &'a str,
        _: Attention,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            let message = Rendered::notice(json!({ "text": text }));
            let called = self.call(Method::ThreadText, to, Some(id), &message).await;
            called.map(drop)
        })
    }

    /// The text that a press asks for is asked for in the message `p-` and the id of the question.
    fn receive(&self, handler: Arc<dyn IncomingHandler>) -> ChannelFuture<'_, ReceiveError> {
        lock(&self.received).push(self.start.elapsed());
        Box::pin(async move {
            let mut people = self.people.lock().await;
            loop {
                let incoming = match people.recv().await {
                    Some(Received::Incoming(incoming)) => *incoming,
                    Some(Received::Error(error)) => return error,
                    None => std::future::pending().await,
                };
                let address = incoming.address.clone();
                handler.mark_healthy();
                let told = handler.handle(incoming).await.expect("the store works");
                if let Some(prompt) = told.prompt {
                    let id = MessageId(format!("p-{}", prompt.button.inquiry));
                    let shown = handler.prompt_shown(&address, &prompt, id).await;
                    shown.expect("the store works");
                }
            }
        })
    }

    fn check(&self) -> ChannelFuture<'_, Result<String, SendError>> {
        Box::pin(std::future::ready(Ok("fake".to_owned())))
    }
}

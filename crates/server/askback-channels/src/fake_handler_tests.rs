//! A handler of incoming presses without a store: it records what arrives and replies as told.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::watch;

use crate::contract::channel::{Address, ChannelFuture, MessageId};
use crate::contract::feedback::{Feedback, PressResult, TextPrompt};
use crate::contract::incoming::{HandlerError, Incoming, IncomingHandler};

type Reply = Result<Feedback, HandlerError>;

/// Accepts everything, unless told otherwise.
#[derive(Default)]
pub(crate) struct FakeHandler {
    arrived: watch::Sender<Vec<Incoming>>,
    replies: Mutex<VecDeque<Reply>>,
    /// How often the channel said that it can receive.
    pub(crate) healthy: AtomicUsize,
}

pub(crate) fn feedback(result: PressResult, text: &str) -> Feedback {
    Feedback {
        result,
        text: text.to_owned(),
        prompt: None,
    }
}

impl FakeHandler {
    pub(crate) fn new() -> Arc<FakeHandler> {
        Arc::new(FakeHandler::default())
    }

    /// What arrives next gets this reply.
    pub(crate) fn reply(&self, reply: Reply) {
        let mut replies = self.replies.lock();
        replies.push_back(reply);
    }

    pub(crate) fn arrived(&self) -> Vec<Incoming> {
        self.arrived.borrow().clone()
    }

    /// Waits until this many have arrived.
    pub(crate) async fn wait_for(&self, count: usize) -> Vec<Incoming> {
        let mut arrived = self.arrived.subscribe();
        let waited = tokio::time::timeout(
            askback_fakes::TEST_TIMEOUT,
            arrived.wait_for(|all| all.len() >= count),
        );
        drop(waited.await.expect("they arrive"));
        self.arrived()
    }
}

impl IncomingHandler for FakeHandler {
    fn handle(&self, incoming: Incoming) -> ChannelFuture<'_, Reply> {
        let mut replies = self.replies.lock();
        let accepted = || Ok(feedback(PressResult::Accepted, "Sent"));
        let reply = replies.pop_front().unwrap_or_else(accepted);
        self.arrived.send_modify(|arrived| arrived.push(incoming));
        Box::pin(std::future::ready(reply))
    }

    fn prompt_shown<'a>(
        &'a self,
        _address: &'a Address,
        _prompt: &'a TextPrompt,
        _message: MessageId,
    ) -> ChannelFuture<'a, Result<(), HandlerError>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn position(&self) -> ChannelFuture<'_, Result<Option<String>, HandlerError>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    fn set_position(&self, _position: String) -> ChannelFuture<'_, Result<(), HandlerError>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn mark_healthy(&self) {
        self.healthy.fetch_add(1, Ordering::Relaxed);
    }
}

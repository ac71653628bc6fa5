use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use askback_core::id::ConversationId;
use askback_engine::ports::{Llm as _, LlmRequest, TokenSink};

use super::NoProvider;

struct Nobody;

impl TokenSink for Nobody {
    fn token(&self, _: &str) {}
}

/// The request stays due until a server with a provider takes it.
#[test]
fn missing_provider_neither_replies_nor_fails() {
    let request = LlmRequest {
        conversation: ConversationId::new("cnv_1"),
        attempt: 1,
        model: None,
        system: String::new(),
        history: Arc::default(),
        tools: Vec::new(),
        tokens_max: None,
    };
    let mut reply = pin!(NoProvider.request(request, &Nobody));
    let polled = reply.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(polled, Poll::Pending));
}

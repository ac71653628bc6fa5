//! A reply in pieces: each event holds what is new in the message.

use askback_engine::ports::TokenSink;
use serde_json::Value;

use super::message::{Message, text_in};
use crate::provider::reply::{Outcome, StreamReader};

/// Puts a message together from its events.
#[derive(Default)]
pub(in crate::provider) struct Reader {
    message: Message,
    finish_reason: Option<String>,
}

impl StreamReader for Reader {
    fn take(&mut self, event: &Value, tokens: &dyn TokenSink) {
        let choice = &event["choices"][0];
        let delta = &choice["delta"];
        let text = text_in(delta);
        if !text.is_empty() {
            tokens.token(&text);
            self.message.text.push_str(&text);
        }
        self.message.grow(delta);
        if let Some(reason) = choice["finish_reason"].as_str() {
            self.finish_reason = Some(reason.to_owned());
        }
    }

    fn is_complete(&self) -> bool {
        // The end is a mark of its own in this protocol; pieces may follow the reason.
        false
    }

    fn finish(self) -> Option<Outcome> {
        let reason = self.finish_reason?;
        Some(self.message.outcome(Some(&reason)))
    }
}

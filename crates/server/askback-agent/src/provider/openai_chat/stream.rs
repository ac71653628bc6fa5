//! A streamed completion: each event holds a delta of the message.

use askback_engine::ports::TokenSink;
use serde_json::Value;

use super::message::{Message, text_in};
use crate::provider::reply::{ParsedReply, StreamParser};

#[derive(Default)]
pub(in crate::provider) struct CompletionStream {
    message: Message,
    finish_reason: Option<String>,
}

impl StreamParser for CompletionStream {
    fn handle_event(&mut self, event: &Value, tokens: &dyn TokenSink) {
        let choice = &event["choices"][0];
        let delta = &choice["delta"];
        let text = text_in(delta);
        if !text.is_empty() {
            tokens.token(&text);
            self.message.text.push_str(&text);
        }
        self.message.add_delta(delta);
        if let Some(reason) = choice["finish_reason"].as_str() {
            self.finish_reason = Some(reason.to_owned());
        }
    }

    fn is_complete(&self) -> bool {
        // The stream ends with `[DONE]`; more deltas may follow the finish reason.
        false
    }

    fn finish(self) -> Option<ParsedReply> {
        let reason = self.finish_reason?;
        Some(self.message.into_reply(Some(&reason)))
    }
}

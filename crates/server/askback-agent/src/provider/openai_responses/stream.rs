//! A streamed response: items are added, receive deltas and are done. The last event has them all.

use askback_engine::ports::TokenSink;
use serde_json::Value;

use super::output::{parse_response, reply_from_items};
use crate::provider::reply::{ParsedReply, StreamParser};

#[derive(Default)]
pub(in crate::provider) struct ResponseStream {
    /// Items that are done. Used if the last event does not repeat them: some servers leave them out.
    items: Vec<Value>,
    /// From the last event.
    response: Option<Value>,
}

impl StreamParser for ResponseStream {
    fn handle_event(&mut self, event: &Value, tokens: &dyn TokenSink) {
        match event["type"].as_str() {
            Some("response.output_text.delta" | "response.refusal.delta") => {
                tokens.token(event["delta"].as_str().unwrap_or_default());
            }
            Some("response.output_item.done") => self.items.push(event["item"].clone()),
            Some("response.completed" | "response.incomplete") => {
                self.response = Some(event["response"].clone());
            }
            _ => {}
        }
    }

    /// Errors are events of their own, or part of a response that failed.
    fn error<'a>(&self, event: &'a Value) -> Option<&'a Value> {
        match event["type"].as_str() {
            Some("error") => Some(event.get("error").unwrap_or(event)),
            Some("response.failed") => Some(&event["response"]["error"]),
            _ => None,
        }
    }

    fn is_complete(&self) -> bool {
        self.response.is_some()
    }

    fn finish(self) -> Option<ParsedReply> {
        let response = self.response?;
        let repeated = response["output"].as_array();
        if repeated.is_some_and(|items| items.len() >= self.items.len()) {
            return Some(parse_response(&response));
        }
        Some(reply_from_items(&self.items, &response))
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;

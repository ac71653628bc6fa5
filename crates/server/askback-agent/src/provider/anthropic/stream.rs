//! A streamed message: content blocks start, receive deltas and stop, each with an index.

use askback_engine::ports::TokenSink;
use serde_json::Value;

use super::message::reply_from_blocks;
use crate::provider::reply::{ParsedReply, StreamParser, append_text, parse_arguments};

#[derive(Default)]
pub(in crate::provider) struct MessageStream {
    blocks: Vec<Block>,
    stop_reason: Option<String>,
    complete: bool,
}

struct Block {
    index: u64,
    content: Value,
    /// The JSON text of a call's input, as far as it has arrived.
    input: String,
}

impl StreamParser for MessageStream {
    fn handle_event(&mut self, event: &Value, tokens: &dyn TokenSink) {
        match event["type"].as_str() {
            Some("content_block_start") => {
                let content = event["content_block"].clone();
                if let Some(text) = content["text"].as_str().filter(|text| !text.is_empty()) {
                    tokens.token(text);
                }
                self.blocks.push(Block {
                    index: event["index"].as_u64().unwrap_or_default(),
                    content,
                    input: String::new(),
                });
            }
            Some("content_block_delta") => {
                let index = event["index"].as_u64().unwrap_or_default();
                let block = self.blocks.iter_mut().rfind(|block| block.index == index);
                if let Some(block) = block {
                    block.append_delta(&event["delta"], tokens);
                }
            }
            Some("message_delta") => {
                let reason = event["delta"]["stop_reason"].as_str();
                self.stop_reason = reason.map(str::to_owned).or(self.stop_reason.take());
            }
            Some("message_stop") => self.complete = true,
            _ => {}
        }
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    fn finish(self) -> Option<ParsedReply> {
        if !self.complete && self.stop_reason.is_none() {
            return None;
        }
        let blocks: Vec<Value> = self.blocks.into_iter().map(Block::into_content).collect();
        Some(reply_from_blocks(&blocks, self.stop_reason.as_deref()))
    }
}

impl Block {
    fn append_delta(&mut self, delta: &Value, tokens: &dyn TokenSink) {
        let text = |field: &str| delta[field].as_str().unwrap_or_default();
        match delta["type"].as_str() {
            Some("text_delta") => {
                self.append("text", text("text"));
                tokens.token(text("text"));
            }
            Some("input_json_delta") => self.input.push_str(text("partial_json")),
            Some("thinking_delta") => self.append("thinking", text("thinking")),
            Some("signature_delta") => self.append("signature", text("signature")),
            _ => {}
        }
    }

    fn append(&mut self, field: &str, text: &str) {
        if let Value::Object(content) = &mut self.content {
            append_text(content, field, text);
        }
    }

    /// The block in the form it has in a message that was not streamed.
    fn into_content(mut self) -> Value {
        let has_input = self.content.get("input").is_some();
        if (has_input || self.content["type"] == "tool_use") && !self.input.is_empty() {
            self.content["input"] = parse_arguments(&self.input);
        }
        self.content
    }
}

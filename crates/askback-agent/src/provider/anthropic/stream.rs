//! A reply in pieces: blocks begin, grow and end, each under its index.

use askback_engine::ports::TokenSink;
use serde_json::Value;

use super::message;
use crate::provider::reply::{Outcome, StreamReader, arguments};

/// Puts a message together from its events.
#[derive(Default)]
pub(in crate::provider) struct Reader {
    blocks: Vec<Block>,
    stop_reason: Option<String>,
    complete: bool,
}

struct Block {
    index: u64,
    content: Value,
    /// The input of a call, as far as it has come.
    input: String,
}

impl StreamReader for Reader {
    fn take(&mut self, event: &Value, tokens: &dyn TokenSink) {
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
                    block.grow(&event["delta"], tokens);
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

    fn finish(self) -> Option<Outcome> {
        if !self.complete && self.stop_reason.is_none() {
            return None;
        }
        let blocks: Vec<Value> = self.blocks.into_iter().map(Block::whole).collect();
        Some(message::outcome(&blocks, self.stop_reason.as_deref()))
    }
}

impl Block {
    fn grow(&mut self, delta: &Value, tokens: &dyn TokenSink) {
        let piece = |field: &str| delta[field].as_str().unwrap_or_default();
        match delta["type"].as_str() {
            Some("text_delta") => {
                append(&mut self.content, "text", piece("text"));
                tokens.token(piece("text"));
            }
            Some("input_json_delta") => self.input.push_str(piece("partial_json")),
            Some("thinking_delta") => append(&mut self.content, "thinking", piece("thinking")),
            Some("signature_delta") => append(&mut self.content, "signature", piece("signature")),
            _ => {}
        }
    }

    /// The block as a message that was not streamed has it.
    fn whole(mut self) -> Value {
        let has_input = self.content.get("input").is_some();
        if (has_input || self.content["type"] == "tool_use") && !self.input.is_empty() {
            self.content["input"] = arguments(&self.input);
        }
        self.content
    }
}

fn append(block: &mut Value, field: &str, piece: &str) {
    let Some(block) = block.as_object_mut() else {
        return;
    };
    match block.get_mut(field) {
        Some(Value::String(text)) => text.push_str(piece),
        Some(_) | None => {
            block.insert(field.to_owned(), Value::String(piece.to_owned()));
        }
    }
}

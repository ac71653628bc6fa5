//! What both protocols have in common at the end of a reply.

use askback_core::conversation::command::RawReply;
use askback_engine::ports::{LlmFailure, TokenSink};
use serde_json::{Map, Value};

use super::peer::{Peer, refused};

/// Takes the events of a stream, one by one.
pub(super) trait StreamReader {
    /// Takes an event. What is not known is left out: protocols grow.
    fn take(&mut self, event: &Value, tokens: &dyn TokenSink);

    /// Whether the last event has come, whatever the connection still does.
    fn is_complete(&self) -> bool;

    /// What was read; nothing if the reply is not whole.
    fn finish(self) -> Option<Outcome>;
}

/// A whole reply, and why it ended.
#[derive(Debug, PartialEq)]
pub(super) struct Outcome {
    pub(super) reply: RawReply,
    pub(super) stop: Stop,
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The model had no more to say.
    Done,
    /// It used up its tokens.
    Length,
    /// It, or a filter behind it, refused.
    Filtered,
    /// The reply is not in the form of its protocol.
    Unreadable,
}

impl Outcome {
    /// The reply, unless it says nothing for a reason that another attempt would meet again.
    pub(super) fn into_reply(self, peer: &Peer) -> Result<RawReply, LlmFailure> {
        let empty = self.reply.text.trim().is_empty() && self.reply.calls.is_empty();
        match self.stop {
            Stop::Unreadable => Err(peer.malformed("it has no message in it")),
            Stop::Length if empty => Err(refused(
                "The model used up the tokens of its reply before it said anything. Raise \
                 `reply_tokens_max` in the limits of the app, or let it think less.",
            )),
            Stop::Filtered if empty => Err(refused(
                "The model, or a filter behind it, refused to reply. Say it differently, or begin a \
                 new conversation.",
            )),
            Stop::Done | Stop::Length | Stop::Filtered => Ok(self.reply),
        }
    }
}

/// Tool arguments: JSON if they are, the text itself if they are not.
pub(super) fn arguments(raw: &str) -> Value {
    if raw.trim().is_empty() {
        return Value::Object(Map::new());
    }
    serde_json::from_str(raw).unwrap_or_else(|_| Value::String(raw.to_owned()))
}

/// The input of a call as a provider takes it back. Providers refuse what is not an object, so a
/// broken input goes back inside of one.
pub(super) fn as_object(input: &Value) -> Value {
    match input {
        Value::Object(_) => input.clone(),
        Value::Null => Value::Object(Map::new()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            serde_json::json!({ "malformed_input": input })
        }
    }
}

/// The content of a result, which must not be blank.
pub(super) fn result_content(content: &str) -> &str {
    if content.trim().is_empty() {
        "[no output]"
    } else {
        content
    }
}

/// The name of a tool as providers take it back, should a model have made one up.
pub(super) fn tool_name(name: &str) -> String {
    let fits = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-');
    let name: String = name
        .chars()
        .take(64)
        .map(|ch| if fits(ch) { ch } else { '_' })
        .collect();
    if name.is_empty() {
        "unnamed".to_owned()
    } else {
        name
    }
}

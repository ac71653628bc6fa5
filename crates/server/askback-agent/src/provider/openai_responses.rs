//! `OpenAI`'s Responses API, stateless: the server stores nothing, and every request carries the whole
//! history.
//!
//! A reply is a list of items: reasoning, messages and function calls. Reasoning is encrypted and
//! must be sent back in front of the items that it led to.

mod output;
mod request;
mod stream;

pub(super) use output::parse_response;
pub(super) use request::request_body;
pub(super) use stream::ResponseStream;

use super::reasoning_layout::BlockNames;

/// Marks stored reasoning as this protocol's.
const REASONING_PROTOCOL: &str = "openai-responses";

const ITEMS: BlockNames = BlockNames {
    text: "message",
    content: "content",
    call: "function_call",
};

//! Anthropic's Messages API.

mod message;
mod request;
mod stream;

pub(super) use message::parse_message;
pub(super) use request::request_body;
pub(super) use stream::MessageStream;

use super::reasoning_layout::BlockNames;

/// Marks stored reasoning as this protocol's. It is not sent over any other.
const REASONING_PROTOCOL: &str = "anthropic";

const BLOCKS: BlockNames = BlockNames {
    text: "text",
    content: "text",
    call: "tool_use",
};

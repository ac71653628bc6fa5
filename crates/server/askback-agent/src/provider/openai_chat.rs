//! `OpenAI`'s Chat Completions API, which most other servers speak too.

mod message;
mod reasoning;
mod request;
mod stream;

pub(super) use message::parse_completion;
pub(super) use request::request_body;
pub(super) use stream::CompletionStream;

/// Marks stored reasoning as this protocol's.
const REASONING_PROTOCOL: &str = "openai";

//! Anthropic's Messages.

mod message;
mod request;
mod stream;

pub(super) use message::read;
pub(super) use request::body;
pub(super) use stream::Reader;

/// The mark on reasoning that came over this protocol, and goes back over no other.
const MARK: &str = "anthropic";

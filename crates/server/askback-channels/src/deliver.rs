//! From the feed to messages: what is due to whom, sending it, and what became of it.

pub(crate) mod copies;
pub(crate) mod follow_up;
pub(crate) mod messages;
pub(crate) mod pauses;
pub(crate) mod planner;
pub(crate) mod send_due;
pub(crate) mod sender;
pub(crate) mod shown_page;
pub(crate) mod thread_text;

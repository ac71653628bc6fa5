//! What the tests of the conversation machine share: a conversation that is held to every rule
//! after each step, and samples of what models and users send.

mod checked_conversation;
mod invariants;
pub(crate) mod samples;

pub(crate) use checked_conversation::{CheckedConversation, Kind, stored};

//! What the tests of the conversation machine share: a conversation that is held to every rule
//! after each step, and samples of what models and users send.

mod ledger;
pub(crate) mod samples;
mod thread;

pub(crate) use thread::{Kind, Thread};

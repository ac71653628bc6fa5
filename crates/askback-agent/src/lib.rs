//! The built-in agent: who thinks ([`provider`], [`scripted`]), as whom ([`apps`]) and with what
//! ([`tools`]).
//!
//! The crate provides the ports of `askback-engine`. It decides nothing about a conversation: it
//! sends a history and brings back what the model said, exactly as it said it.
//!
//! Deliberately absent: retries (the machine in the core decides on those), storage, and any
//! reading of environment variables or flags (the binary passes [`provider::Settings`] in).

pub mod apps;
pub mod provider;
pub mod scripted;
pub mod tools;

#[cfg(any(test, feature = "stand-in"))]
pub mod stand_in;

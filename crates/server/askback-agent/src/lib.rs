//! The built-in agent: model providers ([`provider`], [`scripted`]), [`apps`] and the tools of MCP
//! servers ([`mcp_tools`]). No tool is built in: askback itself writes no files and runs no shell.
//!
//! The crate implements the ports of `askback-engine`. It decides nothing about a conversation: it
//! sends a history and returns the model's reply unchanged.
//!
//! Deliberately absent: retries, which the state machine in the core decides on; storage; and
//! environment variables and flags, which the binary reads into [`provider::ProviderSettings`].

pub mod apps;
pub mod mcp_tools;
pub mod provider;
pub mod scripted;

// The fake provider names this crate as others do.
#[cfg(test)]
extern crate self as askback_agent;

#[cfg(test)]
#[expect(dead_code, unreachable_pub, reason = "other crates use more of it")]
#[path = "../../../testing/askback-fakes/src/fake_provider/provider.rs"]
mod fake_provider;

#[cfg(test)]
#[path = "fake_provider_tests.rs"]
mod fake_provider_tests;

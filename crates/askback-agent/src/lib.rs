//! The built-in agent: model providers ([`provider`], [`scripted`]), [`apps`], [`tools`] and the tools
//! of MCP servers ([`mcp_tools`]).
//!
//! The crate implements the ports of `askback-engine`. It decides nothing about a conversation: it
//! sends a history and returns the model's reply unchanged.
//!
//! Deliberately absent: retries, which the state machine in the core decides on; storage; and
//! environment variables and flags, which the binary reads into [`provider::ProviderSettings`].

pub mod apps;
#[cfg(any(test, feature = "fake-provider"))]
pub mod fake_provider;
pub mod mcp_tools;
pub mod provider;
pub mod scripted;
pub mod tools;

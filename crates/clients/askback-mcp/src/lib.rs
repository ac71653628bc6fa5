//! The MCP server of askback, through which other people's agents ask.
//!
//! It is a client of the HTTP API like every other surface, and stores nothing itself. A question is
//! a record of the askback server. This crate waits for its outcome for as long as the agent's client
//! allows, and delivers outcomes that arrive later with the agent's next call.
//!
//! Deliberately absent: the store, the engine, and finding or starting a server, which the caller
//! does. No other crate uses the server side of rmcp.

mod agent_question;
mod call;
#[cfg(any(test, feature = "conformance"))]
#[path = "../tests/conformance/server.rs"]
mod conformance;
mod delivery;
mod dialogs;
mod handler;
mod http;
mod known_clients;
mod options;
mod session;
mod stdio;
#[cfg(test)]
#[path = "client_tests.rs"]
mod test_client;
mod texts;
mod tools;

pub use agent_question::AgentQuestions;
pub use http::McpHttpService;
pub use http::body::McpBody;
pub use http::exchange::RECIPIENT_HEADER;
pub use http::project_header::{PROJECT_HEADER, project_header_value};
pub use options::{Elicitation, McpOptions};
pub use session::lock::SessionLock;
pub use stdio::serve_stdio;

//! The MCP server of askback, through which other people's agents ask.
//!
//! It is a client of the HTTP API like every other surface, and stores nothing itself. A question is
//! a record of the askback server. This crate waits for its outcome for as long as the agent's client
//! allows, and delivers outcomes that arrive later with the agent's next call.
//!
//! Deliberately absent: the store, the engine, and finding or starting a server, which the caller
//! does. No other crate uses the server side of rmcp.

mod agent_question;
mod arguments;
mod ask_limit;
mod asker;
mod attachment;
#[cfg(any(test, feature = "conformance"))]
mod conformance;
mod delivery;
mod earlier_questions;
mod elicitation;
mod elicitation_push;
mod executor;
mod handler;
mod http;
mod http_body;
mod http_exchange;
mod http_live_sessions;
mod http_replay;
mod http_sessions;
mod in_flight;
mod input_required;
mod known_clients;
mod message_check;
mod options;
mod poll;
mod project_header;
mod request_state_key;
mod retry;
mod session;
mod session_lock;
mod session_order;
mod session_takeover;
mod stdio;
mod stdio_lines;
mod tasks;
#[cfg(test)]
mod test_client;
mod texts;
mod tool_result;
mod tools;
mod unread_answers;

pub use agent_question::AgentQuestions;
pub use http::McpHttpService;
pub use http_body::McpBody;
pub use http_sessions::many_http_sessions;
pub use options::{Elicitation, McpOptions};
pub use project_header::{PROJECT_HEADER, project_header_value};
pub use session_lock::SessionLock;
pub use stdio::serve_stdio;

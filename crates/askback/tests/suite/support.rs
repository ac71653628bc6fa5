//! What the tests share: running the binary, a server process, a pseudo-terminal, clients.

pub(crate) mod channel_server;
pub(crate) mod eliciting_server;
pub(crate) mod faulty_node;
pub(crate) mod feed_gate;
pub(crate) mod in_process_server;
pub(crate) mod mcp_client;
pub(crate) mod mcp_dialog;
pub(crate) mod mcp_http_client;
pub(crate) mod pty;
pub(crate) mod push_service;
pub(crate) mod raw_http;
pub(crate) mod run_binary;
pub(crate) mod server_process;
pub(crate) mod team;
pub(crate) mod telegram_chat;
pub(crate) mod timeout;
#[expect(
    clippy::disallowed_methods,
    reason = "an example for other programs reads the clock by itself"
)]
pub(crate) mod webhook_signature;

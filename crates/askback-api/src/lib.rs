//! The wire of askback: what its HTTP API takes and gives, and the typed client.
//!
//! Every surface is a client of one API. The types here are its contract: the server writes them,
//! the terminal, the MCP server and scripts read them, and the generated `OpenAPI` document describes
//! them. They are apart from the domain's types, because whatever can be serialised is a promise;
//! conversions stand where only the core is needed ([`projection`] turns events into messages).
//!
//! Readers are lenient and writers are strict. A field, state, status or event that a client does
//! not know never breaks it, and is never taken for an end: unknown is not resolved.
//!
//! Deliberately absent: the store, the engine and the HTTP server.

pub mod actor;
pub mod app;
pub mod asker;
pub mod block;
pub mod client;
pub mod conversation;
pub mod draft;
pub mod event;
pub mod health;
pub mod inquiry;
pub mod limits;
pub mod link;
pub mod list;
pub mod message;
pub mod outcome;
pub mod path;
pub mod percent;
pub mod problem;
pub mod projection;
pub mod qr;
pub mod question;
pub mod respond;
pub mod server_process;
pub mod session;
pub mod span;
pub mod state;
mod word;

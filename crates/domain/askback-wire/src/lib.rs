//! The types of the HTTP API: requests, responses, events and problems.
//!
//! They are separate from the types of the core, because serialised types are a promise to every client.
//! The generated `OpenAPI` document describes them. [`projection`] turns the events of a conversation into
//! messages, [`elicitation_form`] turns questions into forms of MCP, and [`sse`] parses event streams.
//!
//! Parsing is lenient: fields, states, statuses and events of newer versions never cause an error, and an
//! unknown status never counts as an outcome.
//!
//! Deliberately absent: sockets, the HTTP client (`askback-client`) and the HTTP server.

pub mod actor;
pub mod ag_ui;
pub mod app;
pub mod asker;
pub mod audit;
pub mod block;
pub mod channel;
pub mod conversation;
pub mod credential;
pub mod discovery;
pub mod draft;
pub mod duration;
pub mod elicitation_form;
pub mod event;
mod far_time;
pub mod health;
pub mod inquiry;
pub mod limits;
pub mod link;
pub mod list;
pub mod message;
pub mod outcome;
pub mod path;

pub mod presence;
pub mod problem;
pub mod projection;
pub mod push;
pub mod qr;
pub mod question;
pub mod recipient;
pub mod respond;
pub mod server_process;
pub mod session;
pub mod snooze;

pub mod sse;
pub mod state;
mod string_enum;
pub mod token;
pub mod typed_date;
pub mod webhook;

pub use askback_core::elicitation_schema;

#[cfg(test)]
#[path = "schema_tests.rs"]
mod schema_tests;

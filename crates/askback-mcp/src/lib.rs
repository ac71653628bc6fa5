//! The MCP server of askback: other people's agents ask through it.
//!
//! It is a client of the HTTP API like every other surface and keeps nothing of its own: a question
//! is a record of the server, and this crate only waits for its outcome for as long as the agent's
//! client lets it. What an agent was not told yet is delivered with its next call.
//!
//! Deliberately absent: the store, the engine, and finding or starting a server, which is
//! the business of the client's owner. Only this crate names the server side of rmcp.

mod agent;
mod call;
mod delivery;
mod handler;
mod hold;
mod instructions;
mod late;
mod options;
mod presence;
mod result;
mod stdio;
mod tools;

pub use agent::Place;
pub use options::Options;
pub use presence::Presence;
pub use stdio::serve_stdio;

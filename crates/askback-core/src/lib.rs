//! The domain of askback, pure.
//!
//! A question, an answer and an agent's turn are values here, and every rule about them is decided
//! in this crate and nowhere else: what a tool call may ask ([`dialect`]), what fits as an answer
//! ([`answer`]), how an inquiry can end ([`outcome`]), how an answer comes about key by key
//! ([`draft`]) and how a conversation moves from state to state ([`conversation`]).
//!
//! Deliberately absent: async, input and output, clocks, random numbers, logging. Time, ids and the
//! acting person come in with a context; what should happen in the world goes out as data.

pub mod answer;
pub mod contract;
pub mod conversation;
pub mod dialect;
pub mod draft;
pub mod elicitation;
pub mod elicitation_schema;
pub mod id;
pub mod identity;
pub mod input_parser;
pub mod inquiry;
pub mod limits;
mod lookalike;
pub mod number;
pub mod outcome;
pub mod question;
pub mod text;
pub mod time;

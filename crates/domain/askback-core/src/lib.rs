//! The domain of askback, pure.
//!
//! A question, an answer and an agent's turn are values here, and every rule about them is decided
//! in this crate and nowhere else: what a tool call may ask ([`dialect`]), what fits as an answer
//! ([`answer`]), how an inquiry can end ([`outcome`]), how an answer comes about key by key
//! ([`draft`]) and how a conversation moves from state to state ([`conversation`]).
//!
//! Deliberately absent: async, input and output, clocks, random numbers, logging. Time, ids and the
//! acting person come in with a context; what should happen in the world goes out as data.
//!
//! # From a tool call to its result
//!
//! ```
//! use askback_core::answer::Answers;
//! use askback_core::dialect::{Dialect, ParseOptions};
//! use askback_core::outcome::Outcome;
//! use serde_json::json;
//!
//! // What the model sent. A call that cannot be read gives an error that says what to send instead.
//! let input = json!({"questions": [{
//!     "question": "Which database?",
//!     "options": [{"label": "PostgreSQL"}, {"label": "SQLite"}],
//! }]});
//! let inquiry = Dialect::AskUserQuestion.parse(&input, ParseOptions::default())?.inquiry;
//!
//! // What the person answered. An answer that does not fit is refused, with the reason for each question.
//! let refused = Answers::from_json(&inquiry, &json!({"q1": ""}), None);
//! assert!(refused.is_err());
//! let answers = Answers::from_json(&inquiry, &json!({"q1": "SQLite"}), None).map_err(|errors| format!("{errors:?}"))?;
//!
//! // What the model reads.
//! let reply = Dialect::render(&inquiry, &Outcome::Answered { answers });
//! assert!(!reply.is_error && reply.content.contains("SQLite"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `examples/host.rs` is a whole host around these calls. A host that also wants agents' turns, retries and sub-agents
//! decided uses [`conversation::Conversation::decide`]; one that only asks needs none of it.

pub mod answer;
pub mod contract;
pub mod conversation;
mod debug_only;
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
pub mod nearest_name;
pub mod number;
pub mod outcome;
pub mod question;
pub mod text;
pub mod time;

//! The shell around the core: submit → commit → publish.
//!
//! Deliberately absent: HTTP, SQL, LLM protocols. What the engine needs of the world stands in
//! [`ports`], and others provide it.

pub mod ports;

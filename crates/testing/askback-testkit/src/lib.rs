//! Generated inputs for the tests of askback, and the rules that must hold for every one of them.
//!
//! Everything here is drawn from a seed: the same seed gives the same inputs on every machine, so
//! a finding is a pair of numbers that anyone can run again. The generators know the contracts by
//! numbers of their own ([`contract`]), written down from the design and not taken from the code
//! under test.
//!
//! Deliberately absent: clocks, threads, printing. What runs the cases, how many and how fast, is
//! the caller's.

pub mod case;
pub mod check;
pub mod contract;
pub mod draft_vectors;
pub mod extent;
pub mod input;
pub mod outcome;
pub mod rng;
pub mod stored;
pub mod text;
pub mod typed_answers;
pub mod variant_name;

pub use case::{Case, CaseCounts, FailedCase};
pub use draft_vectors::draft_vector;
pub use extent::short_or_full;
pub use input::{near_contract, raw_text, tool_input};
pub use outcome::outcome;
pub use rng::Rng;
pub use typed_answers::{TypedAnswer, typed_answers};
pub use variant_name::variant_name;

//! A deterministic simulation of the engine.
//!
//! The real engine runs on one thread, in simulated time, on a store in memory that can fail, stall, lose
//! its reply or take the whole process down in the middle of a commit. Simulated models and tools fail and
//! hang, the wall clock is set, and many clients ask, answer, undo, delete, poll and listen at once. After
//! every write, the tables are compared with what was committed; after every reply and every record of the
//! feed, what the client was told is compared with it. Then the faults stop, and everything must come to
//! its end.
//!
//! Several engines can share the store. Each has a lease then, learns of the others by hints that may be lost
//! or late, and may have a clock of its own.
//!
//! One seed decides everything, so a seed that fails fails again. Two things make that true: no task runs
//! on another thread, and nothing in the engine depends on random numbers of its own (`select!` is
//! `biased`, and no hash map decides an order).

#![expect(
    clippy::cast_possible_wrap,
    reason = "times and counts are drawn, and small"
)]

mod actions;
mod clients;
mod freshness;
mod hand_ons;
mod invariant_checker;
mod lease;
pub mod memory_store;
mod node;
mod ports;
mod process;
mod profile;
mod simulate;
mod world;

pub use simulate::{PlantedBug, Report, SimOptions, run, run_with};
pub use world::Figures;

//! The terminal below askback's interface.
//!
//! [`app::TerminalApp`] runs an [`app::Screen`] on a terminal: it prints the lines that stay, paints the
//! frame below them, passes on keys and signals, and restores the terminal on every way out.
//! [`tty`], [`event_poller`] and [`viewport`] are its parts: the device and its modes, what arrives
//! from it, and how frames get onto it. [`row`], [`wrap`], [`styled_wrap`] and [`markdown`] turn text
//! into frames.
//!
//! Deliberately absent: questions, answers, and every other crate of the workspace.

mod activity;
pub mod app;
pub mod bidi;
pub mod caret;
pub mod clock;
pub mod closed_output;
pub mod config;
pub mod display_mode;
pub mod editor;
pub mod event_poller;
mod event_sources;
pub mod glyphs;
pub mod input_decoder;
pub mod key;
pub mod line_reader;
pub mod markdown;
pub mod notification;
mod paste_burst;
mod probe;
pub mod row;
pub mod signals;
mod small_window;
pub mod styled_wrap;
mod terminal;
pub mod theme;
pub mod tty;
pub mod viewport;
pub mod width;
pub mod wrap;

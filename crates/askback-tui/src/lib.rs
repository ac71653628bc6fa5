//! The terminal surface of askback.
//!
//! [`prompt::Prompt`] is the question prompt, a component without a terminal of its own; its module says
//! how to embed it. [`chat::Chat`] and [`inbox::Inbox`] are components of the same kind, made of
//! prompts, a transcript and a field.
//!
//! [`stage::Stage`] runs a scene on a terminal: a chat, an inbox, or a prompt alone, for which
//! [`session::Session`] stands. [`tty`], [`source`] and [`viewport`] are the terminal: its modes, what
//! comes from it, and how frames get onto it.
//!
//! Deliberately absent: any network, any store. Whoever embeds a prompt sends the answers.

mod badge;
pub mod bidi;
mod burst;
mod caret;
pub mod chat;
pub mod clock;
mod composer;
pub mod deadline;
pub mod editor;
pub mod ended;
pub mod glyphs;
pub mod inbox;
mod inked;
pub mod input;
pub mod key;
pub mod keymap;
mod leave;
pub mod line;
mod markdown;
mod porthole;
mod probe;
pub mod prompt;
pub mod reply;
pub mod resolved;
pub mod row;
pub mod session;
pub mod setup;
pub mod signals;
pub mod source;
pub mod stage;
pub mod surface;
mod terminal;
pub mod theme;
mod transcript;
pub mod tty;
mod typeahead;
pub mod viewport;
mod width;
mod wrap;
mod yes_no;

pub use typeahead::TYPEAHEAD_WINDOW;

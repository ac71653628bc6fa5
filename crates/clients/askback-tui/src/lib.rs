//! The terminal interface of askback.
//!
//! [`prompt::Prompt`] is the question prompt, a component without a terminal of its own; its module says
//! how to embed it. [`chat::Chat`] and [`inbox::Inbox`] are components of the same kind, made of
//! prompts, a transcript and a field. [`session::PromptSession`] runs one prompt on a terminal;
//! [`askback_terminal::app::TerminalApp`] runs a chat or an inbox.
//!
//! Deliberately absent: any network, any store, and the terminal itself, which is `askback-terminal`.
//! The embedder sends the answers.

pub mod answer_summary;
pub mod chat;
mod composer;
pub mod deadline;
pub mod held_replies;
mod hint_line;
pub mod inbox;
pub mod inquiry_update;
pub mod keymap;
mod leave_menu;
pub mod line;
pub mod outcome_lines;
mod problem_text;
pub mod prompt;
pub mod reply;
pub mod screen_config;
pub mod session;
mod text_field;
mod transcript;
mod typeahead;
pub mod undo_line;
mod yes_no;

pub use typeahead::TYPEAHEAD_WINDOW;

//! The words of askback in every language it speaks, for the terminal and for the browser alike.
//!
//! One Fluent file for each language holds all words (`locales/<tag>/askback.ftl`); the conventions that
//! go with a language, such as the names of the months and the decimal mark, are beside it
//! (`conventions.json`). Nothing here reads the environment or a file: names of languages are passed in, and the words are part
//! of the program. A language is read when its first word is asked for, and no other is.

mod answer_text;
mod arg;
mod conventions;
mod language;
mod locale;
mod problem;
mod pseudo;
mod requested;
mod web;
mod words;
mod yes_no;

pub use answer_text::split_label;
pub use arg::Arg;
pub use locale::Locale;
pub use web::{Sections, compile, web_json};
pub use yes_no::YesNo;

//! What is known about a terminal before it is asked.

use std::time::Duration;

use crate::bidi::Bidi;
use crate::theme::{Background, ColorDepth};
use crate::viewport::Reflow;

/// What is known about the terminal before it is asked.
#[derive(Debug, Clone)]
pub struct TerminalConfig {
    /// How many colours it has.
    pub depth: ColorDepth,
    /// Its background, if the environment tells.
    pub background: Option<Background>,
    /// What it does with rows when it gets narrower.
    pub reflow: Reflow,
    /// Whether it may be asked about itself.
    pub asks: ProbeScope,
    /// The editor of the respondent.
    pub editor: Option<String>,
    /// Whether clicks are reported.
    pub mouse: Mouse,
    /// Who puts right-to-left text into its order.
    pub bidi: Bidi,
    /// Whether things may move on their own.
    pub motion: Motion,
    /// How long something has to be seen before a key acts on it; 0 switches off everything
    /// that tells typing from what only looks like it.
    pub typeahead_window: Duration,
    /// What a key does first.
    pub first_key: FirstKey,
}

/// Whether clicks are reported: if they are, the terminal cannot select text by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mouse {
    /// They are not.
    #[default]
    Off,
    /// They are.
    On,
}

/// Whether things may move on their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Motion {
    /// The chosen row is highlighted for a moment.
    #[default]
    Full,
    /// Nothing does.
    Reduced,
}

/// Whether a terminal may be asked about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProbeScope {
    /// Its background and the width of its marks.
    All,
    /// Its background; the marks are chosen already.
    Background,
    /// Nothing: it would print the query.
    None,
}

/// What the first key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstKey {
    /// What it is bound to.
    #[default]
    Normal,
    /// It panics, so that a test can check what a panic leaves behind.
    Panic,
}

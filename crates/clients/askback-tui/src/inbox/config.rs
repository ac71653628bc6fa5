//! The settings of an inbox.

use std::time::Duration;

use askback_locale::Locale;
use askback_wire::local_agents::LocalAgents;
use jiff::civil::Date;

use super::Mine;
use crate::keymap::Keymap;
use crate::prompt::Border;
use askback_terminal::glyphs::Glyphs;

/// The settings of an inbox.
#[derive(Debug, Clone)]
pub struct InboxConfig {
    /// Language of the interface.
    pub locale: Locale,
    /// Glyphs of the frame.
    pub glyphs: Glyphs,
    /// Today in the user's time zone, which dates are relative to.
    pub today: Date,
    /// Keys that answer are ignored until no key was pressed for this long.
    pub typeahead_window: Duration,
    /// Key bindings.
    pub keymap: Keymap,
    /// The border of questions.
    pub border: Border,
    /// For whom questions come first.
    pub mine: Mine,
    /// The flags with which another command reaches the same server, each after a space.
    pub server_flags: String,
    /// The agents on this computer, if their questions can arrive here.
    pub agents: LocalAgents,
}

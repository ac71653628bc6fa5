//! The settings of an inbox.

use jiff::Zoned;

use super::Mine;
use crate::screen_config::ScreenConfig;

/// The settings of an inbox.
#[derive(Debug, Clone)]
pub struct InboxConfig {
    /// Language, glyphs and keys.
    pub screen: ScreenConfig,
    /// Reads the time of this machine, which snoozes are relative to.
    pub local_time: fn() -> Zoned,
    /// For whom questions come first.
    pub mine: Mine,
    /// The flags with which another command reaches the same server, each after a space.
    pub server_flags: String,
    /// The agents on this computer whose questions arrive here.
    pub agents_ready: Vec<String>,
    /// The agents on this computer that do not ask through askback yet.
    pub agents_rest: Vec<String>,
}

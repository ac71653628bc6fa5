//! The settings of an inbox.

use askback_wire::local_agents::LocalAgents;

use super::Mine;
use crate::screen_config::ScreenConfig;

/// The settings of an inbox.
#[derive(Debug, Clone)]
pub struct InboxConfig {
    /// Language, glyphs and keys.
    pub screen: ScreenConfig,
    /// For whom questions come first.
    pub mine: Mine,
    /// The flags with which another command reaches the same server, each after a space.
    pub server_flags: String,
    /// The agents on this computer, if their questions can arrive here.
    pub agents: LocalAgents,
}

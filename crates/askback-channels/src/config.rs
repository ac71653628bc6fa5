//! What the dispatcher runs on.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_core::id::InquiryId;
use jiff::Timestamp;

use crate::card::ContentLevel;
use crate::channel::Channel;
use crate::press_link::PressUrls;
use crate::recipients::Recipients;

/// A channel with its settings.
#[derive(Clone)]
pub struct ConfiguredChannel {
    /// Sends and receives.
    pub channel: Arc<dyn Channel>,
    /// The kind of account that people have there: `telegram`. Identities begin with it.
    pub service: String,
    /// How much of a question may leave this machine.
    pub content: ContentLevel,
    /// How long an answer that is given here can be undone; none to take effect at once.
    pub undo_seconds: Option<u32>,
}

/// Makes the link to a question, or nothing if the server has no address that others can reach.
/// Equal arguments must give equal links, or messages would be edited for nothing.
pub type LinkMaker = Arc<dyn Fn(&InquiryId, u32, Timestamp) -> Option<String> + Send + Sync>;

/// What the dispatcher runs on.
#[derive(Clone)]
pub struct ChannelsConfig {
    /// Channels by name.
    pub channels: BTreeMap<String, ConfiguredChannel>,
    /// Who gets questions.
    pub recipients: Recipients,
    /// Links to questions: the id, the revision and when it was asked.
    pub link: LinkMaker,
    /// Makes buttons that are URLs. `None` if the server has no address that others can reach.
    pub press_urls: Option<PressUrls>,
}

impl Default for ChannelsConfig {
    /// No channels and no recipients.
    fn default() -> ChannelsConfig {
        ChannelsConfig {
            channels: BTreeMap::new(),
            recipients: Recipients::default(),
            link: Arc::new(|_, _, _| None),
            press_urls: None,
        }
    }
}

//! What the dispatcher runs on.

use std::collections::BTreeMap;
use std::sync::Arc;

use askback_core::id::InquiryId;
use askback_locale::Locale;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::watch;

use crate::card::ContentLevel;
use crate::contract::channel::Channel;
use crate::links::press_link::PressUrls;
use crate::people::account::LinkedAccount;
use crate::people::recipients::{Recipient, Recipients};
use crate::provider::webpush::{WEBPUSH, WebPush};

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

/// Makes the link to a question for one recipient, or nothing if the server has no address that others can reach.
/// Equal arguments must give equal links, or messages would be edited for nothing.
pub type LinkMaker = Arc<dyn Fn(&InquiryId, u32, Timestamp, &str) -> Option<String> + Send + Sync>;

/// What the dispatcher runs on.
#[derive(Clone)]
pub struct ChannelsConfig {
    /// Channels by name.
    pub channels: BTreeMap<String, ConfiguredChannel>,
    /// Who gets questions: those of the configuration, and those of the store as soon as the dispatcher has read it.
    pub recipients: Arc<Recipients>,
    /// What people in the store have besides their names and accounts.
    pub new_person: Recipient,
    /// Links to questions: the id, the revision, since when they work, and the alias of the reader.
    pub link: LinkMaker,
    /// Makes buttons that are URLs.
    pub press_urls: Option<PressUrls>,
    /// The channel of [`WEBPUSH`], which is among the channels too. `None` if it is turned off.
    pub webpush: Option<Arc<WebPush>>,
}

impl ChannelsConfig {
    /// Which token this server has, for subscriptions.
    pub(crate) fn token_fingerprint(&self) -> String {
        let urls = self.press_urls.as_ref();
        urls.map(|urls| urls.key.fingerprint()).unwrap_or_default()
    }

    /// Whether an account still counts. That of a browser was linked with a token, and counts as long as the token
    /// does.
    pub(crate) fn accepts(&self, account: &LinkedAccount) -> bool {
        let subscription = account.subscription.as_ref();
        subscription.is_none_or(|browser| browser.token == self.token_fingerprint())
    }

    /// The channels whose messages need links: by what they are, or because `content` keeps the question on this machine.
    pub fn channels_that_need_links(&self) -> Vec<&str> {
        let channels = self.channels.iter();
        // Notifications of the browser open a page of its own.
        let channels = channels.filter(|(_, channel)| channel.service != WEBPUSH);
        let channels = channels.filter(|(_, channel)| {
            channel.channel.needs_links() || channel.content != ContentLevel::Full
        });
        channels.map(|(name, _)| name.as_str()).collect()
    }

    /// Whether there are channels besides Web Push, which does nothing until somebody subscribes.
    pub(crate) fn has_configured_channels(&self) -> bool {
        let mut channels = self.channels.values();
        channels.any(|channel| channel.service != WEBPUSH)
    }
}

impl Default for ChannelsConfig {
    /// No channels and no recipients.
    fn default() -> ChannelsConfig {
        ChannelsConfig {
            channels: BTreeMap::new(),
            recipients: Arc::default(),
            new_person: Recipient {
                name: String::new(),
                locale: Locale::choose(&["en"]),
                time_zone: TimeZone::UTC,
                quiet_hours: None,
                presence: false,
                channels: None,
                escalate_to: None,
                remind_after: None,
                identities: Vec::new(),
            },
            link: Arc::new(|_, _, _, _| None),
            press_urls: None,
            webpush: None,
        }
    }
}

/// The present configuration. Its recipients change while the server runs.
pub(crate) struct CurrentConfig(watch::Sender<Arc<ChannelsConfig>>);

impl CurrentConfig {
    pub(crate) fn new(config: ChannelsConfig) -> CurrentConfig {
        CurrentConfig(watch::Sender::new(Arc::new(config)))
    }

    pub(crate) fn get(&self) -> Arc<ChannelsConfig> {
        Arc::clone(&self.0.borrow())
    }

    /// Replaces the recipients.
    pub(crate) fn set_recipients(&self, recipients: Recipients) {
        self.0.send_if_modified(|config| {
            let is_new = *config.recipients != recipients;
            if is_new {
                Arc::make_mut(config).recipients = Arc::new(recipients);
            }
            is_new
        });
    }

    /// Completes when a person is no longer among the recipients.
    pub(crate) async fn person_removed(&self, alias: &str) {
        let mut config = self.0.subscribe();
        let is_gone = |config: &Arc<ChannelsConfig>| !config.recipients.people.contains_key(alias);
        // The sender lives as long as `self`.
        drop(config.wait_for(is_gone).await);
    }
}

//! Whether a channel works, for people who look.

use parking_lot::Mutex;
use std::collections::BTreeMap;

use askback_core::text::Text;
use askback_store::ChannelDelivery;
use jiff::{SignedDuration, Timestamp};

/// Whether a channel works.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChannelStatus {
    /// When the provider last answered.
    pub last_success: Option<Timestamp>,
    /// What went wrong last, and when, unless something worked since. It contains no secrets.
    pub last_error: Option<(Timestamp, Text)>,
    /// Why nothing is received, unless something was since. Messages may be sent meanwhile.
    pub receive_error: Option<(Timestamp, Text)>,
    /// The last error of receiving that was logged.
    logged: Option<(Timestamp, Text)>,
}

/// The same error of receiving is logged again after this time.
const LOGGED_EVERY: SignedDuration = SignedDuration::from_hours(1);

/// The status of all channels of this process.
#[derive(Debug, Default)]
pub(crate) struct StatusBoard(Mutex<BTreeMap<String, ChannelStatus>>);

impl StatusBoard {
    pub(crate) fn get(&self, channel: &str) -> ChannelStatus {
        self.0.lock().get(channel).cloned().unwrap_or_default()
    }

    pub(crate) fn succeeded(&self, channel: &str, now: Timestamp) {
        let mut board = self.0.lock();
        let status = board.entry(channel.to_owned()).or_default();
        status.last_success = Some(now);
        status.last_error = None;
    }

    /// Something was received: an earlier error of that is over, too.
    pub(crate) fn received(&self, channel: &str, now: Timestamp) {
        self.succeeded(channel, now);
        let mut board = self.0.lock();
        board.entry(channel.to_owned()).or_default().receive_error = None;
    }

    /// Nothing can be received. Logged once, also if two programs take turns in receiving.
    pub(crate) fn receiving_failed(&self, channel: &str, now: Timestamp, error: Text) {
        let mut board = self.0.lock();
        let status = board.entry(channel.to_owned()).or_default();
        let known = status.logged.as_ref();
        if known.is_none_or(|(at, known)| *known != error || now > *at + LOGGED_EVERY) {
            tracing::warn!(channel, %error, "the channel receives nothing; will retry");
            status.logged = Some((now, error.clone()));
        }
        status.receive_error = Some((now, error));
    }

    /// Logs a message that the provider refuses for good, and what is done about it.
    pub(crate) fn refused(
        &self,
        row: &ChannelDelivery,
        (now, error): (Timestamp, Text),
        next: &str,
    ) {
        let target = &row.target;
        tracing::warn!(
            channel = target.channel,
            recipient = target.recipient,
            inquiry = %target.inquiry,
            %error,
            "the channel refuses a message; {next}"
        );
        let mut board = self.0.lock();
        board.entry(target.channel.clone()).or_default().last_error = Some((now, error));
    }

    /// Logs an error once, not for each attempt.
    pub(crate) fn failed(&self, channel: &str, now: Timestamp, error: Text) {
        let mut board = self.0.lock();
        let status = board.entry(channel.to_owned()).or_default();
        let is_new = status
            .last_error
            .as_ref()
            .is_none_or(|(_, known)| *known != error);
        if is_new {
            tracing::warn!(channel, %error, "the channel does not work; will retry");
        }
        status.last_error = Some((now, error));
    }
}

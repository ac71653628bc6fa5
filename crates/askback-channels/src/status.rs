//! Whether a channel works, for people who look.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use askback_store::ChannelDelivery;
use jiff::Timestamp;

/// Whether a channel works.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChannelStatus {
    /// When the provider last answered.
    pub last_success: Option<Timestamp>,
    /// What went wrong last, and when, unless something worked since. It contains no secrets.
    pub last_error: Option<(Timestamp, String)>,
}

/// The status of all channels of this process.
#[derive(Debug, Default)]
pub(crate) struct StatusBoard(Mutex<BTreeMap<String, ChannelStatus>>);

impl StatusBoard {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, ChannelStatus>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, channel: &str) -> ChannelStatus {
        self.lock().get(channel).cloned().unwrap_or_default()
    }

    pub(crate) fn succeeded(&self, channel: &str, now: Timestamp) {
        let mut board = self.lock();
        let status = board.entry(channel.to_owned()).or_default();
        status.last_success = Some(now);
        status.last_error = None;
    }

    /// Logs a message that the provider refuses for good, and what is done about it.
    pub(crate) fn refused(
        &self,
        row: &ChannelDelivery,
        (now, error): (Timestamp, String),
        next: &str,
    ) {
        let target = &row.target;
        tracing::warn!(
            channel = target.channel,
            recipient = target.recipient,
            inquiry = %target.inquiry,
            error,
            "the channel refuses a message; {next}"
        );
        let mut board = self.lock();
        board.entry(target.channel.clone()).or_default().last_error = Some((now, error));
    }

    /// Logs an error once, not for each attempt.
    pub(crate) fn failed(&self, channel: &str, now: Timestamp, error: String) {
        let mut board = self.lock();
        let status = board.entry(channel.to_owned()).or_default();
        let is_new = status
            .last_error
            .as_ref()
            .is_none_or(|(_, known)| *known != error);
        if is_new {
            tracing::warn!(channel, error, "the channel does not work; will retry");
        }
        status.last_error = Some((now, error));
    }
}

//! Addresses to which nothing is sent for a while: a message failed, or the provider asked to wait.
//!
//! What waits already has its time in the store. This is for what is planned meanwhile, which is due at once: it must
//! neither overtake the others nor be sent before the provider wants it.

use parking_lot::Mutex;
use std::collections::BTreeMap;

use jiff::Timestamp;

/// The pauses of one channel. They are forgotten when it starts again: then the provider says again how long to wait.
#[derive(Default)]
pub(crate) struct Pauses {
    /// By address; `None` is the whole channel.
    until: Mutex<BTreeMap<Option<String>, Timestamp>>,
}

impl Pauses {
    /// Nothing is sent before this time, to this address or to any.
    pub(crate) fn set(&self, address: Option<String>, until: Timestamp) {
        self.until.lock().insert(address, until);
    }

    /// The pause that this address is in: of itself or of the whole channel, and until when.
    pub(crate) fn of(&self, address: &str, now: Timestamp) -> Option<(Option<String>, Timestamp)> {
        let mut pauses = self.until.lock();
        pauses.retain(|_, until| now < *until);
        let keys = [None, Some(address.to_owned())];
        let mut pauses = keys.into_iter().filter_map(|key| {
            let until = pauses.get(&key).copied()?;
            Some((key, until))
        });
        pauses.next()
    }
}

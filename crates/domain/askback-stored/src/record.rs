//! The record of a decision: all events of one commit.

use askback_core::conversation::event::Event;
use serde::{Deserialize, Serialize};

use crate::event::StoredEvent;
use crate::version::Version;

/// The column `body` of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredRecord<'a> {
    v: Version,
    /// The events in order, removed ones included.
    pub events: Vec<StoredEvent<'a>>,
}

impl<'a> From<&'a [Event]> for StoredRecord<'a> {
    fn from(events: &'a [Event]) -> StoredRecord<'a> {
        let mut stored: Vec<StoredEvent<'_>> = events.iter().map(Into::into).collect();
        for (pair, stored) in events.windows(2).zip(stored.iter_mut().skip(1)) {
            leave_result_to_inquiry(pair, stored);
        }
        StoredRecord {
            v: Version::default(),
            events: stored,
        }
    }
}

/// Drops the result of a call that asked: the row of its inquiry, which was resolved right before it, has
/// the same.
fn leave_result_to_inquiry(pair: &[Event], finished: &mut StoredEvent<'_>) {
    if let [
        Event::InquiryResolved {
            inquiry, result, ..
        },
        Event::CallFinished { result: same, .. },
    ] = pair
        && result == same
        && let StoredEvent::CallFinished {
            result,
            inquiry: has_result,
            ..
        } = finished
    {
        *result = None;
        *has_result = Some(inquiry.clone());
    }
}

impl StoredRecord<'_> {
    /// The record of a closed conversation whose content is removed: how its inquiries ended, and that it
    /// was closed. The other events leave their positions.
    pub fn remove_content(&mut self) {
        for event in &mut self.events {
            if !matches!(
                event,
                StoredEvent::InquiryResolved { .. } | StoredEvent::Closed { .. }
            ) {
                *event = StoredEvent::Removed;
            }
        }
    }
}

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
        StoredRecord {
            v: Version::default(),
            events: events.iter().map(Into::into).collect(),
        }
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

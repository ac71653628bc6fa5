//! One commit as listeners get it: its events, and the state after them.

use askback_core::conversation::event::Event;
use askback_core::conversation::state::State;
use askback_core::id::{ConversationId, InquiryId};
use askback_store::Sequence;
use jiff::Timestamp;

use crate::view::{InquiryView, state_bytes};

/// The events of one commit. Each has a position, and the state after them has the last one.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The position of the first event.
    pub first: Sequence,
    /// The position of the state after the events.
    pub last: Sequence,
    /// When it was decided.
    pub at: Timestamp,
    /// The conversation it belongs to.
    pub conversation: ConversationId,
    /// The events with their positions. Those of a deleted conversation may be missing.
    pub events: Vec<(Sequence, Event)>,
    /// The state after the events, [abridged](State::abridged). Absent if a later record of the conversation was committed before
    /// this one was read: its state replaces this one.
    pub state: Option<State>,
    /// The inquiries that the events change: as they were right after the commit, or as they are now if the record was
    /// read from the store.
    pub inquiries: Vec<InquiryView>,
    /// The stored row is damaged. Listeners report it and continue after it.
    pub is_damaged: bool,
    /// Approximate memory use.
    pub bytes: usize,
}

impl Record {
    /// An inquiry that one of the events is about.
    pub fn inquiry(&self, id: &InquiryId) -> Option<&InquiryView> {
        self.inquiries.iter().find(|view| view.row.id == *id)
    }

    /// Whether its conversation is deleted. The record is all that stays of it, without what was asked.
    pub fn closes_conversation(&self) -> bool {
        let mut events = self.events.iter();
        events.any(|(_, event)| matches!(event, Event::Closed { .. }))
    }

    /// The inquiries that get their outcome.
    pub(crate) fn resolved(&self) -> impl Iterator<Item = &InquiryId> {
        self.events.iter().filter_map(|(_, event)| {
            if let Event::InquiryResolved { inquiry, .. } = event {
                Some(inquiry)
            } else {
                None
            }
        })
    }

    /// Adds the memory of the questions and outcomes to that of the stored text.
    pub(crate) fn count_bytes(&mut self, stored: usize) {
        let inquiries = self.inquiries.iter().map(InquiryView::bytes);
        let state = self.state.as_ref().map_or(0, state_bytes);
        self.bytes = stored + inquiries.sum::<usize>() + state;
    }
}

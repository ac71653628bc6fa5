//! An inquiry as the server has it now, for the screens that show it.
//!
//! Screens do not care why they get one: an event of the feed, a page of a list and the reply to a request are applied
//! alike, and applying one twice changes nothing.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use askback_core::draft::Draft;
use askback_core::id::InquiryId;
use askback_terminal::clock::{Clock, MonotonicTime};
use askback_wire::inquiry::{HeldResponse, InquiryResponse};

use crate::deadline::Deadline;

/// An inquiry, with its times on the clock of the screen.
#[derive(Debug, Clone)]
pub struct InquiryUpdate {
    /// As the server sent it.
    pub inquiry: InquiryResponse,
    /// What was typed so far, for a question that the screen does not know yet.
    pub draft: Option<Draft>,
    /// The deadline, if there is one.
    pub deadline: Option<Deadline>,
    /// Until when its answer can be undone.
    pub held_until: Option<MonotonicTime>,
    /// Until when it is hidden from the inbox.
    pub snoozed_until: Option<MonotonicTime>,
}

impl InquiryUpdate {
    /// The inquiry as it is shown by this clock.
    pub fn new(clock: Clock, inquiry: InquiryResponse, draft: Option<Draft>) -> InquiryUpdate {
        let from_now = |at: jiff::Timestamp| {
            clock.now() + Duration::try_from(at.duration_since(clock.wall())).unwrap_or_default()
        };
        InquiryUpdate {
            deadline: Deadline::of(clock, &inquiry),
            held_until: inquiry.held.as_ref().map(|held| undo_until(clock, held)),
            snoozed_until: inquiry.snoozed_until.map(from_now),
            inquiry,
            draft,
        }
    }

    /// Whether somebody can answer it now.
    pub fn is_open(&self) -> bool {
        !self.inquiry.status.is_resolved() && self.inquiry.held.is_none()
    }
}

impl Deadline {
    /// The deadline of a question on the clock of the screen.
    pub fn of(clock: Clock, asked: &InquiryResponse) -> Option<Deadline> {
        let at = asked.expires_at?;
        let left = Duration::try_from(at.duration_since(clock.wall())).unwrap_or_default();
        let total = Duration::try_from(at.duration_since(asked.asked_at)).unwrap_or(left);
        Some(Deadline {
            at,
            ends: clock.now() + left,
            total,
        })
    }
}

/// When a reply can no longer be undone, on the clock of the screen. If the clocks of server and terminal
/// differ, the whole undo window counts from now.
pub fn undo_until(clock: Clock, held: &HeldResponse) -> MonotonicTime {
    let window = Duration::try_from(held.until.duration_since(held.at)).unwrap_or_default();
    let left = Duration::try_from(held.until.duration_since(clock.wall())).ok();
    let left = left.filter(|left| *left <= window).unwrap_or(window);
    clock.now() + left
}

/// The newest version of each inquiry that a screen has seen, so that an older copy that arrives late changes nothing.
#[derive(Debug, Default)]
pub(crate) struct NewestVersions(HashMap<InquiryId, u64>);

impl NewestVersions {
    /// Whether this copy says something new. One of the same version may, if the inquiry is shown: whether it is hidden
    /// and whether its agent waits has no version.
    pub(crate) fn accept(
        &mut self,
        inquiry: &InquiryResponse,
        shown: Option<&InquiryResponse>,
    ) -> bool {
        let before = self.0.insert(inquiry.id.clone(), inquiry.version);
        let is_new = match before {
            Some(before) if inquiry.version < before => {
                self.0.insert(inquiry.id.clone(), before);
                false
            }
            Some(before) if inquiry.version == before => shown.is_some(),
            Some(_) | None => true,
        };
        is_new && shown != Some(inquiry)
    }

    /// Forgets inquiries of which no copy can be under way: those that a whole list, read after all others, lacks.
    pub(crate) fn forget_others(&mut self, listed: &HashSet<InquiryId>) {
        self.0.retain(|id, _| listed.contains(id));
    }
}

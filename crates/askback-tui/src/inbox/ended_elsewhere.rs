//! Questions that end elsewhere while somebody looks at them. They stay where they are, so that no key
//! meant for one of them reaches another, and say who ended them; the user moves on.

use askback_core::id::InquiryId;

use super::{Inbox, Item, Overlay};
use crate::answer_summary::{self, Ending};
use askback_terminal::clock;
use askback_terminal::row::Row;

impl Inbox {
    /// How many questions can be answered.
    pub(super) fn open_count(&self) -> usize {
        self.items.iter().filter(|item| item.is_open()).count()
    }

    /// A question ended without anything done here.
    pub(super) fn end_elsewhere(&mut self, at: usize, lines: Vec<String>) {
        let id = self.items[at].inquiry.id.clone();
        if self.focus.as_ref() != Some(&id) {
            self.notice = Some(lines.join("  "));
            return self.remove(at);
        }
        self.marked.remove(&id);
        if let Some(Overlay::Confirm(_, ids)) = &mut self.overlay {
            ids.retain(|other| *other != id);
            if ids.is_empty() {
                self.overlay = None;
            }
        }
        if let Some(Overlay::Prompt(open, prompt)) = &self.overlay
            && *open == id
        {
            let unsent = prompt.unsent();
            self.overlay = Some(Overlay::Ended(id, unsent));
        }
        self.items[at].ended = lines;
        self.guard.close();
    }

    /// The time of the open question is over.
    pub(super) fn expire(&mut self, id: &InquiryId) {
        let Some(at) = self.index_of(id) else {
            return self.overlay = None;
        };
        let asked = &self.items[at].inquiry;
        let time = asked.expires_at.map(clock::time_of_day).unwrap_or_default();
        let Ok(inquiry) = asked.to_inquiry() else {
            return self.overlay = None;
        };
        let (locale, glyphs) = (self.config.locale, &self.config.glyphs);
        let rows = answer_summary::unanswered(locale, glyphs, &inquiry, Ending::Expired(&time));
        self.end_elsewhere(at, rows.iter().map(Row::text).collect());
    }

    /// Lets go of what ended elsewhere and no longer has the focus.
    pub(super) fn drop_ended(&mut self) {
        let focus = self.focus.clone();
        let stays = |item: &Item| item.ended.is_empty() || Some(&item.inquiry.id) == focus.as_ref();
        self.items.retain(stays);
    }

    /// Moves on from a question that ended elsewhere.
    pub(super) fn move_on(&mut self) {
        let at = self.focus.clone().and_then(|id| self.index_of(&id));
        if let Some(at) = at {
            self.remove(at);
        }
        self.guard.close();
    }
}

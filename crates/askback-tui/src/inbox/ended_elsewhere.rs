//! Questions that are resolved elsewhere while they have the focus. They stay in the list and show
//! how they ended, so that no key meant for one of them answers another.

use askback_core::id::InquiryId;

use super::{Inbox, Item, Overlay};
use crate::answer_summary::{self, Ending};
use askback_terminal::clock;
use askback_terminal::row::Row;

impl Inbox {
    pub(super) fn open_count(&self) -> usize {
        self.items.iter().filter(|item| item.is_open()).count()
    }

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

    /// The deadline of the open question has passed.
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

    /// Removes ended questions that no longer have the focus.
    pub(super) fn drop_ended(&mut self) {
        let focus = self.focus.clone();
        let stays = |item: &Item| item.ended.is_empty() || Some(&item.inquiry.id) == focus.as_ref();
        self.items.retain(stays);
    }

    pub(super) fn move_on(&mut self) {
        let at = self.focus.clone().and_then(|id| self.index_of(&id));
        if let Some(at) = at {
            self.remove(at);
        }
        self.guard.close();
    }
}

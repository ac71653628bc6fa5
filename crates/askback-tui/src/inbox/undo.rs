//! Undoes the last replies of the inbox.

use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryResponse;

use super::{Inbox, InboxRequest, Item};
use crate::held_replies::{UndoOffer, held_lines};
use crate::keymap::Action;
use crate::outcome_lines::AnsweredFrom;
use askback_terminal::clock::MonotonicTime;

impl Inbox {
    /// A reply from another surface cannot be undone here.
    pub(super) fn hold(&mut self, inquiry: &InquiryResponse, until: MonotonicTime) {
        let sent = |item: &&Item| item.inquiry.id == inquiry.id && item.sent;
        let Some(batch) = self.items.iter().find(sent).map(|item| item.batch) else {
            return;
        };
        let (locale, glyphs) = (self.config.locale, &self.config.glyphs);
        let lines = held_lines(locale, glyphs, inquiry, AnsweredFrom::Here);
        if !lines.is_empty() {
            self.held.add((inquiry.id.clone(), &lines), until, batch);
        }
    }

    /// A reply was undone.
    pub(super) fn reopen(&mut self, id: &InquiryId) {
        self.held.remove(id);
        if let Some(item) = self.items.iter_mut().find(|item| item.inquiry.id == *id) {
            item.sent = false;
            self.notice = Some(self.text("notice-undone", &[]));
            self.focus_on(Some(id.clone()));
        }
        self.refocus();
    }

    /// Undoes the last batch. Called again, it undoes the batch before.
    pub(super) fn undo(&mut self) {
        let ids = self.held.take_last_batch(self.now);
        if ids.is_empty() {
            let notice = match self.last_batch {
                0 => "notice-nothing-to-undo",
                _ => "notice-too-late-to-undo",
            };
            self.notice = Some(self.text(notice, &[]));
        }
        self.requests
            .extend(ids.into_iter().map(InboxRequest::Undo));
    }

    /// The last reply, the size of its batch, and how long it can be undone.
    pub(super) fn held_line(&self, columns: usize) -> Option<String> {
        let offer = UndoOffer {
            locale: self.config.locale,
            glyphs: &self.config.glyphs,
            keys: self.key_name(Action::Undo),
            columns,
        };
        self.held.line(self.now, &offer)
    }
}

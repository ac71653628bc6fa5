//! Undoes the last replies of the inbox.

use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryResponse;

use super::{Inbox, InboxRequest, Item};
use crate::held_replies::{UndoOffer, held_lines};
use crate::keymap::Action;
use crate::outcome_lines::AnsweredFrom;
use askback_terminal::clock::MonotonicTime;

impl Inbox {
    /// A reply from elsewhere cannot be undone here. Until it is undone there, nobody can answer.
    pub(super) fn hold(&mut self, inquiry: &InquiryResponse, until: MonotonicTime) {
        let outcome = inquiry.held.as_ref().map(|held| &held.outcome);
        let ours = |item: &&Item| item.inquiry.id == inquiry.id && item.may_be_ours(outcome);
        let Some(batch) = self.items.iter().find(ours).map(|item| item.batch) else {
            return self.lose_reply(inquiry);
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
            item.ended.clear();
            item.unsent.clear();
            let was_ours = std::mem::take(&mut item.sent);
            if self.resume_ended(id) {
                return;
            }
            self.notice = Some(self.text("notice-undone", &[]));
            if was_ours {
                self.focus_on(Some(id.clone()));
            }
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

//! Undoes the last replies of the inbox.

use super::{Inbox, InboxRequest};
use crate::held_replies::UndoOffer;
use crate::keymap::Action;

impl Inbox {
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

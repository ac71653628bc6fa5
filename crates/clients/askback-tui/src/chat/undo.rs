//! Undoes the last answers of the chat.

use askback_core::id::InquiryId;
use askback_wire::inquiry::InquiryResponse;

use super::{Chat, ChatRequest, PendingStatus};
use crate::held_replies::held_lines;
use crate::keymap::{Action, Mode};
use crate::outcome_lines::AnsweredFrom;
use crate::screen_config::ScreenConfig;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::key::Key;

impl Chat {
    pub(super) fn index_of(&self, id: &InquiryId) -> Option<usize> {
        self.pending.iter().position(|one| one.inquiry.id == *id)
    }

    /// Offers to undo a reply. One that another surface holds while its question is shown here stays as
    /// it is until it takes effect.
    pub(super) fn offer_undo(&mut self, inquiry: &InquiryResponse, until: MonotonicTime) {
        let at = self.index_of(&inquiry.id);
        if !at.is_some_and(|at| self.pending[at].status == PendingStatus::Sending) {
            return;
        }
        let (locale, glyphs) = (self.config.locale, &self.config.glyphs);
        let lines = held_lines(locale, glyphs, inquiry, AnsweredFrom::Here);
        let batch = self.held.last_batch();
        self.held.add(inquiry.id.clone(), &lines, until, batch);
        self.fit();
    }

    /// Shows a question again whose reply was undone.
    pub(super) fn reopen(&mut self, id: &InquiryId) {
        self.held.remove(id);
        let Some(at) = self.index_of(id) else {
            return;
        };
        self.notice = Some(self.text("notice-undone", &[]));
        let pending = &mut self.pending[at];
        if pending.status == PendingStatus::Sending {
            pending.status = PendingStatus::Open;
            self.at = at;
            self.overlay = None;
            self.opening = true;
            self.painted = None;
        }
        self.fit();
    }

    /// Handles a key that undoes or commits the last reply. Returns false for any other key.
    pub(super) fn handle_undo_key(&mut self, key: Key) -> bool {
        if !self.held.can_undo(self.now) {
            return false;
        }
        let Some(mode) = self.undo_mode() else {
            return false;
        };
        let action = self.config.keymap.action(mode, key);
        match action {
            Some(Action::Undo) if self.answered_with(key) => {
                self.notice = Some(self.text("notice-too-soon", &[]));
            }
            Some(Action::Confirm) if self.answered_just_now(key) => {
                self.notice = Some(self.text("notice-too-soon", &[]));
            }
            Some(Action::Undo) => {
                let ids = self.held.take_last_batch(self.now);
                self.requests.extend(ids.into_iter().map(ChatRequest::Undo));
            }
            Some(Action::Confirm) if mode == Mode::Undo => {
                let ids = self.held.take_last_batch(self.now).into_iter();
                self.requests.extend(ids.map(ChatRequest::CommitAnswer));
            }
            // Somebody who types the next answer has no doubt about this one. The digit itself answers nothing, and
            // gets into no message: the next question is not there yet.
            None if mode == Mode::Undo && is_digit(key) => {
                if !self.answered_just_now(key) {
                    let ids = self.held.take_last_batch(self.now).into_iter();
                    self.requests.extend(ids.map(ChatRequest::CommitAnswer));
                }
                self.notice = Some(self.text("notice-too-soon", &[]));
            }
            _ => return false,
        }
        true
    }

    /// The mode whose keys undo: that of the visible question if nothing was changed in it, or else that
    /// of the message field. In an empty field, a letter will do.
    fn undo_mode(&self) -> Option<Mode> {
        match (self.shown(), &self.overlay) {
            (Some(pending), _) => (!pending.prompt.has_changes()).then(|| pending.prompt.mode()),
            (None, Some(_)) => None,
            (None, None) if self.composer.is_empty() => Some(Mode::Undo),
            (None, None) => Some(Mode::Compose),
        }
    }

    /// The line that offers to undo; `None` if nothing can be undone.
    pub(super) fn undo_line(&self, columns: usize) -> Option<String> {
        let mode = match self.shown() {
            Some(pending) => pending.prompt.mode(),
            None => self.undo_mode()?,
        };
        let ScreenConfig { keymap, glyphs, .. } = &self.config;
        let keys = keymap.name(mode, Action::Undo, glyphs)?;
        self.held.line(self.now, &self.config, &keys, columns)
    }

    /// Whether enter lets the last reply take effect.
    pub(super) fn can_commit(&self) -> bool {
        self.held.can_undo(self.now) && self.undo_mode() == Some(Mode::Undo)
    }
}

fn is_digit(key: Key) -> bool {
    key.typed().is_some_and(|typed| typed.is_ascii_digit())
}

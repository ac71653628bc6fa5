//! A question that does not fit: it is scrolled, and read to its end before a key answers it.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "each mode takes a few of the many actions"
)]

use askback_core::draft::{DraftField, DraftPage};

use super::layout::{self, Scroll};
use super::{Prompt, Reaction};
use crate::keymap::Action;

impl Prompt {
    pub(super) fn scroll_question(&mut self, action: Action, scroll: Scroll) -> Option<Reaction> {
        if scroll.last_top == 0 {
            return None;
        }
        let (top, rows) = (self.question_top, scroll.question.max(1));
        self.question_top = match action {
            Action::PageUp => top.saturating_sub(rows),
            _ => (top + rows).min(scroll.last_top),
        };
        let index = self.index();
        self.is_read[index] |= self.question_top == scroll.last_top;
        Some(Reaction::Redraw)
    }

    /// Whether a key would answer a question whose end was never visible.
    pub(super) fn must_read_first(&self, action: Action) -> bool {
        let answers = matches!(
            action,
            Action::Confirm | Action::Send | Action::Digit | Action::Yes | Action::No
        );
        answers
            && self.overlay.is_none()
            && self.draft.page != DraftPage::Review
            && self.entry().field != Some(DraftField::Note)
            && !self.is_read[self.index()]
            && layout::scroll(self).last_top > 0
    }

    /// Shows more of the question instead of answering it.
    pub(super) fn read_on(&mut self) -> Reaction {
        let scrolled = self.scroll_question(Action::PageDown, layout::scroll(self));
        self.guard.close();
        self.notice = Some("notice-read-on");
        scrolled.unwrap_or(Reaction::Redraw)
    }
}

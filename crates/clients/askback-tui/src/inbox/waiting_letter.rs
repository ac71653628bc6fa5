//! A letter for yes or no that was typed in the list. It waits in the prompt of its question, which
//! is not shown, until it is clear that it does not start a word.

use askback_core::id::InquiryId;

use super::Inbox;
use crate::keymap::{Action, Mode};
use crate::prompt::Prompt;
use askback_terminal::clock::MonotonicTime;
use askback_terminal::key::InputEvent;

impl Inbox {
    /// If a letter waits, opens its prompt for the rest of the word and for enter. Anything else
    /// drops the letter.
    pub(super) fn continue_word(&mut self, event: &InputEvent) {
        let InputEvent::Key(key) = event else {
            if matches!(event, InputEvent::Click(_) | InputEvent::Paste(_)) {
                self.waiting = None;
            }
            return;
        };
        let confirms = self.config.keymap.action(Mode::Inbox, *key) == Some(Action::Confirm);
        if let Some((id, prompt)) = self.take_waiting()
            && (confirms || key.typed().is_some())
        {
            self.notice = None;
            self.show_prompt(id, prompt);
        }
    }

    /// Sends the answer of a letter that no other one followed.
    pub(super) fn tick_waiting_letter(&mut self, now: MonotonicTime) {
        let Some((id, mut prompt)) = self.take_waiting() else {
            return;
        };
        let reaction = prompt.tick(now);
        if prompt.is_key_waiting() {
            self.waiting = Some((id, prompt));
        } else {
            self.react(id, reaction);
        }
    }

    /// The row of the focused question whose letter waits.
    pub(super) fn waiting_row(&self) -> Option<usize> {
        let (id, prompt) = self.waiting.as_ref()?;
        (Some(id) == self.focus.as_ref()).then(|| prompt.draft().entries[0].focus)
    }

    /// Only while its question can be answered.
    fn take_waiting(&mut self) -> Option<(InquiryId, Box<Prompt>)> {
        let (id, prompt) = self.waiting.take()?;
        let focused = self.focused().filter(|item| item.is_open())?;
        (self.overlay.is_none() && focused.inquiry.id == id).then_some((id, prompt))
    }
}

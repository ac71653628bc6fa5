//! The prompt of a question that is opened from the list.

use askback_core::id::InquiryId;

use super::{Inbox, Item, Overlay, by_urgency, view};
use crate::deadline::Deadline;
use crate::prompt::{EscAtTop, Persistence, Prompt, PromptOptions, Room};
use askback_terminal::row::Size;

impl Inbox {
    /// The prompt of this question, if it is open.
    pub(super) fn open_prompt(&mut self, id: &InquiryId) -> Option<&mut Prompt> {
        match &mut self.overlay {
            Some(Overlay::Prompt(open, prompt)) if open == id => Some(prompt),
            Some(
                Overlay::Prompt(..) | Overlay::Confirm(..) | Overlay::Ended(..) | Overlay::Help,
            )
            | None => None,
        }
    }

    /// A key has stopped the deadline of an open prompt, so that only one that was moved is set there.
    pub(super) fn set_deadline(&mut self, id: &InquiryId, deadline: Option<Deadline>) {
        let item = self.items.iter_mut().find(|item| item.inquiry.id == *id);
        let expires_at = deadline.map(|deadline| deadline.at);
        let Some(item) = item.filter(|item| item.inquiry.expires_at != expires_at) else {
            return;
        };
        item.inquiry.expires_at = expires_at;
        item.deadline = deadline;
        if let Some(prompt) = self.open_prompt(id) {
            prompt.set_deadline(deadline);
        }
        self.items
            .sort_by(|a, b| by_urgency(&a.inquiry, &b.inquiry));
    }

    pub(super) fn prompt(&self, item: &Item) -> Option<Prompt> {
        let inquiry = item.inquiry.to_inquiry().ok()?;
        let mut options = PromptOptions::new(self.config.locale, self.config.today);
        options.glyphs = self.config.glyphs;
        options.size = self.prompt_size();
        options.room = Room::All;
        options.asker.clone_from(&item.inquiry.source);
        options.recipient = item.inquiry.shown_recipient().map(str::to_owned);
        options.is_detached = item.inquiry.is_detached();
        options.persistence = Persistence::Durable;
        options.esc_at_top = EscAtTop::GoesBack;
        options.typeahead_window = self.config.typeahead_window;
        options.keymap = self.config.keymap.clone();
        options.border = self.config.border;
        options.deadline = item.deadline;
        options.draft.clone_from(&item.draft);
        Some(Prompt::new(inquiry, options))
    }

    /// The agent has stopped waiting, or waits again.
    pub(super) fn set_detached(&mut self, id: &InquiryId, detached: bool) {
        let item = self.items.iter_mut().find(|item| item.inquiry.id == *id);
        if let Some(asker) = item.and_then(|item| item.inquiry.asker.as_mut()) {
            asker.detached = detached;
        }
        if let Some(prompt) = self.open_prompt(id) {
            prompt.set_detached(detached);
        }
    }

    pub(super) fn prompt_size(&self) -> Size {
        Size {
            columns: self.size.columns,
            rows: self.size.rows.saturating_sub(view::HEAD).max(1),
        }
    }
}

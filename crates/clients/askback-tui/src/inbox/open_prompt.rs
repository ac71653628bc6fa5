//! The prompt of a question that is opened from the list.

use askback_core::id::InquiryId;

use super::{Inbox, Item, Overlay, view};
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

    pub(super) fn prompt(&self, item: &Item) -> Option<Prompt> {
        let inquiry = item.inquiry.to_inquiry().ok()?;
        let mut options = PromptOptions::new(self.config.locale, self.config.today);
        options.glyphs = self.config.glyphs;
        options.size = self.prompt_size();
        options.room = Room::All;
        options.asker = item.inquiry.asker_name().map(str::to_owned);
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

    pub(super) fn prompt_size(&self) -> Size {
        Size {
            columns: self.size.columns,
            rows: self.size.rows.saturating_sub(view::HEAD).max(1),
        }
    }
}

//! What the chat and the inbox have in common: language, glyphs, keys, and how they show a question.

use std::time::Duration;

use askback_locale::{Arg, Locale};
use askback_wire::inquiry::InquiryResponse;
use jiff::civil::Date;

use crate::keymap::{Action, Keymap, Mode};
use crate::prompt::{Persistence, PromptOptions};
use askback_terminal::glyphs::Glyphs;

/// See the module documentation.
#[derive(Debug, Clone)]
pub struct ScreenConfig {
    /// Language of the interface.
    pub locale: Locale,
    /// Glyphs of the frame.
    pub glyphs: Glyphs,
    /// Today in the user's time zone, which dates are relative to.
    pub today: Date,
    /// Keys that answer are ignored until no key was pressed for this long.
    pub typeahead_window: Duration,
    /// Key bindings.
    pub keymap: Keymap,
}

impl ScreenConfig {
    pub(crate) fn text(&self, id: &str, args: &[(&str, Arg<'_>)]) -> String {
        self.glyphs.to_supported(self.locale.text(id, args))
    }

    /// The name of the key of an action; empty if none is bound.
    pub(crate) fn key_name(&self, mode: Mode, action: Action) -> String {
        let name = self.keymap.name(mode, action, &self.glyphs);
        name.unwrap_or_default()
    }

    /// The words of a hint with the key of its action; `None` if none is bound.
    pub(crate) fn hint(&self, id: &str, mode: Mode, action: Action) -> Option<String> {
        let keys = self.keymap.name(mode, action, &self.glyphs)?;
        Some(self.text(id, &[("keys", keys.into())]))
    }

    /// The options of the prompt of a stored question.
    pub(crate) fn prompt_options(&self, inquiry: &InquiryResponse) -> PromptOptions {
        let mut options = PromptOptions::new(self.locale, self.today);
        options.glyphs = self.glyphs;
        options.typeahead_window = self.typeahead_window;
        options.keymap = self.keymap.clone();
        options.asker = inquiry.asker_name().map(str::to_owned);
        options.recipient = inquiry.shown_recipient().map(str::to_owned);
        options.persistence = Persistence::Durable;
        options
    }
}

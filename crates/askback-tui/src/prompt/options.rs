//! How a prompt is set up.

use std::time::Duration;

use askback_core::draft::Draft;
use askback_locale::Locale;
use jiff::civil::Date;

use crate::deadline::Deadline;
use crate::keymap::Keymap;
use crate::typeahead::TYPEAHEAD_WINDOW;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::Size;

/// Whether a question that is left unanswered waits somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Persistence {
    /// In a store, with its draft.
    Durable,
    /// Nowhere: it ends with this process.
    #[default]
    None,
}

/// How much of the given size a prompt may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Room {
    /// All but three rows, so that what was said before stays in view.
    #[default]
    BesideContext,
    /// All of it: the embedder shows the context itself.
    All,
}

/// What is drawn around a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Border {
    /// A rail at the left.
    #[default]
    Rail,
    /// A box.
    Boxed,
}

/// What Esc does when nothing is left to step back from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EscAtTop {
    /// It opens the leave menu.
    #[default]
    LeaveMenu,
    /// It goes back to where the question was opened from; the question stays open.
    GoesBack,
}

/// How a prompt is set up.
#[derive(Debug, Clone)]
pub struct PromptOptions {
    /// The language of everything that is not the agent's.
    pub locale: Locale,
    /// The marks.
    pub glyphs: Glyphs,
    /// Today, where the respondent is.
    pub today: Date,
    /// The room.
    pub size: Size,
    /// How much of it is used.
    pub room: Room,
    /// Who asks.
    pub asker: Option<String>,
    /// Where the question can be answered in a browser.
    pub link: Option<String>,
    /// Whether it waits somewhere when it is left.
    pub persistence: Persistence,
    /// What Esc does at the top.
    pub esc_at_top: EscAtTop,
    /// How long no key may come before those that answer are heard.
    pub typeahead_window: Duration,
    /// When it ends unanswered.
    pub deadline: Option<Deadline>,
    /// An earlier draft.
    pub draft: Option<Draft>,
    /// The keys.
    pub keymap: Keymap,
    /// What is drawn around it.
    pub border: Border,
}

impl PromptOptions {
    /// Plain options for a language and a day.
    pub fn new(locale: Locale, today: Date) -> PromptOptions {
        PromptOptions {
            locale,
            glyphs: Glyphs::LINES,
            today,
            size: Size {
                columns: 80,
                rows: 24,
            },
            room: Room::default(),
            asker: None,
            link: None,
            persistence: Persistence::default(),
            esc_at_top: EscAtTop::default(),
            typeahead_window: TYPEAHEAD_WINDOW,
            deadline: None,
            draft: None,
            keymap: Keymap::default(),
            border: Border::default(),
        }
    }
}

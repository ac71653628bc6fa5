//! The settings of a prompt.

use std::time::Duration;

use askback_core::draft::Draft;
use askback_locale::Locale;
use jiff::civil::Date;

use crate::deadline::Deadline;
use crate::keymap::Keymap;
use crate::typeahead::TYPEAHEAD_WINDOW;
use askback_terminal::glyphs::Glyphs;
use askback_terminal::row::Size;

/// Whether a question that is left unanswered is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Persistence {
    /// It is stored with its draft.
    Durable,
    /// It ends with this process.
    #[default]
    None,
}

/// Who asks, which decides the words for leaving.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AskerKind {
    /// An agent, which can be told to decide by itself or to stop.
    #[default]
    Agent,
    /// A script, which gets an answer or none.
    Script,
}

/// How much of the given size a prompt may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Room {
    /// All but three rows, so that earlier output stays visible.
    #[default]
    BesideContext,
    /// All of it.
    All,
}

/// What Esc does when nothing is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EscAtTop {
    /// It opens the leave menu.
    #[default]
    LeaveMenu,
    /// It closes the prompt; the question stays open.
    GoesBack,
}

/// The settings of a prompt.
#[derive(Debug, Clone)]
pub struct PromptOptions {
    /// Language of the interface. Text of the agent is not translated.
    pub locale: Locale,
    /// Glyphs of the frame.
    pub glyphs: Glyphs,
    /// Today in the user's time zone, which dates are relative to.
    pub today: Date,
    /// The size of the area.
    pub size: Size,
    /// How much of the area is used.
    pub room: Room,
    /// The name of the asker, which is shown beside the header.
    pub asker: Option<String>,
    /// Who asks.
    pub asker_kind: AskerKind,
    /// For whom it is, if for somebody in particular.
    pub recipient: Option<String>,
    /// Whether the agent has stopped waiting for the answer.
    pub is_detached: bool,
    /// The address of the question's web page.
    pub link: Option<String>,
    /// Decides what the leave menu offers.
    pub persistence: Persistence,
    /// What Esc does when nothing is open.
    pub esc_at_top: EscAtTop,
    /// Keys that answer are ignored until no key was pressed for this long.
    pub typeahead_window: Duration,
    /// The deadline, if there is one.
    pub deadline: Option<Deadline>,
    /// The draft to continue.
    pub draft: Option<Draft>,
    /// Key bindings.
    pub keymap: Keymap,
}

impl PromptOptions {
    /// Defaults: 80x24, Unicode glyphs, not stored, no deadline.
    pub fn new(locale: Locale, today: Date) -> PromptOptions {
        PromptOptions {
            locale,
            glyphs: Glyphs::LINES,
            today,
            size: Size::USUAL,
            room: Room::default(),
            asker: None,
            asker_kind: AskerKind::default(),
            recipient: None,
            is_detached: false,
            link: None,
            persistence: Persistence::default(),
            esc_at_top: EscAtTop::default(),
            typeahead_window: TYPEAHEAD_WINDOW,
            deadline: None,
            draft: None,
            keymap: Keymap::default(),
        }
    }
}

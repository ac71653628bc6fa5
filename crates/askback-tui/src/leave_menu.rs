//! The choices for leaving a question without an answer. Frames, lines, chat and inbox share their
//! texts and confirmations.

use askback_locale::{Locale, YesNo};

use crate::keymap::{Action, Keymap, Mode};
use crate::prompt::{End, Persistence};
use askback_terminal::key::{Key, KeyCode};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaveChoice {
    /// The question stays open in the store.
    Keep,
    /// The question is not stored and ends with the process.
    Quit,
    /// The agent continues without an answer.
    Decline,
    /// The agent stops.
    Stop,
}

impl LeaveChoice {
    /// The choices of the leave menu. A question can be kept open only if it is stored.
    pub(crate) fn all(persistence: Persistence) -> [LeaveChoice; 3] {
        let first = match persistence {
            Persistence::Durable => LeaveChoice::Keep,
            Persistence::None => LeaveChoice::Quit,
        };
        [first, LeaveChoice::Decline, LeaveChoice::Stop]
    }

    /// The id of its label message.
    pub(crate) fn label(self) -> &'static str {
        match self {
            LeaveChoice::Keep => "leave-keep",
            LeaveChoice::Quit => "leave-quit",
            LeaveChoice::Decline => "leave-decline",
            LeaveChoice::Stop => "leave-stop",
        }
    }

    /// The id of the message that describes its effect.
    pub(crate) fn effect(self) -> &'static str {
        match self {
            LeaveChoice::Keep => "leave-keep-effect",
            LeaveChoice::Quit => "leave-quit-effect",
            LeaveChoice::Decline => "leave-decline-effect",
            LeaveChoice::Stop => "leave-stop-effect",
        }
    }

    /// The id of the confirmation message; `None` if nothing is sent to the agent.
    pub(crate) fn confirmation(self) -> Option<&'static str> {
        match self {
            LeaveChoice::Keep | LeaveChoice::Quit => None,
            LeaveChoice::Decline => Some("sure-decline"),
            LeaveChoice::Stop => Some("sure-stop"),
        }
    }

    pub(crate) fn end(self) -> End {
        match self {
            LeaveChoice::Keep | LeaveChoice::Quit => End::Postponed,
            LeaveChoice::Decline => End::Declined,
            LeaveChoice::Stop => End::Rejected,
        }
    }
}

/// The action of a key in a confirmation. The letters for yes and no of the locale work besides the
/// bound keys.
pub(crate) fn confirmation_action(keymap: &Keymap, locale: Locale, key: Key) -> Option<Action> {
    keymap.action(Mode::Confirm, key).or_else(|| {
        let KeyCode::Char(typed) = key.code else {
            return None;
        };
        key.typed()?;
        let letters = locale.yes_no_letters();
        let (_, meaning) = letters.iter().find(|(letter, _)| *letter == typed)?;
        Some(match meaning {
            YesNo::Yes => Action::Yes,
            YesNo::No => Action::Back,
        })
    })
}

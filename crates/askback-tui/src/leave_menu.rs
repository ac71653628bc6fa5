//! The ways to leave a question without answering it: the same words and the same confirmation in
//! frames, in lines, in the chat and in the inbox.

use askback_locale::{Locale, YesNo};

use crate::keymap::{Action, Keymap, Mode};
use crate::prompt::{End, Persistence};
use askback_terminal::key::{Key, KeyCode};

/// One way to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaveChoice {
    /// The question stays where it is stored.
    Keep,
    /// The question is stored nowhere and ends with the process.
    Quit,
    /// The agent goes on without an answer.
    Decline,
    /// The agent stops.
    Stop,
}

impl LeaveChoice {
    /// The choices of the leave menu. Keeping a question open is offered only where it is stored.
    pub(crate) fn all(persistence: Persistence) -> [LeaveChoice; 3] {
        let first = match persistence {
            Persistence::Durable => LeaveChoice::Keep,
            Persistence::None => LeaveChoice::Quit,
        };
        [first, LeaveChoice::Decline, LeaveChoice::Stop]
    }

    /// The message that names it.
    pub(crate) fn label(self) -> &'static str {
        match self {
            LeaveChoice::Keep => "leave-keep",
            LeaveChoice::Quit => "leave-quit",
            LeaveChoice::Decline => "leave-decline",
            LeaveChoice::Stop => "leave-stop",
        }
    }

    /// The message that says what it leads to.
    pub(crate) fn effect(self) -> &'static str {
        match self {
            LeaveChoice::Keep => "leave-keep-effect",
            LeaveChoice::Quit => "leave-quit-effect",
            LeaveChoice::Decline => "leave-decline-effect",
            LeaveChoice::Stop => "leave-stop-effect",
        }
    }

    /// The message that asks whether it is meant, if it reaches the agent.
    pub(crate) fn confirmation(self) -> Option<&'static str> {
        match self {
            LeaveChoice::Keep | LeaveChoice::Quit => None,
            LeaveChoice::Decline => Some("sure-decline"),
            LeaveChoice::Stop => Some("sure-stop"),
        }
    }

    /// How the prompt ends by it.
    pub(crate) fn end(self) -> End {
        match self {
            LeaveChoice::Keep | LeaveChoice::Quit => End::Postponed,
            LeaveChoice::Decline => End::Declined,
            LeaveChoice::Stop => End::Rejected,
        }
    }
}

/// What a key means where somebody is asked whether they mean it. The letters for yes and no of the
/// language count beside the keys that are bound.
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

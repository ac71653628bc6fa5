//! The choices for leaving a question without an answer. Frames, lines, chat and inbox share their
//! texts and confirmations.

use askback_locale::{Locale, YesNo};

use crate::keymap::{Action, Keymap, Mode};
use crate::prompt::{AskerKind, End, Persistence};
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
    /// The script that asked gets no answer.
    Cancel,
}

impl LeaveChoice {
    /// The choices of the leave menu. A question can be kept open only if it is stored, and only an agent can decide
    /// by itself.
    pub(crate) fn all(persistence: Persistence, asker: AskerKind) -> &'static [LeaveChoice] {
        use LeaveChoice::{Cancel, Decline, Keep, Quit, Stop};
        match (asker, persistence) {
            (AskerKind::Agent, Persistence::Durable) => &[Keep, Decline, Stop],
            (AskerKind::Agent, Persistence::None) => &[Quit, Decline, Stop],
            (AskerKind::Script, Persistence::Durable) => &[Keep, Cancel],
            (AskerKind::Script, Persistence::None) => &[Quit],
        }
    }

    /// The id of its label message.
    pub(crate) fn label(self) -> &'static str {
        match self {
            LeaveChoice::Keep => "leave-keep",
            LeaveChoice::Quit => "leave-quit",
            LeaveChoice::Decline => "leave-decline",
            LeaveChoice::Stop => "leave-stop",
            LeaveChoice::Cancel => "leave-cancel",
        }
    }

    /// The id of the message that describes its effect.
    pub(crate) fn effect(self) -> &'static str {
        match self {
            LeaveChoice::Keep => "leave-keep-effect",
            LeaveChoice::Quit => "leave-quit-effect",
            LeaveChoice::Decline => "leave-decline-effect",
            LeaveChoice::Stop => "leave-stop-effect",
            LeaveChoice::Cancel => "leave-cancel-effect",
        }
    }

    /// The id of the confirmation message; `None` if nothing is sent.
    pub(crate) fn confirmation(self) -> Option<&'static str> {
        match self {
            LeaveChoice::Keep | LeaveChoice::Quit => None,
            LeaveChoice::Decline => Some("sure-decline"),
            LeaveChoice::Stop => Some("sure-stop"),
            LeaveChoice::Cancel => Some("sure-cancel"),
        }
    }

    /// The action that chooses it without moving the focus to it.
    pub(crate) fn action(self) -> Option<Action> {
        match self {
            LeaveChoice::Keep | LeaveChoice::Quit | LeaveChoice::Cancel => None,
            LeaveChoice::Decline => Some(Action::Decline),
            LeaveChoice::Stop => Some(Action::Reject),
        }
    }

    pub(crate) fn end(self) -> End {
        match self {
            LeaveChoice::Keep | LeaveChoice::Quit => End::Postponed,
            LeaveChoice::Decline => End::Declined,
            LeaveChoice::Stop | LeaveChoice::Cancel => End::Rejected,
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

//! The default key bindings, in the order of the help.

use super::Mode::{
    Calendar, Compose, Confirm, Date, Filter, Folded, Inbox, Leave, List, Menu, Number, Reader,
    Review, Several, Text, Undo,
};
use super::{Action, Binding, Keymap, Mode};
use askback_terminal::key::Key;

const LISTS: &[Mode] = &[List, Several];
const CHOOSING: &[Mode] = &[List, Several, Review];
const MOVING: &[Mode] = &[List, Several, Review, Leave, Reader];
const FIELDS: &[Mode] = &[Text, Number, Date, Calendar];
const TYPING: &[Mode] = &[Text, Number, Date, Filter];
const ERASING: &[Mode] = &[Text, Number, Date, Calendar, Filter];
const ASKED: &[Mode] = &[List, Several, Text, Number, Date, Calendar, Review];
const EVERYWHERE: &[Mode] = &[
    List, Several, Text, Number, Date, Calendar, Filter, Review, Leave, Reader, Folded,
];
const PAGED: &[Mode] = &[List, Several, Review, Reader, Text, Number, Date, Calendar];
const CONFIRMED: &[Mode] = &[
    List, Several, Text, Number, Date, Calendar, Filter, Review, Leave, Folded,
];
const CHAT: &[Mode] = &[Compose, Menu];

/// The action, the names of its keys, and the modes in which they work.
pub(super) const BINDINGS: &[(Action, &str, &[Mode])] = &[
    // Moving.
    (Action::Up, "up k ctrl+p", MOVING),
    (Action::Down, "down j ctrl+n", MOVING),
    (Action::Up, "up ctrl+p", &[Filter]),
    (Action::Down, "down ctrl+n", &[Filter]),
    (Action::Up, "up", FIELDS),
    (Action::Down, "down", FIELDS),
    (Action::First, "home g", MOVING),
    (Action::Last, "end G", MOVING),
    (Action::PageUp, "pgup", PAGED),
    (Action::PageDown, "pgdn", PAGED),
    (Action::HalfUp, "ctrl+u", &[List, Several, Review, Reader]),
    (Action::HalfDown, "ctrl+d", &[List, Several, Review, Reader]),
    (Action::Next, "tab right l", CHOOSING),
    (Action::Previous, "shift+tab left h", CHOOSING),
    (Action::Next, "tab ctrl+n", FIELDS),
    (Action::Previous, "shift+tab ctrl+p", FIELDS),
    // Choosing.
    (Action::Digit, "1 2 3 4 5 6 7 8 9", CHOOSING),
    (Action::Mark, "space", LISTS),
    (Action::Confirm, "enter", CONFIRMED),
    (Action::Send, "ctrl+s ctrl+enter", ASKED),
    (Action::All, "a", &[Several]),
    (Action::Invert, "i", &[Several]),
    (Action::Filter, "/ ctrl+f", LISTS),
    (Action::Own, "o", LISTS),
    (Action::Note, "n", LISTS),
    (Action::Note, "alt+n", FIELDS),
    (Action::Skip, "s", LISTS),
    (Action::Skip, "alt+s", FIELDS),
    (Action::Review, "r", LISTS),
    (Action::Undo, "u ctrl+_", CHOOSING),
    (Action::Undo, "ctrl+_", FIELDS),
    (Action::Undo, "u ctrl+_", &[Undo]),
    (Action::Confirm, "enter", &[Undo]),
    // Typing.
    (Action::NewLine, "alt+enter shift+enter ctrl+j", &[Text]),
    (Action::Editor, "ctrl+g", &[List, Several, Text]),
    (Action::Left, "left", TYPING),
    (Action::Right, "right", TYPING),
    (Action::WordLeft, "alt+b ctrl+left", TYPING),
    (Action::WordRight, "alt+f ctrl+right", TYPING),
    (Action::LineStart, "home ctrl+a", TYPING),
    (Action::LineEnd, "end ctrl+e", TYPING),
    (Action::Backspace, "backspace", ERASING),
    (Action::Delete, "delete", ERASING),
    (Action::DeleteWord, "ctrl+w alt+backspace", ERASING),
    (Action::DayBack, "left", &[Calendar]),
    (Action::DayOn, "right", &[Calendar]),
    (Action::MonthBack, "[", &[Calendar]),
    (Action::MonthOn, "]", &[Calendar]),
    (Action::YearBack, "{", &[Calendar]),
    (Action::YearOn, "}", &[Calendar]),
    (Action::Today, "t", &[Calendar]),
    // Looking.
    (Action::Preview, "p", LISTS),
    (Action::PreviewUp, "[", LISTS),
    (Action::PreviewDown, "]", LISTS),
    (Action::Read, "v", CHOOSING),
    (Action::Read, "ctrl+o", FIELDS),
    (Action::Fold, "z", &[List, Several, Review, Folded]),
    (Action::Fold, "alt+z", FIELDS),
    (Action::Copy, "y", CHOOSING),
    (Action::Copy, "y", &[Reader]),
    (Action::Share, "Q", CHOOSING),
    (Action::Share, "alt+q", FIELDS),
    (Action::HandOn, "H", CHOOSING),
    (Action::HandOn, "alt+h", FIELDS),
    (Action::Decline, "d", &[Leave]),
    (Action::Reject, "r", &[Leave]),
    (Action::Help, "?", &[List, Several, Review, Leave]),
    (Action::Help, "alt+?", FIELDS),
    (Action::Back, "esc", EVERYWHERE),
    (Action::Back, "q v p", &[Reader]),
    (Action::Detach, "ctrl+c", EVERYWHERE),
    (Action::Suspend, "ctrl+z", EVERYWHERE),
    (Action::Repaint, "ctrl+l", EVERYWHERE),
    (Action::Detach, "ctrl+c", &[Undo]),
    (Action::Suspend, "ctrl+z", &[Undo]),
    (Action::Repaint, "ctrl+l", &[Undo]),
    // Writing a message.
    (Action::Confirm, "enter", &[Compose]),
    (Action::NewLine, "alt+enter shift+enter ctrl+j", &[Compose]),
    (Action::Open, "tab", &[Compose]),
    (Action::Editor, "ctrl+g", &[Compose]),
    (Action::Back, "esc", &[Compose]),
    (Action::Leave, "ctrl+d", &[Compose]),
    (Action::Up, "up", &[Compose]),
    (Action::Down, "down", &[Compose]),
    (Action::Earlier, "ctrl+p", &[Compose]),
    (Action::Later, "ctrl+n", &[Compose]),
    (Action::Undo, "ctrl+_", &[Compose]),
    // Editing a message.
    (Action::Left, "left", &[Compose]),
    (Action::Right, "right", &[Compose]),
    (Action::WordLeft, "alt+b ctrl+left", &[Compose]),
    (Action::WordRight, "alt+f ctrl+right", &[Compose]),
    (Action::LineStart, "home ctrl+a", &[Compose]),
    (Action::LineEnd, "end ctrl+e", &[Compose]),
    (Action::Backspace, "backspace", &[Compose]),
    (Action::Delete, "delete", &[Compose]),
    (Action::DeleteWord, "ctrl+w alt+backspace", &[Compose]),
    (Action::DeleteToStart, "ctrl+u", &[Compose]),
    (Action::DeleteToEnd, "ctrl+k", &[Compose]),
    // Around the chat.
    (Action::Up, "up k", &[Menu]),
    (Action::Down, "down j", &[Menu]),
    (Action::First, "home g", &[Menu]),
    (Action::Last, "end G", &[Menu]),
    (Action::Digit, "1 2 3 4 5 6 7 8 9", &[Menu]),
    (Action::Confirm, "enter", &[Menu]),
    (Action::Back, "esc", &[Menu]),
    (Action::NextWaiting, "ctrl+t", CHAT),
    (Action::Detach, "ctrl+c", CHAT),
    (Action::Suspend, "ctrl+z", CHAT),
    (Action::Repaint, "ctrl+l", CHAT),
    // The inbox.
    (Action::Up, "up k", &[Inbox]),
    (Action::Down, "down j", &[Inbox]),
    (Action::First, "home g", &[Inbox]),
    (Action::Last, "end G", &[Inbox]),
    (Action::PageUp, "pgup", &[Inbox]),
    (Action::PageDown, "pgdn", &[Inbox]),
    (Action::Digit, "1 2 3 4 5 6 7 8 9", &[Inbox]),
    (Action::Confirm, "enter o", &[Inbox]),
    (Action::Skip, "s", &[Inbox]),
    (Action::Snooze, "z", &[Inbox]),
    (Action::Decline, "d", &[Inbox]),
    (Action::Reject, "r", &[Inbox]),
    (Action::Mark, "x", &[Inbox]),
    (Action::HandOn, "H", &[Inbox]),
    (Action::Undo, "u", &[Inbox]),
    (Action::Help, "?", &[Inbox]),
    (Action::Back, "esc", &[Inbox]),
    (Action::Leave, "q", &[Inbox]),
    (Action::Yes, "y", &[Confirm]),
    (Action::Back, "n q esc", &[Confirm]),
    (Action::Detach, "ctrl+c", &[Inbox, Confirm]),
    (Action::Suspend, "ctrl+z", &[Inbox, Confirm]),
    (Action::Repaint, "ctrl+l", &[Inbox, Confirm]),
];

impl Default for Keymap {
    fn default() -> Keymap {
        let bindings = BINDINGS.iter().map(|(action, keys, modes)| Binding {
            action: *action,
            keys: keys.split(' ').flat_map(Key::named).collect(),
            modes: modes.to_vec(),
        });
        Keymap {
            bindings: bindings.collect(),
        }
    }
}

//! Names of actions, in the configuration and in the help.

use super::{Action, Mode};

impl Action {
    /// The id of the message that describes the action.
    pub(crate) fn message(self, mode: Mode) -> &'static str {
        if let Some(message) = self.around(mode) {
            return message;
        }
        match (self, mode) {
            (Action::Up | Action::Down, Mode::Number) => "help-step",
            (Action::Up | Action::Down, Mode::Date | Mode::Calendar) => "help-week",
            (Action::Up | Action::Down | Action::PageUp | Action::PageDown, Mode::Text)
            | (Action::Left | Action::Right | Action::WordLeft | Action::WordRight, _)
            | (Action::Up | Action::Down, Mode::Compose) => "help-caret",
            (
                Action::Backspace
                | Action::Delete
                | Action::DeleteWord
                | Action::DeleteToStart
                | Action::DeleteToEnd,
                _,
            ) => "help-erase",
            (Action::Earlier | Action::Later, _) => "help-recall",
            (Action::PageUp | Action::PageDown, Mode::Number) => "help-step-ten",
            (Action::PageUp | Action::PageDown, Mode::Date | Mode::Calendar)
            | (Action::MonthBack | Action::MonthOn, _) => "help-month",
            (Action::Up | Action::Down, _) => "help-move",
            (Action::First | Action::Last, _) => "help-ends",
            (Action::PageUp | Action::PageDown, _) => "help-page",
            (Action::HalfUp | Action::HalfDown, _) => "help-half-page",
            (Action::Digit, Mode::Several) => "help-digit-several",
            (Action::Digit, _) => "help-digit",
            (Action::Mark, Mode::Several) => "help-toggle",
            (Action::Mark, _) => "help-mark",
            (Action::Confirm, mode) => confirmed(mode),
            (Action::Send, _) => "help-send",
            (Action::NewLine, _) => "help-new-line",
            (Action::Next | Action::NextWaiting, _) => "help-next-question",
            (Action::Previous, _) => "help-previous-question",
            (Action::All, _) => "help-all",
            (Action::Invert, _) => "help-invert",
            (Action::Filter, _) => "help-filter",
            (Action::Own, _) => "help-other",
            (Action::Note, _) => "help-note",
            (Action::Skip, _) => "help-skip",
            (Action::Review, _) => "help-review",
            (Action::Preview, _) => "help-preview",
            (Action::PreviewUp | Action::PreviewDown, _) => "help-preview-scroll",
            (Action::Read, _) => "help-read",
            (Action::Fold, _) => "help-fold",
            (Action::Copy, _) => "help-link",
            (Action::Share, _) => "help-share",
            (Action::HandOn, _) => "help-hand-on",
            (Action::Undo, mode) => undone(mode),
            (Action::Help, _) => "help-help",
            (Action::Editor, _) => "help-editor",
            (Action::LineStart | Action::LineEnd, _) => "help-line-ends",
            (Action::DayBack | Action::DayOn, _) => "help-day",
            (Action::YearBack | Action::YearOn, _) => "help-year",
            (Action::Today, _) => "help-today",
            (Action::Back, _) => "help-back",
            (Action::Detach, _) => "help-detach",
            (Action::Suspend, _) => "help-suspend",
            (Action::Repaint, _) => "help-repaint",
            (Action::Open, _) => "inbox-hint-open",
            (Action::Leave, _) => "chat-hint-leave",
            (Action::Decline, _) => "inbox-hint-decline",
            (Action::Reject, _) => "inbox-hint-reject",
            (Action::Yes, Mode::List) => "help-yes",
            (Action::No, Mode::List) => "help-no",
            (Action::Yes, _) => "inbox-hint-yes",
            (Action::No, _) => "inbox-hint-no",
        }
    }

    /// Descriptions that differ in chat and inbox.
    fn around(self, mode: Mode) -> Option<&'static str> {
        let message = match (self, mode) {
            (Action::Confirm, Mode::Compose) => "chat-hint-send",
            (Action::Back, Mode::Compose) => "chat-hint-menu",
            (Action::Read, Mode::Compose) => "chat-hint-scroll",
            (Action::Detach, Mode::Compose | Mode::Menu | Mode::Scrollback) => "chat-hint-leave",
            (Action::Up | Action::Down, Mode::Scrollback) => "hint-scroll",
            (Action::Back, Mode::Menu) => "hint-back",
            (Action::Back, Mode::Scrollback) => "hint-close",
            (Action::Confirm, Mode::Menu) => "hint-choose",
            (Action::Digit, Mode::Inbox) => "inbox-hint-answer",
            (Action::Confirm, Mode::Inbox) => "inbox-hint-open",
            (Action::Mark, Mode::Inbox) => "inbox-hint-mark",
            (Action::Back, Mode::Inbox) => "help-clear-marks",
            (Action::Leave | Action::Detach, Mode::Inbox) => "inbox-hint-quit",
            (Action::Back | Action::Detach, Mode::Confirm) => "inbox-hint-no",
            _ => return None,
        };
        Some(message)
    }

    /// The name in the configuration file.
    pub fn name(self) -> &'static str {
        match self {
            Action::Up => "up",
            Action::Down => "down",
            Action::First => "first",
            Action::Last => "last",
            Action::PageUp => "page-up",
            Action::PageDown => "page-down",
            Action::HalfUp => "half-up",
            Action::HalfDown => "half-down",
            Action::Digit => "digit",
            Action::Mark => "mark",
            Action::Confirm => "confirm",
            Action::Send => "send-all",
            Action::NewLine => "new-line",
            Action::Next => "next",
            Action::Previous => "previous",
            Action::All => "all",
            Action::Invert => "invert",
            Action::Filter => "filter",
            Action::Own => "other",
            Action::Note => "note",
            Action::Skip => "skip",
            Action::Review => "review",
            Action::Preview => "preview",
            Action::PreviewUp => "preview-up",
            Action::PreviewDown => "preview-down",
            Action::Read => "read",
            Action::Fold => "fold",
            Action::Copy => "copy-link",
            Action::Share => "share",
            Action::HandOn => "hand-on",
            Action::Undo => "undo",
            Action::Help => "help",
            Action::Editor => "editor",
            Action::Left => "left",
            Action::Right => "right",
            Action::WordLeft => "word-left",
            Action::WordRight => "word-right",
            Action::LineStart => "line-start",
            Action::LineEnd => "line-end",
            Action::Backspace => "backspace",
            Action::Delete => "delete",
            Action::DeleteWord => "delete-word",
            Action::DeleteToStart => "delete-to-start",
            Action::DeleteToEnd => "delete-to-end",
            Action::DayBack => "day-back",
            Action::DayOn => "day-on",
            Action::MonthBack => "month-back",
            Action::MonthOn => "month-on",
            Action::YearBack => "year-back",
            Action::YearOn => "year-on",
            Action::Today => "today",
            Action::Back => "back",
            Action::Detach => "detach",
            Action::Suspend => "suspend",
            Action::Repaint => "repaint",
            Action::Open => "open",
            Action::NextWaiting => "next-waiting",
            Action::Earlier => "earlier",
            Action::Later => "later",
            Action::Leave => "leave",
            Action::Decline => "decline",
            Action::Reject => "reject",
            Action::Yes => "yes",
            Action::No => "no",
        }
    }

    /// Whether it only moves or leaves, so that it works while the guard is closed.
    pub(crate) fn is_harmless(self) -> bool {
        matches!(
            self,
            Action::Up
                | Action::Down
                | Action::First
                | Action::Last
                | Action::PageUp
                | Action::PageDown
                | Action::Left
                | Action::Right
                | Action::Next
                | Action::Previous
                | Action::Back
                | Action::Detach
                | Action::Suspend
                | Action::Repaint
        )
    }
}

/// What enter does.
fn confirmed(mode: Mode) -> &'static str {
    if mode == Mode::Several {
        "help-confirm-several"
    } else if mode == Mode::Undo {
        "help-send-now"
    } else if matches!(mode, Mode::List | Mode::Review | Mode::Leave) {
        "help-confirm"
    } else {
        "help-confirm-text"
    }
}

/// After an answer, undo reopens the question; before it, undo restores text.
fn undone(mode: Mode) -> &'static str {
    if matches!(mode, Mode::Inbox | Mode::Undo) {
        "help-undo"
    } else {
        "help-undo-change"
    }
}

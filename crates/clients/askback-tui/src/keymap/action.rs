//! What a key can do: its name in the configuration, and how the help describes it.

use super::Mode;

macro_rules! actions {
    ($($action:ident $name:literal $help:literal)*) => {
        /// The action of a key.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[expect(
            missing_docs,
            reason = "each is named for what its row of the help says"
        )]
        pub enum Action {
            $($action,)*
        }

        impl Action {
            /// The name in the configuration file.
            pub fn name(self) -> &'static str {
                match self {
                    $(Action::$action => $name,)*
                }
            }

            /// The id of the message that describes the action in most modes.
            fn usual_message(self) -> &'static str {
                match self {
                    $(Action::$action => $help,)*
                }
            }
        }
    };
}

actions! {
    Up "up" "help-move"
    Down "down" "help-move"
    First "first" "help-ends"
    Last "last" "help-ends"
    PageUp "page-up" "help-page"
    PageDown "page-down" "help-page"
    HalfUp "half-up" "help-half-page"
    HalfDown "half-down" "help-half-page"
    Digit "digit" "help-digit"
    Mark "mark" "help-mark"
    Confirm "confirm" "help-confirm-text"
    Send "send-all" "help-send"
    NewLine "new-line" "help-new-line"
    Next "next" "help-next-question"
    Previous "previous" "help-previous-question"
    All "all" "help-all"
    Invert "invert" "help-invert"
    Filter "filter" "help-filter"
    Own "other" "help-other"
    Note "note" "help-note"
    Skip "skip" "help-skip"
    Review "review" "help-review"
    Preview "preview" "help-preview"
    PreviewUp "preview-up" "help-preview-scroll"
    PreviewDown "preview-down" "help-preview-scroll"
    Read "read" "help-read"
    Fold "fold" "help-fold"
    Copy "copy-link" "help-link"
    Share "share" "help-share"
    HandOn "hand-on" "help-hand-on"
    Undo "undo" "help-undo-change"
    Help "help" "help-help"
    Editor "editor" "help-editor"
    Left "left" "help-caret"
    Right "right" "help-caret"
    WordLeft "word-left" "help-caret"
    WordRight "word-right" "help-caret"
    LineStart "line-start" "help-line-ends"
    LineEnd "line-end" "help-line-ends"
    Backspace "backspace" "help-erase"
    Delete "delete" "help-erase"
    DeleteWord "delete-word" "help-erase"
    DeleteToStart "delete-to-start" "help-erase"
    DeleteToEnd "delete-to-end" "help-erase"
    DayBack "day-back" "help-day"
    DayOn "day-on" "help-day"
    MonthBack "month-back" "help-month"
    MonthOn "month-on" "help-month"
    YearBack "year-back" "help-year"
    YearOn "year-on" "help-year"
    Today "today" "help-today"
    Back "back" "help-back"
    Detach "detach" "help-detach"
    Suspend "suspend" "help-suspend"
    Repaint "repaint" "help-repaint"
    Open "open" "inbox-hint-open"
    NextWaiting "next-waiting" "help-next-question"
    Earlier "earlier" "help-recall"
    Later "later" "help-recall"
    Leave "leave" "chat-hint-leave"
    Decline "decline" "inbox-hint-decline"
    Reject "reject" "inbox-hint-reject"
    Snooze "snooze" "inbox-hint-snooze"
    Yes "yes" "inbox-hint-yes"
    No "no" "inbox-hint-no"
}

impl Action {
    /// The id of the message that describes the action.
    pub(crate) fn message(self, mode: Mode) -> &'static str {
        match (self, mode) {
            (Action::Confirm, Mode::Compose) => "chat-hint-send",
            (Action::Back, Mode::Compose) => "chat-hint-menu",
            (Action::Detach, Mode::Compose | Mode::Menu) => "chat-hint-leave",
            (Action::Back, Mode::Menu) => "hint-back",
            (Action::Confirm, Mode::Menu) => "hint-choose",
            (Action::Digit, Mode::Inbox) => "inbox-hint-answer",
            (Action::Confirm, Mode::Inbox) => "inbox-hint-open",
            (Action::Mark, Mode::Inbox) => "inbox-hint-mark",
            (Action::Back, Mode::Inbox) => "help-clear-marks",
            (Action::Leave | Action::Detach, Mode::Inbox) => "inbox-hint-quit",
            (Action::Back | Action::Detach, Mode::Confirm) => "inbox-hint-no",
            (Action::Up | Action::Down, Mode::Number) => "help-step",
            (Action::Up | Action::Down, Mode::Date | Mode::Calendar) => "help-week",
            (Action::Up | Action::Down | Action::PageUp | Action::PageDown, Mode::Text)
            | (Action::Up | Action::Down, Mode::Compose) => "help-caret",
            (Action::PageUp | Action::PageDown, Mode::Number) => "help-step-ten",
            (Action::PageUp | Action::PageDown, Mode::Date | Mode::Calendar) => "help-month",
            (Action::Digit, Mode::Several) => "help-digit-several",
            (Action::Mark, Mode::Several) => "help-toggle",
            (Action::Confirm, Mode::Several) => "help-confirm-several",
            (Action::Confirm, Mode::Undo) => "help-send-now",
            (Action::Confirm, Mode::List | Mode::Review | Mode::Leave) => "help-confirm",
            // After an answer, undo reopens the question; before it, undo restores text.
            (Action::Undo, Mode::Inbox | Mode::Undo) => "help-undo",
            (Action::Yes, Mode::List) => "help-yes",
            (Action::No, Mode::List) => "help-no",
            _ => self.usual_message(),
        }
    }

    /// Whether it changes the text or moves the caret in it, and can do nothing else.
    pub(crate) fn edits_text(self) -> bool {
        matches!(
            self,
            Action::WordLeft
                | Action::WordRight
                | Action::LineStart
                | Action::LineEnd
                | Action::Backspace
                | Action::Delete
                | Action::DeleteWord
        )
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

//! What the user is doing when a key is pressed.

macro_rules! modes {
    ($($(#[$doc:meta])* $mode:ident $section:ident $title:literal)*) => {
        /// What the user is doing, which decides what a key does.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Mode {
            $($(#[$doc])* $mode,)*
        }

        impl Mode {
            /// All modes, in the order of the help.
            pub const ALL: [Mode; 16] = [$(Mode::$mode,)*];

            /// The group of the mode.
            pub fn section(self) -> KeySection {
                match self {
                    $(Mode::$mode => KeySection::$section,)*
                }
            }

            /// Its title in `askback keys`.
            pub fn title(self) -> &'static str {
                match self {
                    $(Mode::$mode => $title,)*
                }
            }
        }
    };
}

modes! {
    /// Choosing one row.
    List Question "one of a list"
    /// Choosing several rows.
    Several Question "several of a list"
    /// Typing text: an answer, an own answer, a note.
    Text Question "text"
    /// Typing a number.
    Number Question "a number"
    /// Typing a date.
    Date Question "a day, typed"
    /// Moving through the calendar.
    Calendar Question "a day, in the calendar"
    /// Typing a filter.
    Filter Question "the filter"
    /// Reviewing all answers.
    Review Question "the review"
    /// In the leave menu.
    Leave Question "the leave menu"
    /// Reading a long text.
    Reader Question "reading in full"
    /// Folded to one line.
    Folded Question "a folded question"
    /// After an answer that can be undone.
    Undo Question "an answer that can be undone"
    /// Writing a message in the chat.
    Compose Chat "the field of the chat"
    /// Choosing from a menu of the chat.
    Menu Chat "the menus of the chat"
    /// In the list of the inbox.
    Inbox Inbox "the list of the inbox"
    /// Confirming that an agent is declined or stopped.
    Confirm Inbox "being asked whether it is meant"
}

impl Mode {
    /// Whether printable keys are typed as text.
    pub fn is_typing(self) -> bool {
        matches!(
            self,
            Mode::Text | Mode::Number | Mode::Date | Mode::Calendar | Mode::Filter | Mode::Compose
        )
    }
}

/// Groups of key bindings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeySection {
    /// Questions on every screen.
    Question,
    /// The chat itself.
    Chat,
    /// The list of the inbox.
    Inbox,
}

impl KeySection {
    /// The name of its table in the configuration file.
    pub fn table(self) -> &'static str {
        match self {
            KeySection::Question => "keys",
            KeySection::Chat => "keys.chat",
            KeySection::Inbox => "keys.inbox",
        }
    }
}

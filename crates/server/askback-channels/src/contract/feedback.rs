//! What a person is told after they pressed a button or wrote something.

use crate::contract::button::Button;

/// What a person is told, in their language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    /// What happened.
    pub result: PressResult,
    /// A short sentence, shown to this person only where the provider can do that. Empty if there is
    /// nothing to say.
    pub text: String,
    /// The text that the channel should now ask for.
    pub prompt: Option<TextPrompt>,
}

impl Feedback {
    /// Nothing is sent yet: a text is asked for.
    pub(crate) fn asking(prompt: TextPrompt) -> Feedback {
        Feedback {
            result: PressResult::DraftSaved,
            text: String::new(),
            prompt: Some(prompt),
        }
    }

    /// Whether the person should have to dismiss the text: what they tried did not happen.
    pub fn is_alert(&self) -> bool {
        matches!(
            self.result,
            PressResult::AlreadyEnded
                | PressResult::NotAnAnswer
                | PressResult::Held
                | PressResult::Changed
                | PressResult::Invalid
                | PressResult::NotAllowed
        )
    }
}

/// What came of a press. The message itself is edited by the dispatcher, not by the channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PressResult {
    /// The answer, or the decline, is the outcome.
    Accepted,
    /// It takes effect when the undo window is over.
    AcceptedWithUndo {
        /// The length of the window.
        seconds: u32,
    },
    /// The held answer was undone; the question is open again.
    Undone,
    /// The question is for somebody else now.
    HandedOn {
        /// Whether they get a message. Otherwise the text says so, and must be shown.
        is_reachable: bool,
    },
    /// A tick, a page, a text that is not sent yet.
    DraftSaved,
    /// The account is linked to a recipient.
    Linked,
    /// The question had ended before: answered by somebody else, expired, withdrawn.
    AlreadyEnded,
    /// Somebody's answer is in its undo window.
    Held,
    /// The question changed after the message was sent.
    Changed,
    /// The answer does not fit the question, which stays open.
    Invalid,
    /// The person may not answer this. The attempt is recorded.
    NotAllowed,
    /// Something that answers nothing. The text says how to answer.
    NotAnAnswer,
    /// A text that belongs to nothing, among other people. Nothing is said, so that a bot in a group does not reply to everything.
    Ignored,
}

/// A text that is asked for in a message of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPrompt {
    /// What the text is for: a [`Press::Write`](crate::Press::Write) or a [`Press::Reason`](crate::Press::Reason).
    pub button: Button,
    /// What to write, in the language of the person.
    pub text: String,
    /// What an empty field shows.
    pub placeholder: Option<String>,
}

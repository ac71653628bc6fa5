//! What comes back from a channel, and where it is handed in.

use askback_core::identity::Identity;
use askback_store::StoreError;

use crate::contract::channel::{Address, ChannelFuture, MessageId};
use crate::contract::feedback::{Feedback, TextPrompt};

/// What a person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incoming {
    /// Who did it, such as `telegram:42`. Only what the provider has proven: the sender of an update that
    /// was fetched with our credentials, or of a request with a valid signature; and the stable id of the
    /// person there, not a name that they can change.
    pub identity: Identity,
    /// Where it was done, which is also where a linked account gets its messages.
    pub address: Address,
    /// The message that was pressed or replied to, if there is one.
    pub message: Option<MessageId>,
    /// What they did.
    pub action: IncomingAction,
}

/// What a person can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IncomingAction {
    /// A button was pressed.
    Press {
        /// The data as it arrived. [`Button::decode`](crate::Button::decode) is called by the handler, so
        /// that data of nobody's button is refused and recorded.
        data: String,
    },
    /// A form with all questions was sent at once, by a channel with native fields.
    Submit {
        /// The data of the button that sent the form.
        data: String,
        /// What the fields have, also those that are empty. Questions without an entry keep their draft, except where the
        /// button has no [`DraftCode`](crate::DraftCode): then this is all there is.
        fields: Vec<FieldInput>,
    },
    /// A button that hands the question on was pressed in a channel with a field for the reason.
    HandOn {
        /// The data of the button.
        data: String,
        /// What the field has.
        reason: Option<String>,
    },
    /// A text that replies to a message of ours: to a card, or to a [`TextPrompt`].
    Reply {
        /// The text as it was typed.
        text: String,
        /// The data of a button of that message, if the provider says what it shows: of the page, where there is one.
        button: Option<String>,
    },
    /// A text that replies to nothing, written to us alone.
    Text {
        /// The text as it was typed.
        text: String,
    },
    /// Something that cannot be read where an answer could be meant: a picture, an edited or a forwarded text.
    Unreadable,
    /// Asks what can be done here.
    Help,
    /// A one-time code that was written where others can read it.
    LinkInGroup {
        /// The code.
        code: String,
    },
    /// A one-time code of `askback channel link`.
    Link {
        /// The code.
        code: String,
    },
}

/// One question of a form that was filled in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldInput {
    /// The question, counted from 0.
    pub question: usize,
    /// The taken choices, counted from 0.
    pub choices: Vec<usize>,
    /// Own text, a text answer, a number, a date, the first day of a range.
    pub text: Option<String>,
    /// The last day of a range.
    pub end: Option<String>,
    /// Whether the person says that the question stays open.
    pub is_left_open: bool,
}

/// Nothing was decided, because the store cannot be read or written. Do not acknowledge; receive it again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HandlerError(pub String);

impl From<StoreError> for HandlerError {
    fn from(error: StoreError) -> HandlerError {
        HandlerError(error.to_string())
    }
}

/// Takes what arrives on one channel. Implemented by the dispatcher.
pub trait IncomingHandler: Send + Sync {
    /// Handles what a person did. When it returns, the effect is on disk: acknowledge after it.
    /// Handling the same again has no second effect.
    fn handle(&self, incoming: Incoming) -> ChannelFuture<'_, Result<Feedback, HandlerError>>;

    /// The text prompt was shown as this message: a reply to it answers the question of the prompt.
    fn prompt_shown<'a>(
        &'a self,
        address: &'a Address,
        prompt: &'a TextPrompt,
        message: MessageId,
    ) -> ChannelFuture<'a, Result<(), HandlerError>>;

    /// The position in the provider's stream that was stored last.
    fn position(&self) -> ChannelFuture<'_, Result<Option<String>, HandlerError>>;

    /// Stores the position behind everything that was handled.
    fn set_position(&self, position: String) -> ChannelFuture<'_, Result<(), HandlerError>>;

    /// Called whenever something could be received, so that an earlier error is no longer reported.
    fn mark_healthy(&self);

    /// Called when the provider has replied, but it is not known yet whether something can be received.
    fn mark_reachable(&self) {}
}

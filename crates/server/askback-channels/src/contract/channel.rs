//! The trait that a channel implements.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use askback_core::outcome::Surface;
use askback_core::text::Text;
use askback_wire::server_process::hex;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::card::Card;
use crate::contract::incoming::{HandlerError, IncomingHandler};
use crate::provider::secret::TokenSource;

/// The future that a channel returns. Dropping it aborts the work.
pub type ChannelFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where a message goes: a chat, a topic, a mailbox. It comes from the configuration or from a linked
/// account, never from a question. Its `Debug` output is hidden, because for some channels it is a secret.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub String);

askback_core::debug_only!(Address);

/// The provider's id of a message that was sent. Unique within an [`Address`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MessageId(pub String);

/// A message in the form of its provider, without the address.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    /// What is sent.
    pub body: Value,
    /// Whether an open card can be answered from the message, because it shows every question whole with its controls.
    /// Otherwise it is answered behind the link, and takes no text.
    pub is_answerable: bool,
}

impl Rendered {
    /// A message that only notifies.
    pub fn notice(body: Value) -> Rendered {
        Rendered {
            body,
            is_answerable: false,
        }
    }

    /// Equal for equal messages. It is stored with the delivery, so that an unchanged message is not
    /// edited again after a restart.
    pub fn hash(&self) -> String {
        hex(&Sha256::digest(self.body.to_string())[..16])
    }
}

/// Whether a new message may make a sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attention {
    /// The person is notified.
    Notify,
    /// The message arrives silently: quiet hours, or one of several in a short time.
    Silent,
}

/// Why a message was not sent or edited. Texts are for the operator; they contain no token, no URL and
/// no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The provider asks to wait. It is tried again after this time, and nothing else is sent to the
    /// same address before.
    #[error("the provider asks to wait {} s", .0.as_secs())]
    RetryAfter(Duration),
    /// Unreachable, a time-out, a server error, a response that cannot be read. Tried again with
    /// increasing pauses.
    #[error("{0}")]
    Temporary(Text),
    /// This message can never be delivered to this address: the person blocked the bot, the chat is
    /// gone, the text is refused. Not tried again.
    #[error("{0}")]
    Permanent(Text),
    /// The message that was to be edited does not exist any more, or is too old. The delivery ends.
    #[error("the message does not exist any more")]
    MessageGone,
    /// The credentials are refused. Every delivery of the channel waits, with long pauses, until they
    /// are corrected.
    #[error("{0}")]
    Unauthorized(Text),
}

impl SendError {
    /// Tried again. The provider may have written part of the text, so it is escaped, as in the other two.
    pub fn temporary(text: impl AsRef<str>) -> SendError {
        SendError::Temporary(Text::name_or_mark(text.as_ref()))
    }

    /// Not tried again.
    pub fn permanent(text: impl AsRef<str>) -> SendError {
        SendError::Permanent(Text::name_or_mark(text.as_ref()))
    }

    /// The credentials are refused.
    pub fn unauthorized(text: impl AsRef<str>) -> SendError {
        SendError::Unauthorized(Text::name_or_mark(text.as_ref()))
    }
}

/// Why receiving ended. The dispatcher starts it again after a pause.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReceiveError {
    /// The provider cannot be reached or failed; or the store did.
    #[error("{0}")]
    Temporary(Text),
    /// The credentials are refused, or somebody else receives with them. Started again after a long pause.
    #[error("{0}")]
    Refused(Text),
}

impl ReceiveError {
    /// Started again soon.
    pub fn temporary(text: impl AsRef<str>) -> ReceiveError {
        ReceiveError::Temporary(Text::name_or_mark(text.as_ref()))
    }

    /// Started again after a long pause.
    pub fn refused(text: impl AsRef<str>) -> ReceiveError {
        ReceiveError::Refused(Text::name_or_mark(text.as_ref()))
    }
}

impl From<HandlerError> for ReceiveError {
    fn from(error: HandlerError) -> ReceiveError {
        ReceiveError::temporary(error.0)
    }
}

impl From<SendError> for ReceiveError {
    fn from(error: SendError) -> ReceiveError {
        match error {
            SendError::Unauthorized(why) | SendError::Permanent(why) => ReceiveError::Refused(why),
            SendError::RetryAfter(_) | SendError::Temporary(_) | SendError::MessageGone => {
                ReceiveError::temporary(error.to_string())
            }
        }
    }
}

/// One configured way to reach people. See the documentation of the crate for how to write one.
pub trait Channel: Send + Sync + 'static {
    /// The surface that outcomes name when somebody answers here.
    fn surface(&self) -> Surface;

    /// Whether whoever knows an address can read what is sent there. Then the address is not stored, only the name of
    /// the account in the configuration.
    fn has_secret_addresses(&self) -> bool {
        false
    }

    /// Whether messages are of little use without links, so that the server needs a public URL.
    fn needs_links(&self) -> bool {
        false
    }

    /// Whether a message shows all questions of an inquiry at once, whatever page the draft is at. Then a typed reply cannot
    /// say which of several questions it answers.
    fn shows_all_questions(&self) -> bool {
        false
    }

    /// The message that shows `card`. Pure: equal cards give equal messages.
    fn render(&self, card: &Card) -> Rendered;

    /// Sends a new message.
    fn send<'a>(
        &'a self,
        to: &'a Address,
        message: &'a Rendered,
        attention: Attention,
    ) -> ChannelFuture<'a, Result<MessageId, SendError>>;

    /// Replaces a message that was sent before. A channel whose messages cannot be changed, such as
    /// e-mail, returns `Ok`. "Not modified" is `Ok` too.
    fn edit<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        message: &'a Rendered,
    ) -> ChannelFuture<'a, Result<(), SendError>>;

    /// Sends a short text that belongs to a message: a reminder, or that a question was handed on. It
    /// stands in the thread of the message, and is no second card. By default nothing is sent.
    fn send_thread_text<'a>(
        &'a self,
        _to: &'a Address,
        _id: &'a MessageId,
        _text: &'a str,
        _attention: Attention,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Receives what people do until it fails. It is started again after a failure, and aborted when
    /// the server stops. Only one node of a shared store runs it. By default nothing ever arrives.
    fn receive(&self, _handler: Arc<dyn IncomingHandler>) -> ChannelFuture<'_, ReceiveError> {
        Box::pin(std::future::pending())
    }

    /// Where the secret is with which this channel receives. Two channels with the same one would take each
    /// other's messages.
    fn receiving_secret(&self) -> Option<&TokenSource> {
        None
    }

    /// Asks the provider who we are: the name of the bot, or another text for the operator.
    fn check(&self) -> ChannelFuture<'_, Result<String, SendError>>;
}

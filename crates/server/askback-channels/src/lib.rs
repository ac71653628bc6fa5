//! Channels: ways for a question to reach a person outside of the terminal and the browser, and to be
//! answered there.
//!
//! # Write your own channel
//!
//! A channel is a type that implements [`Channel`]. It does four things, and decides nothing:
//!
//! 1. [`Channel::render`] turns a [`Card`] into the message of the provider. It is a pure function: the
//!    dispatcher compares its results and calls the network only if something differs. Texts come from
//!    [`Card`]: [`Card::text`] is the whole card as plain text within a number of characters,
//!    [`Card::status`] is how it ended. Buttons carry [`Button::encode`].
//! 2. [`Channel::send`] and [`Channel::edit`] bring that message to one [`Address`]. They return a
//!    [`SendError`] whose kind says what to do; they never retry by themselves.
//! 3. [`Channel::receive`] runs as long as the server does. It turns what people do into [`Incoming`],
//!    passes it to [`IncomingHandler::handle`], and shows the person the [`Feedback`] that comes back. The identity
//!    in [`Incoming`] must be one that the provider has proven, such as the sender of an update that was
//!    fetched with the bot's own token.
//! 4. [`Channel::check`] says whether the credentials work, for `askback channel list`.
//!
//! Rules that hold for every channel:
//!
//! - The message is a view of the stored question. A channel keeps no state of a question in memory: ticks are drafts
//!   in the store, and come back in [`CardState::Open`].
//! - Show native controls only if every question of the card can be shown whole. Otherwise show
//!   the text and the link.
//! - Acknowledge after [`IncomingHandler::handle`] has returned: by then the answer is on disk. A position in the
//!   provider's stream is stored with [`IncomingHandler::set_position`] after that.
//! - Send plain text without markup, so that a question can neither mention people nor hide a link.
//! - If whoever knows an address can read what is sent there, [`Channel::has_secret_addresses`] is true, and the address is not
//!   stored.
//! - No token, address of a person or URL with a token may be part of a [`SendError`].

mod answer;
mod card;
mod config;
mod contract;
mod deliver;
mod dispatcher;
mod links;
mod people;
mod provider;
mod state;
mod status;

pub use card::clip::clip_graphemes;
pub use card::text::handed_on_to;
pub use card::{Card, CardState, ContentLevel, HandOnMenu, Reader};
pub use config::{ChannelsConfig, ConfiguredChannel, LinkMaker};
pub use contract::button::DraftCode;
pub use contract::button::{Button, PersonCode, Press, RangeDay};
pub use contract::channel::{
    Address, Attention, Channel, ChannelFuture, MessageId, ReceiveError, Rendered, SendError,
};
pub use contract::feedback::{Feedback, PressResult, TextPrompt};
pub use contract::incoming::{FieldInput, HandlerError, Incoming, IncomingAction, IncomingHandler};
pub use deliver::messages::{ChannelMessage, LeftMessages, MessageState, Messages, Undelivered};
pub use dispatcher::Dispatcher;
pub use links::personal_links::LINK_LIFETIME;
pub use links::personal_links::{LinkHolder, NewLink, PersonalLinks};
pub use links::press_link::UrlPresses;
pub use links::press_link::{PressKey, PressLinks, PressUrls, SignedPress};
pub use people::People;
pub use people::account::Accounts;
pub use people::alias_proof::AliasProof;
pub use people::former_people::FormerPeople;
pub use people::presence::Presence;
pub use people::push_subscriptions::{
    EndedAccess, NewSubscription, PushSubscriptions, SubscriptionError,
};
pub use people::recipients::{
    Group, NamedRecipient, OnCall, QuietHours, Recipient, Recipients, is_alias,
};
pub use people::snoozes::Snoozes;
pub use people::stored_people::{RecipientError, RecipientKind, StoredRecipient};
pub use provider::base_url::{BaseUrl, BaseUrlError};
pub use provider::base64url;
pub use provider::command::{CommandChannel, CommandConfig, CommandConfigError};
pub use provider::email::{Email, EmailConfig};
pub use provider::http::ConfigError;
pub use provider::ip_network::{is_public, network};
pub use provider::ntfy::{Ntfy, NtfyConfig};
pub use provider::secret::is_mounted_secret;
pub use provider::secret::{Secret, TokenSource};
pub use provider::slack::{SLACK_MANIFEST, Slack, SlackConfig};
pub use provider::telegram::{Telegram, TelegramConfig};
pub use provider::webpush::{EndpointError, WEBPUSH, WebPush, WebPushConfig};
pub use status::ChannelStatus;

#[cfg(test)]
#[path = "fake_channel_tests.rs"]
mod fake_channel;
#[cfg(test)]
#[path = "fake_handler_tests.rs"]
mod fake_handler;
#[cfg(test)]
#[path = "fixtures_tests.rs"]
mod fixtures;

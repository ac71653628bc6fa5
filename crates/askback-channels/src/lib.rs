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

mod account;
mod after_linking;
pub mod base64url;
mod base_url;
mod build_card;
mod button;
mod card;
mod card_text;
mod channel;
mod command;
mod config;
mod copies;
mod dispatcher;
mod draft_code;
mod draft_edits;
mod email;
mod feedback;
mod feedback_text;
mod follow_up;
mod hand_on;
mod handle_incoming;
mod hmac_sha256;
mod incoming;
mod incoming_handler;
mod ip_network;
mod left_messages;
mod line_answer;
mod link_account;
mod loose_text;
mod message_state;
mod message_text;
mod new_link;
mod ntfy;
mod pauses;
mod personal_link;
mod placeholder;
mod planner;
mod presence;
mod press_link;
mod prompts;
mod provider_http;
mod push_subscriptions;
mod reachable;
mod recipients;
mod reply;
mod respond;
mod secret;
mod secret_setting;
mod send_due;
mod send_reply;
mod sender;
mod short_hash;
mod shown_page;
mod slack;
mod status;
mod stored_address;
mod telegram;
mod typed_reply;
mod undelivered;
mod url_buttons;
mod webhook_template;
mod webpush;
mod write_text;

pub use base_url::{BaseUrl, BaseUrlError};
pub use button::{Button, PersonCode, Press, RangeDay};
pub use card::{Card, CardState, ContentLevel, HandOnMenu, Reader};
pub use card_text::handed_on_to;
pub use channel::{
    Address, Attention, Channel, ChannelFuture, MessageId, ReceiveError, Rendered, SendError,
};
pub use command::{CommandChannel, CommandConfig, CommandConfigError};
pub use config::{ChannelsConfig, ConfiguredChannel, LinkMaker};
pub use dispatcher::Dispatcher;
pub use draft_code::DraftCode;
pub use email::{Email, EmailConfig, EmailConfigError};
pub use feedback::{Feedback, FieldProblem, PressResult, TextPrompt};
pub use incoming::{FieldInput, HandlerError, Incoming, IncomingAction, IncomingHandler};
pub use ip_network::{IpNetwork, is_public};
pub use left_messages::LeftMessages;
pub use message_state::{ChannelMessage, MessageState};
pub use message_text::clip_graphemes;
pub use new_link::{LINK_LIFETIME, NewLink};
pub use ntfy::{Ntfy, NtfyConfig, NtfyConfigError};
pub use personal_link::LinkHolder;
pub use press_link::{PressKey, PressLinks, PressUrls, SignedPress};
pub use push_subscriptions::{NewSubscription, SubscriptionError};
pub use recipients::{NamedRecipient, QuietHours, Recipient, Recipients};
pub use secret::{Secret, TokenSource};
pub use slack::{SLACK_MANIFEST, Slack, SlackConfig, SlackConfigError};
pub use status::ChannelStatus;
pub use telegram::{Telegram, TelegramConfig, TelegramConfigError};
pub use undelivered::Undelivered;
pub use webhook_template::{
    Escape, SecretConfig, WebhookConfig, WebhookConfigError, WebhookTemplate,
};
pub use webpush::{EndpointError, WEBPUSH, WebPush, WebPushConfig, WebPushConfigError};

#[cfg(test)]
#[path = "fake_channel_tests.rs"]
mod fake_channel;
#[cfg(test)]
#[path = "fake_handler_tests.rs"]
mod fake_handler;
#[cfg(test)]
#[path = "fixtures_tests.rs"]
mod fixtures;

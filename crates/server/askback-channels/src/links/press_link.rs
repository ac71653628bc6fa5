//! URLs that press a button when a notification sends a request to them.
//!
//! A URL is good for one recipient, one inquiry and revision, and one button. It contains no token, and
//! nothing is stored: the key is signed, as those of links to questions are. A question takes one answer
//! only, so a URL works once at most.

use std::sync::Arc;

use askback_core::identity::Identity;
use askback_core::outcome::Surface;
use askback_store::StoreError;
use askback_wire::path::percent_encoded;
use askback_wire::server_process::{hex, hmac_sha256};
use jiff::Timestamp;
use serde::Deserialize;
use subtle::ConstantTimeEq as _;

use crate::answer::handle_incoming::{ChannelHandler, Proof};
use crate::card::{Card, CardState};
use crate::contract::button::{Button, Press};
use crate::contract::channel::Address;
use crate::contract::feedback::Feedback;
use crate::contract::incoming::{HandlerError, Incoming, IncomingAction, IncomingHandler};
use crate::dispatcher::Shared;
use crate::links::personal_links::LINK_LIFETIME;
use crate::people::account::{account_id, configured_accounts};

/// Enough not to be guessed.
const SIGNATURE_BYTES: usize = 16;

/// The secret that signs the URLs. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PressKey([u8; 32]);

askback_core::debug_only!(PressKey);

impl PressKey {
    /// Derives the key from the token of the server, so that a new token invalidates all URLs.
    pub fn derive(token: &[u8]) -> PressKey {
        PressKey(hmac_sha256(token, b"askback press key 1"))
    }

    /// Says which token the key was derived from, without anything of either.
    pub(crate) fn fingerprint(&self) -> String {
        hex(&hmac_sha256(&self.0, b"fingerprint")[..8])
    }

    /// The key of a URL for this press.
    pub fn sign(&self, press: &SignedPress, expires_at: Timestamp) -> String {
        let seconds = expires_at.as_second();
        format!("{seconds}-{}", self.signature(press, seconds))
    }

    /// Whether the key of a URL is ours, for this press, and not expired.
    pub fn verify(&self, press: &SignedPress, key: &str, now: Timestamp) -> bool {
        let Some((seconds, offered)) = key.split_once('-') else {
            return false;
        };
        let Ok(seconds) = seconds.parse::<i64>() else {
            return false;
        };
        let expected = self.signature(press, seconds);
        bool::from(expected.as_bytes().ct_eq(offered.as_bytes())) && now.as_second() < seconds
    }

    /// The path that undoes what a URL has done, for as long as that URL works. `None` if its key is not ours.
    pub(crate) fn undo_path(
        &self,
        press: &SignedPress,
        key: &str,
        now: Timestamp,
    ) -> Option<String> {
        if !self.verify(press, key, now) {
            return None;
        }
        let (seconds, _) = key.split_once('-')?;
        let expires_at = Timestamp::from_second(seconds.parse().ok()?).ok()?;
        let undo = Button {
            press: Press::Undo,
            ..Button::decode(&press.data)?
        };
        let undo = SignedPress {
            data: undo.encode(),
            ..press.clone()
        };
        Some(undo.path(&self.sign(&undo, expires_at)))
    }

    /// No part contains a zero byte, so no two presses have the same message.
    fn signature(&self, press: &SignedPress, seconds: i64) -> String {
        let SignedPress {
            channel,
            recipient,
            data,
        } = press;
        let message = format!("{channel}\0{recipient}\0{data}\0{seconds}");
        hex(&hmac_sha256(&self.0, message.as_bytes())[..SIGNATURE_BYTES])
    }
}

/// What the key of a URL is for: the parts of its path.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SignedPress {
    /// The name of the channel in the configuration.
    pub channel: String,
    /// The alias of the recipient.
    pub recipient: String,
    /// [`Button::encode`], with the inquiry, the revision and what the button does.
    pub data: String,
}

impl SignedPress {
    /// The path of its URL on our server, with its key.
    fn path(&self, key: &str) -> String {
        let path = PressLinks::PATH
            .replace("{channel}", &percent_encoded(&self.channel))
            .replace("{recipient}", &percent_encoded(&self.recipient))
            .replace("{data}", &self.data);
        format!("{path}?key={key}")
    }
}

/// Makes [`PressLinks`] for all cards of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PressUrls {
    /// The address of this server that phones can reach, without a slash at its end. Without it, only our own
    /// pages have such URLs.
    pub base_url: Option<String>,
    /// Signs them.
    pub key: PressKey,
}

impl PressUrls {
    /// For the cards of one recipient in one channel. `None` if its people cannot reach this server.
    pub(crate) fn links(
        &self,
        (channel, surface): (&str, Surface),
        recipient: &str,
        since: Timestamp,
    ) -> Option<PressLinks> {
        let base_url = if surface == Surface::Push {
            // The service worker of our pages knows where they come from.
            String::new()
        } else {
            self.base_url.clone()?
        };
        Some(PressLinks {
            base_url,
            channel: channel.to_owned(),
            recipient: recipient.to_owned(),
            expires_at: since + LINK_LIFETIME,
            key: self.key.clone(),
        })
    }
}

/// Makes URLs for the buttons of one card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PressLinks {
    /// The address of this server that the recipient's phone can reach, without a slash at its end. Empty for
    /// our own pages.
    pub base_url: String,
    /// The name of the channel in the configuration.
    pub channel: String,
    /// The alias of the recipient.
    pub recipient: String,
    /// When the URLs expire. It must be the same whenever the card is made, or the message would change.
    pub expires_at: Timestamp,
    /// Signs them.
    pub key: PressKey,
}

impl PressLinks {
    /// The path on our server, without its parameters.
    pub const PATH: &str = "/press/{channel}/{recipient}/{data}";

    /// A POST to this URL presses the button. A GET does nothing.
    pub fn url(&self, button: &Button) -> String {
        let press = SignedPress {
            channel: self.channel.clone(),
            recipient: self.recipient.clone(),
            data: button.encode(),
        };
        let key = self.key.sign(&press, self.expires_at);
        format!("{}{}", self.base_url, press.path(&key))
    }
}

/// The labels and URLs of the buttons of a card: one for each choice, or Undo while the
/// reader can undo their answer.
/// `None` if they could not answer the card whole: several questions, several choices at once, more than `max`
/// choices, a card without choices, or a server without URLs.
pub(crate) fn url_buttons(card: &Card, max: usize) -> Option<Vec<(String, String)>> {
    let links = card.press_links.as_ref()?;
    let url = |press: Press| links.url(&card.button(press));
    if let CardState::Held { is_own, .. } = card.state {
        if !is_own {
            return None;
        }
        let label = card.reader.locale.text("channel-undo", &[]);
        return Some(vec![(label, url(Press::Undo))]);
    }
    let [question] = card.questions.questions() else {
        return None;
    };
    let choices = question.choices();
    if !card.is_answerable() || !question.takes_one_choice() || choices.len() > max {
        return None;
    }
    let numbered = choices.iter().enumerate().map(|(choice, shown)| {
        let question = 0;
        (card.label(shown), url(Press::Choose { question, choice }))
    });
    Some(numbered.collect())
}

/// The buttons of all messages that are URLs.
#[derive(Clone)]
pub struct UrlPresses {
    pub(crate) shared: Arc<Shared>,
}

impl UrlPresses {
    /// Whether the key of the URL of a button is ours, for this button, and not expired.
    pub fn verifies(&self, press: &SignedPress, key: &str) -> bool {
        let now = self.shared.engine.clock().now();
        let config = self.shared.config();
        let urls = config.press_urls.as_ref();
        urls.is_some_and(|urls| urls.key.verify(press, key, now))
    }

    /// The path that undoes what the URL of a button has done, for the same recipient.
    pub fn undo_path(&self, press: &SignedPress, key: &str) -> Option<String> {
        let now = self.shared.engine.clock().now();
        let config = self.shared.config();
        let urls = config.press_urls.as_ref()?;
        urls.key.undo_path(press, key, now)
    }

    /// Presses the button of a URL, as the recipient that its key was made for. `None` if the key is wrong, or
    /// if the channel or the account of the recipient is no longer configured.
    pub async fn press(
        &self,
        press: &SignedPress,
        key: &str,
    ) -> Option<Result<Feedback, HandlerError>> {
        if !self.verifies(press, key) {
            return None;
        }
        let config = self.shared.config();
        let channel = config.channels.get(&press.channel)?;
        let person = config.recipients.people.get(&press.recipient)?;
        let mut identities = person.identities.iter();
        let identity = identities.find(|identity| identity.service() == channel.service);
        let identity = match identity {
            Some(identity) => identity.clone(),
            None => match self.linked_identity(press).await {
                Ok(identity) => identity?,
                Err(error) => return Some(Err(error.into())),
            },
        };
        let account = account_id(identity.as_str());
        let mut known = configured_accounts(channel, &press.recipient, person).into_iter();
        let known = known.find(|known| known.address.0 == account);
        let address = known.map_or_else(|| account.to_owned(), |known| known.stored);
        let incoming = Incoming {
            address: Address(address),
            identity,
            message: None,
            action: IncomingAction::Press {
                data: press.data.clone(),
            },
        };
        let shared = Arc::clone(&self.shared);
        let handler = ChannelHandler {
            proof: Proof::Url,
            ..ChannelHandler::new(shared, press.channel.clone(), channel.clone())
        };
        Some(handler.handle(incoming).await)
    }

    /// One of the accounts that the recipient of a button has linked.
    async fn linked_identity(&self, press: &SignedPress) -> Result<Option<Identity>, StoreError> {
        let accounts = self.shared.accounts.linked_of(&press.recipient).await?;
        let mut here = accounts.iter().filter(|it| it.channel == press.channel);
        Ok(here.find_map(|account| Identity::parse(&account.identity)))
    }
}

#[cfg(test)]
#[path = "press_link_tests.rs"]
mod tests;

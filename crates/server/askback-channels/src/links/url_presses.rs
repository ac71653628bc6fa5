//! Presses the buttons whose URLs are opened.

use std::sync::Arc;

use askback_core::identity::Identity;
use askback_store::StoreError;

use crate::answer::handle_incoming::{ChannelHandler, Proof};
use crate::contract::channel::Address;
use crate::contract::feedback::Feedback;
use crate::contract::incoming::{HandlerError, Incoming, IncomingAction, IncomingHandler};
use crate::dispatcher::Shared;
use crate::links::press_link::SignedPress;
use crate::people::stored_address::{account_id, configured_accounts};

/// The buttons of all messages that are URLs.
#[derive(Clone)]
pub struct UrlPresses {
    shared: Arc<Shared>,
}

impl UrlPresses {
    pub(crate) fn new(shared: Arc<Shared>) -> UrlPresses {
        UrlPresses { shared }
    }

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

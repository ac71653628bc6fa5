//! Web Push: notifications of the browser, also while no page is open. No account and no configuration: a person
//! presses a button in the page, and the push service of their browser carries what only the browser can
//! read.
//!
//! An address is the id of a subscription, which is a linked account of its recipient. A question with at most
//! two choices has a button for each: the service worker of the page sends it to our server, with a key
//! for this recipient, this inquiry and this choice ([`crate::PressLinks`]).

mod encrypt;
mod endpoint;
mod payload;
mod vapid;

use std::sync::{Arc, LazyLock};

use askback_core::outcome::Surface;
use askback_store::{Store, StoreError};
use jiff::Timestamp;
use reqwest::{Client, StatusCode};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::card::Card;
use crate::card::clip::clip_graphemes;
use crate::contract::channel::{
    Address, Attention, Channel, ChannelFuture, MessageId, Rendered, SendError,
};
use crate::people::account::{BrowserSubscription, account_at};
use crate::provider::base_url::BaseUrl;
use crate::provider::base64url;
use crate::provider::http::ConfigError;
use crate::provider::http::{REQUEST_TIMEOUT, client_builder, request_error, successful_body};
use crate::state::ChannelState;

use encrypt::{BrowserKeys, encrypt};
use endpoint::{PublicResolver, checked_endpoint};
use payload::{TITLE_UNITS_MAX, payload, thread_text_tag, topic};

pub use endpoint::EndpointError;
pub(crate) use vapid::VapidKey;

/// The name of the channel, and of its accounts.
pub const WEBPUSH: &str = "webpush";
/// How long a push service keeps a message for a browser that it cannot reach: a week, in seconds.
const TTL: &str = "604800";
/// Whom a push service may write to if the operator names nobody. Some services refuse a token without it.
const NO_CONTACT: &str = "mailto:askback@example.com";

/// The settings of the channel `webpush`.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WebPushConfig {
    /// `false` takes the button out of the pages.
    pub enabled: bool,
    /// Whom a push service may write to about problems: `mailto:` or `https:`.
    pub contact: Option<String>,
    /// Accepts subscriptions at this address in addition, also if it is on this machine. For tests.
    pub base_url: Option<String>,
}

impl Default for WebPushConfig {
    fn default() -> WebPushConfig {
        WebPushConfig {
            enabled: true,
            contact: None,
            base_url: None,
        }
    }
}

/// Notifications in the browsers of people who have subscribed.
pub struct WebPush {
    /// Made for the first message: reading the root certificates takes a quarter of what starting a server takes.
    client: LazyLock<Result<Client, reqwest::Error>>,
    base: Option<BaseUrl>,
    contact: String,
    store: Arc<dyn Store>,
}

impl WebPush {
    /// Checks the settings. Keys and subscriptions are in the store.
    pub fn new(config: &WebPushConfig, store: Arc<dyn Store>) -> Result<Self, ConfigError> {
        let contact = config.contact.clone();
        let contact = contact.unwrap_or_else(|| NO_CONTACT.to_owned());
        if !contact.starts_with("mailto:") && !contact.starts_with("https:") {
            return Err(ConfigError::Setting(
                "contact must begin with mailto: or https:",
            ));
        }
        let base = config.base_url.as_deref().map(BaseUrl::parse).transpose()?;
        Ok(WebPush {
            client: LazyLock::new(push_client),
            base,
            contact,
            store,
        })
    }

    /// Why nothing can be sent to this subscription, if so.
    pub(crate) fn check_subscription(
        &self,
        subscription: &BrowserSubscription,
    ) -> Result<(), EndpointError> {
        checked_endpoint(&subscription.endpoint, self.base.as_ref())?;
        match encrypted(subscription, b"") {
            Some(_) => Ok(()),
            None => Err(EndpointError::Keys),
        }
    }

    /// Encrypts a message and hands it to the push service of the browser.
    async fn push(&self, to: &Address, message: &Value, is_silent: bool) -> Result<(), SendError> {
        let store = self.store.as_ref();
        let found = ChannelState(store).get(account_at(WEBPUSH, &to.0)).await;
        let account = found.map_err(|error| store_failed(&error))?;
        let Some(subscription) = account.and_then(|account| account.subscription) else {
            return Err(SendError::MessageGone);
        };
        let refused = |error: EndpointError| SendError::permanent(error.to_string());
        let url = checked_endpoint(&subscription.endpoint, self.base.as_ref()).map_err(refused)?;
        let key = VapidKey::named(store, &subscription.vapid).await;
        let Some(key) = key.map_err(|error| store_failed(&error))? else {
            let why = "the key of the subscription is missing: subscribe again in the browser";
            return Err(SendError::permanent(why));
        };
        let origin = url.origin().ascii_serialization();
        let authorization = key.authorization(&origin, &self.contact, Timestamp::now());
        let body = encrypted(&subscription, message.to_string().as_bytes());
        let (Some(authorization), Some(body)) = (authorization, body) else {
            return Err(SendError::permanent("the message cannot be encrypted"));
        };
        let client = self.client.as_ref();
        let request = client
            .map_err(|error| SendError::temporary(error.to_string()))?
            .post(url)
            .header("authorization", authorization)
            .header("content-encoding", "aes128gcm")
            .header("content-type", "application/octet-stream")
            .header("ttl", TTL)
            .header("urgency", if is_silent { "normal" } else { "high" })
            .header("topic", topic(message))
            .body(body);
        let response = request.send().await.map_err(request_error)?;
        match response.status() {
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                let removed = ChannelState(store).remove(account_at(WEBPUSH, &to.0)).await;
                removed.map_err(|error| store_failed(&error))?;
                Err(SendError::MessageGone)
            }
            // Each browser has a push service of its own: one that refuses us must not stop the others.
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                let why = "the push service refuses our signature: check the clock of this machine";
                Err(SendError::temporary(why))
            }
            _ => successful_body(response).await.map(drop),
        }
    }
}

fn push_client() -> Result<Client, reqwest::Error> {
    client_builder(REQUEST_TIMEOUT)
        // A proxy would resolve names itself, also to addresses that are not public.
        .no_proxy()
        .dns_resolver(Arc::new(PublicResolver))
        .build()
}

fn encrypted(subscription: &BrowserSubscription, text: &[u8]) -> Option<Vec<u8>> {
    let public = base64url::decode(&subscription.p256dh)?;
    let auth = base64url::decode(&subscription.auth).filter(|auth| auth.len() == 16)?;
    let browser = BrowserKeys {
        public: &public,
        auth: &auth,
    };
    encrypt(&browser, text)
}

fn store_failed(error: &StoreError) -> SendError {
    SendError::temporary(format!("cannot read the subscription: {error}"))
}

fn tag_of(message: &Value) -> MessageId {
    MessageId(message["tag"].as_str().unwrap_or_default().to_owned())
}

impl Channel for WebPush {
    fn surface(&self) -> Surface {
        Surface::Push
    }

    fn render(&self, card: &Card) -> Rendered {
        // What has no buttons opens a page of the browser's own.
        Rendered {
            body: payload(card),
            is_answerable: card.is_answerable(),
        }
    }

    fn send<'a>(
        &'a self,
        to: &'a Address,
        message: &'a Rendered,
        attention: Attention,
    ) -> ChannelFuture<'a, Result<MessageId, SendError>> {
        Box::pin(async move {
            let is_silent = attention == Attention::Silent;
            let mut body = message.body.clone();
            body["silent"] = Value::from(is_silent);
            self.push(to, &body, is_silent).await?;
            Ok(tag_of(&body))
        })
    }

    /// A notification with the same tag replaces the one that is shown.
    fn edit<'a>(
        &'a self,
        to: &'a Address,
        _id: &'a MessageId,
        message: &'a Rendered,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            let mut body = message.body.clone();
            body["silent"] = Value::from(true);
            self.push(to, &body, true).await
        })
    }

    /// A notification of its own, so that the first one keeps its buttons. It is closed with the first.
    fn send_thread_text<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        text: &'a str,
        attention: Attention,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            let is_silent = attention == Attention::Silent;
            let body = json!({
                "tag": thread_text_tag(&id.0),
                "title": clip_graphemes(text, TITLE_UNITS_MAX),
                "url": format!("/inbox#{}", id.0),
                "silent": is_silent,
            });
            self.push(to, &body, is_silent).await
        })
    }

    fn check(&self) -> ChannelFuture<'_, Result<String, SendError>> {
        Box::pin(std::future::ready(Ok("Web Push".to_owned())))
    }
}

#[cfg(test)]
#[path = "webpush_tests.rs"]
mod tests;

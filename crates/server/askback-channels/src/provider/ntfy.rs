//! Notifications on a phone through ntfy, without an account.
//!
//! A question with at most three choices has a button for each: the phone sends a request to our server,
//! with a key for this recipient, this inquiry and this choice ([`crate::PressLinks`]). Every other
//! question has the link. The topic proves nothing about who presses, so the key does.

use std::path::PathBuf;

use askback_core::outcome::Surface;
use reqwest::{Client, RequestBuilder};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::card::Card;
use crate::card::clip::clip_graphemes;
use crate::contract::channel::{
    Address, Attention, Channel, ChannelFuture, MessageId, Rendered, SendError,
};
use crate::links::press_link::url_buttons;
use crate::provider::base_url::BaseUrl;
use crate::provider::http::{ConfigError, REQUEST_TIMEOUT, client, request_error, successful_body};
use crate::provider::secret::{Secret, TokenSource, read_secret, secret_source};

/// ntfy turns a longer message into an attachment.
const MESSAGE_BYTES_MAX: usize = 4096;
const TITLE_UNITS_MAX: usize = 200;
/// What ntfy takes.
const ACTIONS_MAX: usize = 3;
/// The whole label is in the text.
const LABEL_UNITS_MAX: usize = 40;
/// Neither sound nor vibration.
const QUIET_PRIORITY: u8 = 2;

/// The settings of a channel of the kind `ntfy`. The address of a recipient is a topic.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NtfyConfig {
    /// The server. By default `https://ntfy.sh`.
    pub base_url: Option<String>,
    /// The environment variable with the access token.
    pub token_env: Option<String>,
    /// The file with the access token, with mode 600.
    pub token_file: Option<PathBuf>,
    /// The access token itself. A server that lets everybody publish needs none.
    pub token: Option<Secret>,
}

/// A server of ntfy.
pub struct Ntfy {
    client: Client,
    base: BaseUrl,
    token: Option<TokenSource>,
}

impl Ntfy {
    /// Checks the settings. The token is read when it is used.
    pub fn new(config: &NtfyConfig) -> Result<Ntfy, ConfigError> {
        let base = BaseUrl::parse(config.base_url.as_deref().unwrap_or("https://ntfy.sh"))?;
        let token = secret_source(
            config.token_env.as_deref(),
            config.token_file.as_deref(),
            config.token.as_ref(),
        );
        Ok(Ntfy {
            client: client(Some(&base), REQUEST_TIMEOUT)?,
            base,
            token,
        })
    }

    fn authorized(&self, request: RequestBuilder) -> Result<RequestBuilder, SendError> {
        let Some(source) = &self.token else {
            return Ok(request);
        };
        Ok(request.bearer_auth(read_secret(source)?))
    }

    async fn publish(&self, to: &Address, mut body: Value) -> Result<(), SendError> {
        body["topic"] = to.0.as_str().into();
        let request = self.client.post(self.base.as_str()).json(&body);
        let response = self.authorized(request)?.send().await;
        let body = successful_body(response.map_err(request_error)?).await?;
        let is_message = serde_json::from_str::<Value>(&body)
            .is_ok_and(|body| body.get("id").is_some_and(Value::is_string));
        if is_message {
            Ok(())
        } else {
            let text = "the response is not one of ntfy: check base_url";
            Err(SendError::temporary(text))
        }
    }
}

impl Channel for Ntfy {
    fn surface(&self) -> Surface {
        Surface::Ntfy
    }

    fn has_secret_addresses(&self) -> bool {
        true
    }

    fn needs_links(&self) -> bool {
        true
    }

    fn render(&self, card: &Card) -> Rendered {
        let mut message = json!({
            "title": clip_graphemes(&card.title(), TITLE_UNITS_MAX),
            "message": message_text(card),
            "sequence_id": sequence_id(card),
        });
        let fields = [
            ("click", card.link.clone().map(Value::from)),
            ("actions", actions(card).map(Value::from)),
        ];
        for (name, value) in fields {
            if let Some(value) = value {
                message[name] = value;
            }
        }
        Rendered {
            is_answerable: card.is_answerable() && message.get("actions").is_some(),
            body: message,
        }
    }

    fn send<'a>(
        &'a self,
        to: &'a Address,
        message: &'a Rendered,
        attention: Attention,
    ) -> ChannelFuture<'a, Result<MessageId, SendError>> {
        Box::pin(async move {
            let id = message.body["sequence_id"].as_str().unwrap_or_default();
            self.publish(to, with_sound(&message.body, attention))
                .await?;
            Ok(MessageId(id.to_owned()))
        })
    }

    /// Publishes again with the same sequence id. A server before 2.16 shows it as a second, quiet
    /// notification.
    fn edit<'a>(
        &'a self,
        to: &'a Address,
        _id: &'a MessageId,
        message: &'a Rendered,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(self.publish(to, with_sound(&message.body, Attention::Silent)))
    }

    /// A notification of its own: ntfy has no replies, and the first one must keep its buttons.
    fn send_thread_text<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        text: &'a str,
        attention: Attention,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        let body = json!({ "message": text, "sequence_id": format!("{}-reply", id.0) });
        Box::pin(self.publish(to, with_sound(&body, attention)))
    }

    fn check(&self) -> ChannelFuture<'_, Result<String, SendError>> {
        Box::pin(async move {
            let request = self.client.get(format!("{}/v1/health", self.base.as_str()));
            let response = self.authorized(request)?.send().await;
            let body = successful_body(response.map_err(request_error)?).await?;
            match serde_json::from_str::<Value>(&body) {
                Ok(health) if health["healthy"] == true => {
                    Ok(format!("ntfy at {}", self.base.host()))
                }
                Ok(_) | Err(_) => {
                    let text = "the server is not ntfy, or not healthy: check base_url";
                    Err(SendError::temporary(text))
                }
            }
        })
    }
}

/// The message, silent if it may make no sound.
fn with_sound(message: &Value, attention: Attention) -> Value {
    let mut message = message.clone();
    if attention == Attention::Silent {
        message["priority"] = QUIET_PRIORITY.into();
    }
    message
}

/// The same for every copy of a message, so that one that is sent twice replaces itself. Recipients who
/// share a topic have different keys, and so different messages.
fn sequence_id(card: &Card) -> String {
    let recipient = card.press_links.as_ref().map(|links| &links.recipient);
    let named = json!([card.inquiry.as_str(), recipient]);
    Rendered::notice(named).hash()
}

/// The text within the bytes that ntfy takes.
fn message_text(card: &Card) -> String {
    let mut max = MESSAGE_BYTES_MAX;
    loop {
        let text = card.whole_text(max);
        // A link that is longer than the whole message is not shown: `click` has it.
        if text.len() <= MESSAGE_BYTES_MAX || max == 0 {
            return text;
        }
        // A UTF-16 unit has at most three bytes in UTF-8.
        max = max.saturating_sub((text.len() - MESSAGE_BYTES_MAX).div_ceil(3));
    }
}

/// The buttons of the notification, if every question can be answered with them.
fn actions(card: &Card) -> Option<Vec<Value>> {
    let action = |(label, url): (String, String)| {
        json!({
            "action": "http",
            "label": clip_graphemes(&label, LABEL_UNITS_MAX),
            "url": url,
            "method": "POST",
            "clear": true,
        })
    };
    let buttons = url_buttons(card, ACTIONS_MAX)?;
    Some(buttons.into_iter().map(action).collect())
}

#[cfg(test)]
#[path = "ntfy_tests.rs"]
mod tests;

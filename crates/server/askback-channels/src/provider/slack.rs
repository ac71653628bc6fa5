//! Slack, through Socket Mode: no public address is needed.
//!
//! The whole form is in the message, so a form that somebody else has answered disappears while one looks at
//! it. See docs/decisions/0045-slack-forms-in-the-message.md.

mod api;
mod blocks;
mod envelope;
mod socket;

use std::path::PathBuf;
use std::sync::Arc;

use askback_core::outcome::Surface;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::card::Card;
use crate::contract::channel::{
    Address, Attention, Channel, ChannelFuture, MessageId, ReceiveError, Rendered, SendError,
};
use crate::contract::incoming::IncomingHandler;
use crate::provider::base_url::BaseUrl;
use crate::provider::http::ConfigError;
use crate::provider::http::{REQUEST_TIMEOUT, client};
use crate::provider::secret::secret_source;
use crate::provider::secret::{Secret, TokenSource};
use api::SlackApi;
use envelope::message_id;

/// The manifest of the app, to paste when the app is created.
pub const SLACK_MANIFEST: &str = include_str!("../../templates/slack-manifest.json");

/// The settings of a channel of the kind `slack`. The address of a recipient is the id of a member, such as
/// `U012AB3CD`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SlackConfig {
    /// The address of the API. By default `https://slack.com/api`.
    pub base_url: Option<String>,
    /// The environment variable with the token of the bot, which begins with `xoxb-`.
    pub bot_token_env: Option<String>,
    /// The file with it, with mode 600.
    pub bot_token_file: Option<PathBuf>,
    /// The token itself.
    pub bot_token: Option<Secret>,
    /// The environment variable with the token of the app, which begins with `xapp-`.
    pub app_token_env: Option<String>,
    /// The file with it, with mode 600.
    pub app_token_file: Option<PathBuf>,
    /// The token itself.
    pub app_token: Option<Secret>,
}

/// An app of Slack in one workspace.
pub struct Slack {
    api: SlackApi,
}

impl Slack {
    /// Checks the settings. Tokens are read when they are used.
    pub fn new(config: &SlackConfig) -> Result<Slack, ConfigError> {
        let base = config
            .base_url
            .as_deref()
            .unwrap_or("https://slack.com/api");
        let base = BaseUrl::parse(base)?;
        let bot_token = secret_source(
            config.bot_token_env.as_deref(),
            config.bot_token_file.as_deref(),
            config.bot_token.as_ref(),
        );
        let app_token = secret_source(
            config.app_token_env.as_deref(),
            config.app_token_file.as_deref(),
            config.app_token.as_ref(),
        );
        let api = SlackApi {
            client: client(Some(&base), REQUEST_TIMEOUT)?,
            base,
            bot_token: bot_token.ok_or(ConfigError::Setting(
                "set bot_token_env, bot_token_file or bot_token (it begins with xoxb-)",
            ))?,
            app_token: app_token.ok_or(ConfigError::Setting(
                "set app_token_env, app_token_file or app_token (it begins with xapp-)",
            ))?,
        };
        Ok(Slack { api })
    }
}

impl Channel for Slack {
    fn surface(&self) -> Surface {
        Surface::Slack
    }

    fn shows_all_questions(&self) -> bool {
        true
    }

    fn render(&self, card: &Card) -> Rendered {
        blocks::message(card)
    }

    /// Slack decides by the settings of the person whether a message makes a sound.
    fn send<'a>(
        &'a self,
        to: &'a Address,
        message: &'a Rendered,
        _attention: Attention,
    ) -> ChannelFuture<'a, Result<MessageId, SendError>> {
        Box::pin(async move {
            let mut body = message_body(message);
            body["channel"] = to.0.as_str().into();
            body["unfurl_links"] = false.into();
            body["unfurl_media"] = false.into();
            let sent = self.api.call("chat.postMessage", &body).await?;
            let named = sent["channel"].as_str().zip(sent["ts"].as_str());
            let (conversation, timestamp) = named
                .ok_or_else(|| SendError::temporary("the response of Slack names no message"))?;
            Ok(message_id(conversation, timestamp))
        })
    }

    fn edit<'a>(
        &'a self,
        _to: &'a Address,
        id: &'a MessageId,
        message: &'a Rendered,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            let (conversation, timestamp) = id.0.split_once(':').ok_or(SendError::MessageGone)?;
            let mut body = message_body(message);
            body["channel"] = conversation.into();
            body["ts"] = timestamp.into();
            self.api.call("chat.update", &body).await.map(drop)
        })
    }

    fn send_thread_text<'a>(
        &'a self,
        _to: &'a Address,
        id: &'a MessageId,
        text: &'a str,
        _attention: Attention,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            let (conversation, timestamp) = id.0.split_once(':').ok_or(SendError::MessageGone)?;
            let body = json!({
                "channel": conversation, "thread_ts": timestamp, "text": escaped(text),
                "reply_broadcast": true, "link_names": false,
                "unfurl_links": false, "unfurl_media": false,
            });
            self.api.call("chat.postMessage", &body).await.map(drop)
        })
    }

    fn receive(&self, handler: Arc<dyn IncomingHandler>) -> ChannelFuture<'_, ReceiveError> {
        Box::pin(async move { socket::receive(&self.api, &handler).await })
    }

    fn receiving_secret(&self) -> Option<&TokenSource> {
        Some(&self.api.app_token)
    }

    fn check(&self) -> ChannelFuture<'_, Result<String, SendError>> {
        Box::pin(async move {
            let who = self.api.call("auth.test", &json!({})).await?;
            self.api.open_socket().await?;
            let name = |field: &str| who[field].as_str().unwrap_or("?").to_owned();
            Ok(format!("{} in {}", name("user"), name("team")))
        })
    }
}

/// The rendered message; its `text` for notifications is escaped, since it is no `plain_text` object.
fn message_body(message: &Rendered) -> Value {
    let mut body = message.body.clone();
    body["text"] = escaped(body["text"].as_str().unwrap_or_default()).into();
    body["link_names"] = false.into();
    body
}

/// Mentions and links begin with `<`, so none is left after this.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
#[path = "slack_tests.rs"]
mod tests;

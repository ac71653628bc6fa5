//! Telegram: messages of a bot with buttons, received by long polling, so that no public address is needed.

mod api;
mod position;
mod render;
mod update;

use std::path::PathBuf;
use std::sync::Arc;

use askback_core::outcome::Surface;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::card::Card;
use crate::card::clip::clip_graphemes;
use crate::contract::channel::{
    Address, Attention, Channel, ChannelFuture, MessageId, ReceiveError, Rendered, SendError,
};
use crate::contract::feedback::Feedback;
use crate::contract::incoming::{IncomingAction, IncomingHandler};
use crate::provider::base_url::BaseUrl;
use crate::provider::http::ConfigError;
use crate::provider::http::{REQUEST_TIMEOUT, client};
use crate::provider::secret::secret_source;
use crate::provider::secret::{Secret, TokenSource};

use api::Api;
use position::Position;
use update::{Update, read_update};

/// The most characters of the text that a press is answered with.
const TOAST_UNITS_MAX: usize = 200;
/// The most characters of what an empty field shows.
const PLACEHOLDER_UNITS_MAX: usize = 64;
/// The most characters of a message.
const TEXT_UNITS_MAX: usize = 4096;

/// The settings of a channel of the kind `telegram`. The address of a recipient is the id of a chat.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TelegramConfig {
    /// The address of the Bot API. By default `https://api.telegram.org`.
    pub base_url: Option<String>,
    /// The environment variable with the token of the bot.
    pub token_env: Option<String>,
    /// The file with it, with mode 600.
    pub token_file: Option<PathBuf>,
    /// The token itself.
    pub token: Option<Secret>,
}

/// A bot.
pub struct Telegram {
    api: Api,
}

impl Telegram {
    /// Checks the settings. The token is read when it is used.
    pub fn new(config: &TelegramConfig) -> Result<Telegram, ConfigError> {
        let base = config.base_url.as_deref();
        let base = BaseUrl::parse(base.unwrap_or("https://api.telegram.org"))?;
        let token = secret_source(
            config.token_env.as_deref(),
            config.token_file.as_deref(),
            config.token.as_ref(),
        );
        let api = Api {
            client: client(Some(&base), REQUEST_TIMEOUT)?,
            base,
            token: token.ok_or(ConfigError::Setting(
                "set token_env, token_file or token, as @BotFather gives it",
            ))?,
        };
        Ok(Telegram { api })
    }

    async fn poll(&self, handler: &dyn IncomingHandler) -> Result<(), ReceiveError> {
        let info = self.api.call("getWebhookInfo", &json!({})).await?;
        if info["url"].as_str().is_some_and(|url| !url.is_empty()) {
            let why = "the bot has a webhook, which excludes receiving here: delete it, or use another bot";
            return Err(ReceiveError::refused(why));
        }
        // The first updates may take as long as Telegram waits for them.
        handler.mark_reachable();
        let stored = handler.position().await?;
        let mut position = Position::read(stored.as_deref());
        loop {
            let (bot, mut updates) = self.api.updates(&position).await?;
            handler.mark_healthy();
            position.received(&bot, &updates);
            updates.sort_by_key(|update| update["update_id"].as_i64());
            for update in updates {
                if position.is_handled(&update) {
                    continue;
                }
                self.handle(read_update(&update), handler).await?;
                // What was decided is on disk by now: after a crash just before this it is received again, and has
                // no second effect.
                position.add(&update);
                let json = position.to_json();
                let json = json.map_err(|error| ReceiveError::temporary(error.to_string()))?;
                handler.set_position(json).await?;
            }
        }
    }

    async fn handle(
        &self,
        update: Update,
        handler: &dyn IncomingHandler,
    ) -> Result<(), ReceiveError> {
        let Some(incoming) = update.incoming else {
            return Ok(());
        };
        let address = incoming.address.clone();
        let is_text = !matches!(incoming.action, IncomingAction::Press { .. });
        let feedback = handler.handle(incoming).await?;
        if let Some(query) = update.callback_query {
            self.acknowledge(&query, &feedback).await;
        } else if is_text && feedback.prompt.is_none() && !feedback.text.is_empty() {
            self.say(&address, &feedback.text).await;
        }
        if let Some(prompt) = &feedback.prompt {
            let placeholder = prompt.placeholder.as_deref();
            let placeholder = placeholder.map(|text| clip_graphemes(text, PLACEHOLDER_UNITS_MAX));
            let message = json!({
                "chat_id": address.0,
                "text": clip_graphemes(&prompt.text, TEXT_UNITS_MAX),
                "reply_markup": {
                    "force_reply": true,
                    "selective": true,
                    "input_field_placeholder": placeholder,
                },
            });
            match self.api.call("sendMessage", &message).await {
                Ok(sent) => {
                    let id = MessageId(sent["message_id"].to_string());
                    handler.prompt_shown(&address, prompt, id).await?;
                }
                Err(error) => tracing::warn!(%error, "cannot ask for text in Telegram"),
            }
        }
        Ok(())
    }

    /// Ends the spinner of a press. It may come too late, which is no error: the message is edited anyway.
    async fn acknowledge(&self, query: &str, feedback: &Feedback) {
        let answer = json!({
            "callback_query_id": query,
            "text": clip_graphemes(&feedback.text, TOAST_UNITS_MAX),
            "show_alert": feedback.is_alert(),
        });
        if let Err(error) = self.api.call("answerCallbackQuery", &answer).await {
            tracing::debug!(%error, "cannot acknowledge a press in Telegram");
        }
    }

    async fn say(&self, to: &Address, text: &str) {
        let message = json!({ "chat_id": to.0, "text": clip_graphemes(text, TEXT_UNITS_MAX) });
        if let Err(error) = self.api.call("sendMessage", &message).await {
            tracing::warn!(%error, "cannot answer in Telegram");
        }
    }
}

impl Channel for Telegram {
    fn surface(&self) -> Surface {
        Surface::Telegram
    }

    fn render(&self, card: &Card) -> Rendered {
        render::render(card)
    }

    fn send<'a>(
        &'a self,
        to: &'a Address,
        message: &'a Rendered,
        attention: Attention,
    ) -> ChannelFuture<'a, Result<MessageId, SendError>> {
        Box::pin(async move {
            let mut body = message.body.clone();
            body["chat_id"] = json!(to.0);
            body["disable_notification"] = json!(attention == Attention::Silent);
            let sent = self.api.call("sendMessage", &body).await?;
            match sent["message_id"].as_i64() {
                Some(id) => Ok(MessageId(id.to_string())),
                None => Err(SendError::temporary("Telegram sent no message id")),
            }
        })
    }

    fn edit<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        message: &'a Rendered,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            let mut body = message.body.clone();
            body["chat_id"] = json!(to.0);
            body["message_id"] = id.0.parse::<i64>().map_or(Value::Null, |id| json!(id));
            self.api.call("editMessageText", &body).await.map(drop)
        })
    }

    fn send_thread_text<'a>(
        &'a self,
        to: &'a Address,
        id: &'a MessageId,
        text: &'a str,
        attention: Attention,
    ) -> ChannelFuture<'a, Result<(), SendError>> {
        Box::pin(async move {
            let body = json!({
                "chat_id": to.0,
                "text": clip_graphemes(text, TEXT_UNITS_MAX),
                "link_preview_options": { "is_disabled": true },
                "reply_parameters": { "message_id": id.0.parse::<i64>().unwrap_or_default() },
                "disable_notification": attention == Attention::Silent,
            });
            self.api.call("sendMessage", &body).await.map(drop)
        })
    }

    fn receive(&self, handler: Arc<dyn IncomingHandler>) -> ChannelFuture<'_, ReceiveError> {
        Box::pin(async move {
            match self.poll(handler.as_ref()).await {
                Ok(()) => ReceiveError::temporary("receiving ended"),
                Err(error) => error,
            }
        })
    }

    fn receiving_secret(&self) -> Option<&TokenSource> {
        Some(&self.api.token)
    }

    fn check(&self) -> ChannelFuture<'_, Result<String, SendError>> {
        Box::pin(async move {
            let me = self.api.call("getMe", &json!({})).await?;
            Ok(format!("@{}", me["username"].as_str().unwrap_or("?")))
        })
    }
}

#[cfg(test)]
#[path = "telegram/receive_tests.rs"]
mod receive_tests;
#[cfg(test)]
#[path = "telegram/render_tests.rs"]
mod render_tests;

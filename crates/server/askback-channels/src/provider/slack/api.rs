//! The Web API of Slack. A failure has status 200 too: `ok` says whether it worked.

use reqwest::Client;
use serde_json::Value;

use crate::contract::channel::SendError;
use crate::provider::base_url::BaseUrl;
use crate::provider::http::{request_error, successful_body};
use crate::provider::secret::{TokenSource, read_secret};

/// One workspace.
#[derive(Clone)]
pub(super) struct SlackApi {
    pub(super) client: Client,
    pub(super) base: BaseUrl,
    pub(super) bot_token: TokenSource,
    pub(super) app_token: TokenSource,
}

impl SlackApi {
    /// Calls a method with the token of the bot.
    pub(super) async fn call(&self, method: &str, body: &Value) -> Result<Value, SendError> {
        self.call_as(&self.bot_token, method, body).await
    }

    /// The URL of a new socket.
    pub(super) async fn open_socket(&self) -> Result<String, SendError> {
        let opened = self.call_as(&self.app_token, "apps.connections.open", &Value::Null);
        let opened = opened.await?;
        let url = opened["url"].as_str().unwrap_or_default();
        let is_plain = url.starts_with("ws://") && self.base.is_loopback();
        if url.starts_with("wss://") || is_plain {
            return Ok(url.to_owned());
        }
        Err(unreadable())
    }

    async fn call_as(
        &self,
        token: &TokenSource,
        method: &str,
        body: &Value,
    ) -> Result<Value, SendError> {
        let token = read_secret(token)?;
        let url = format!("{}/{method}", self.base.as_str());
        let mut request = self.client.post(url).bearer_auth(token);
        if !body.is_null() {
            request = request.json(body);
        }
        let response = request.send().await.map_err(request_error)?;
        let body = successful_body(response).await?;
        let body: Value = serde_json::from_str(&body).map_err(|_| unreadable())?;
        match (body["ok"].as_bool(), body["error"].as_str()) {
            (Some(true), _) => Ok(body),
            (Some(false), Some(error)) => Err(api_error(error)),
            _ => Err(unreadable()),
        }
    }
}

fn unreadable() -> SendError {
    SendError::temporary("the response is not one of Slack: check base_url")
}

/// What an error of Slack means for a message.
fn api_error(error: &str) -> SendError {
    let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let code: String = error.chars().filter(|c| known(*c)).take(60).collect();
    let text = format!("Slack says {code}");
    match code.as_str() {
        "invalid_auth"
        | "not_authed"
        | "account_inactive"
        | "token_revoked"
        | "token_expired"
        | "missing_scope"
        | "not_allowed_token_type"
        | "no_permission" => {
            SendError::unauthorized(format!("{text}: check the tokens and scopes of the app"))
        }
        "message_not_found" | "cant_update_message" | "edit_window_closed" => {
            SendError::MessageGone
        }
        "channel_not_found"
        | "user_not_found"
        | "user_disabled"
        | "users_not_found"
        | "cannot_dm_bot"
        | "is_archived"
        | "not_in_channel"
        | "messages_tab_disabled"
        | "invalid_blocks"
        | "invalid_blocks_format"
        | "msg_too_long"
        | "no_text"
        | "restricted_action" => SendError::permanent(text),
        "ratelimited" | "rate_limited" => SendError::RetryAfter(std::time::Duration::from_secs(30)),
        _ => SendError::temporary(text),
    }
}

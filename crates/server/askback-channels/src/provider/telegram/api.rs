//! Calls of the Bot API. The token is part of the URL, so no error may contain a URL.

use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};

use super::position::{Position, bot_id};
use crate::card::clip::clip_graphemes;
use crate::contract::channel::SendError;
use crate::provider::base_url::BaseUrl;
use crate::provider::http::limited_body;
use crate::provider::secret::{TokenSource, read_secret};

/// How long Telegram waits for an update before it answers with none.
const POLL_SECONDS: u64 = 25;
/// How much later the request itself fails.
const POLL_MARGIN: Duration = Duration::from_secs(10);
const CALL_TIMEOUT: Duration = Duration::from_secs(20);
/// The most updates in one response.
const UPDATES_MAX: usize = 100;
/// What is kept of a reason that Telegram gives.
const DESCRIPTION_UNITS_MAX: usize = 300;
/// Twice what so many updates take, with the longest texts, each a reply to another one, and every character escaped.
const RESPONSE_BYTES_MAX: usize = 16 * 1024 * 1024;

pub(super) struct Api {
    pub(super) client: Client,
    pub(super) base: BaseUrl,
    pub(super) token: TokenSource,
}

impl Api {
    /// Waits for updates, and returns them with the id of the bot that they are for: the token can change at any time.
    /// Those of the same bot that were received before are confirmed.
    pub(super) async fn updates(
        &self,
        position: &Position,
    ) -> Result<(String, Vec<Value>), SendError> {
        let token = read_secret(&self.token)?;
        let mut body = json!({
            "limit": UPDATES_MAX,
            "timeout": POLL_SECONDS,
            "allowed_updates": ["message", "edited_message", "callback_query"],
        });
        let bot = bot_id(&token);
        if let Some(offset) = position.confirms.filter(|_| position.bot == bot) {
            body["offset"] = json!(offset);
        }
        let timeout = Duration::from_secs(POLL_SECONDS) + POLL_MARGIN;
        let updates = self.post(&token, ("getUpdates", &body), timeout).await?;
        // More than were asked for arrive again.
        let updates = updates.as_array().into_iter().flatten();
        let updates = updates.take(UPDATES_MAX).cloned().collect();
        Ok((bot.to_owned(), updates))
    }

    /// Calls a method and returns its result.
    pub(super) async fn call(&self, method: &str, body: &Value) -> Result<Value, SendError> {
        let token = read_secret(&self.token)?;
        self.post(&token, (method, body), CALL_TIMEOUT).await
    }

    async fn post(
        &self,
        token: &str,
        (method, body): (&str, &Value),
        timeout: Duration,
    ) -> Result<Value, SendError> {
        let url = format!("{}/bot{token}/{method}", self.base.as_str());
        let request = self.client.post(url).json(body).timeout(timeout);
        let response = request.send().await.map_err(network_error)?;
        let status = response.status().as_u16();
        let body = limited_body(response, RESPONSE_BYTES_MAX).await?;
        let response = serde_json::from_str::<Value>(&body);
        let response = response.map_err(|_| temporary("the response is not JSON"))?;
        if response["ok"] == json!(true) {
            return Ok(response["result"].clone());
        }
        let description = response["description"].as_str().unwrap_or_default();
        if description.contains("message is not modified") {
            return Ok(Value::Null);
        }
        Err(refusal(status, &response))
    }
}

fn network_error(error: reqwest::Error) -> SendError {
    let what = if error.is_timeout() {
        "no response in time"
    } else if error.is_connect() {
        "cannot connect"
    } else {
        "the connection failed"
    };
    // The error itself may contain the URL.
    drop(error);
    temporary(what)
}

fn temporary(what: &str) -> SendError {
    SendError::temporary(format!("Telegram: {what}"))
}

fn refusal(status: u16, response: &Value) -> SendError {
    let code = response["error_code"].as_u64().unwrap_or(status.into());
    let description = response["description"]
        .as_str()
        .unwrap_or("no reason given");
    let shown = clip_graphemes(description, DESCRIPTION_UNITS_MAX);
    let said = format!("Telegram: {shown}");
    match code {
        401 | 404 => SendError::unauthorized("Telegram refuses the token of the bot"),
        409 => SendError::unauthorized(
            "another program receives the messages of this bot: use one bot for each server",
        ),
        429 => {
            let seconds = response["parameters"]["retry_after"].as_u64().unwrap_or(5);
            SendError::RetryAfter(Duration::from_secs(seconds))
        }
        400 if description.contains("message to edit not found")
            || description.contains("message can't be edited") =>
        {
            SendError::MessageGone
        }
        400 | 403 => SendError::permanent(said),
        _ => SendError::temporary(said),
    }
}

//! Calls of the Bot API. The token is part of the URL, so no error may contain a URL.

use std::time::Duration;

use reqwest::{Client, Url};
use serde_json::{Value, json};

use crate::channel::SendError;
use crate::secret::TokenSource;

const BASE_URL: &str = "https://api.telegram.org";
/// How long Telegram waits for an update before it answers with none.
const POLL_SECONDS: u64 = 25;
/// How much later the request itself fails.
const POLL_MARGIN: Duration = Duration::from_secs(10);
const CALL_TIMEOUT: Duration = Duration::from_secs(20);
/// The most updates in one response.
const UPDATES_MAX: u64 = 100;

pub(super) struct Api {
    client: Client,
    base: Url,
    token: TokenSource,
}

impl Api {
    pub(super) fn new(token: TokenSource, base_url: Option<&str>) -> Result<Api, String> {
        let base = base_url.unwrap_or(BASE_URL);
        let refused = || format!("{base:?} is no https URL of a Bot API server");
        let base: Url = base.parse().map_err(|_| refused())?;
        let host = base.host_str().unwrap_or_default();
        let is_local = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
        if base.scheme() != "https" && !(base.scheme() == "http" && is_local) {
            return Err(refused());
        }
        // Another library may have installed one before.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder().redirect(reqwest::redirect::Policy::none());
        let client = if is_local { client.no_proxy() } else { client };
        let client = client
            .build()
            .map_err(|error| error.without_url().to_string())?;
        Ok(Api {
            client,
            base,
            token,
        })
    }

    /// Waits for updates from `offset` on.
    pub(super) async fn updates(&self, offset: i64) -> Result<Value, SendError> {
        let body = json!({
            "offset": offset,
            "limit": UPDATES_MAX,
            "timeout": POLL_SECONDS,
            "allowed_updates": ["message", "callback_query"],
        });
        let timeout = Duration::from_secs(POLL_SECONDS) + POLL_MARGIN;
        self.post("getUpdates", &body, timeout).await
    }

    /// Calls a method and returns its result.
    pub(super) async fn call(&self, method: &str, body: &Value) -> Result<Value, SendError> {
        self.post(method, body, CALL_TIMEOUT).await
    }

    async fn post(
        &self,
        method: &str,
        body: &Value,
        timeout: Duration,
    ) -> Result<Value, SendError> {
        let token = self.token.read().map_err(SendError::Unauthorized)?;
        let mut url = self.base.clone();
        let path = format!("{}/bot{token}/{method}", url.path().trim_end_matches('/'));
        url.set_path(&path);
        let request = self.client.post(url).json(body).timeout(timeout);
        let response = request.send().await.map_err(network_error)?;
        let status = response.status().as_u16();
        let reply = response.json::<Value>().await.map_err(network_error)?;
        if reply["ok"] == json!(true) {
            return Ok(reply["result"].clone());
        }
        let description = reply["description"].as_str().unwrap_or_default();
        if description.contains("message is not modified") {
            return Ok(Value::Null);
        }
        Err(refusal(status, &reply))
    }
}

fn network_error(error: reqwest::Error) -> SendError {
    let what = if error.is_timeout() {
        "no response in time"
    } else if error.is_connect() {
        "cannot connect"
    } else if error.is_decode() {
        "the response is not JSON"
    } else {
        "the connection failed"
    };
    // The error itself may contain the URL.
    drop(error);
    SendError::Temporary(format!("Telegram: {what}"))
}

fn refusal(status: u16, reply: &Value) -> SendError {
    let code = reply["error_code"].as_u64().unwrap_or(status.into());
    let description = reply["description"].as_str().unwrap_or("no reason given");
    let said = format!("Telegram: {description}");
    match code {
        401 | 404 => SendError::Unauthorized("Telegram refuses the token of the bot".to_owned()),
        409 => SendError::Unauthorized(
            "another program receives the messages of this bot: use one bot for each server"
                .to_owned(),
        ),
        429 => {
            let seconds = reply["parameters"]["retry_after"].as_u64().unwrap_or(5);
            SendError::RetryAfter(Duration::from_secs(seconds))
        }
        400 if description.contains("message to edit not found")
            || description.contains("message can't be edited") =>
        {
            SendError::MessageGone
        }
        400 | 403 => SendError::Permanent(said),
        _ => SendError::Temporary(said),
    }
}

//! Tells the outside about outcomes, signed so that the receiver knows who sent it.

use std::time::Duration;

use askback_engine::ports::{PortFuture, Webhooks};
use jiff::Timestamp;

use crate::auth::{Token, hex};

/// How long a receiver may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sends webhooks over HTTP.
pub struct HttpWebhooks {
    client: reqwest::Client,
    token: Token,
}

impl HttpWebhooks {
    /// Signs with the server's token.
    pub fn new(token: Token) -> Result<HttpWebhooks, reqwest::Error> {
        askback_api::client::install_crypto();
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(HttpWebhooks { client, token })
    }
}

impl Webhooks for HttpWebhooks {
    /// The signature is the HMAC-SHA256 of `timestamp.body` with the server's token as its key.
    fn deliver<'a>(&'a self, url: &'a str, body: &'a str) -> PortFuture<'a, bool> {
        Box::pin(async move {
            let at = Timestamp::now().as_second();
            let signature = hex(&self.token.sign(format!("{at}.{body}").as_bytes()));
            let sent = self
                .client
                .post(url)
                .header("content-type", "application/json")
                .header("askback-signature", format!("t={at},v1={signature}"))
                .body(body.to_owned())
                .send()
                .await;
            match sent {
                Ok(response) if response.status().is_success() => true,
                Ok(response) => {
                    tracing::info!(
                        status = response.status().as_u16(),
                        "a webhook was not taken"
                    );
                    false
                }
                Err(error) => {
                    tracing::info!(error = %error.without_url(), "a webhook could not be sent");
                    false
                }
            }
        })
    }
}

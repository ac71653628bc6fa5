//! Delivers outcomes to webhooks, with a signature.
//!
//! Connects only to addresses that the policy permits. The resolver of each connection applies the policy to
//! the resolved addresses. Redirects are not followed, and no proxy is used, since it would resolve names
//! itself.

mod policy;
mod secret;

use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use askback_engine::ports::{PortFuture, WebhookDelivery, Webhooks};
use askback_wire::webhook::WebhookBody;
use jiff::Timestamp;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::observe::TRACEPARENT;
use crate::recipient_names::RecipientNames;
use secret::{SignatureHeaders, SignedMessage};

pub use policy::{WebhookAllow, WebhookAllowError, WebhookPolicy, WebhookRefusal};
pub use secret::{WebhookSecretError, WebhookSecrets};

/// For one attempt.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(10);

/// Sends webhooks over HTTP.
pub struct HttpWebhooks {
    /// Made for the first delivery: reading the root certificates takes a quarter of what starting a server takes.
    client: OnceLock<reqwest::Client>,
    policy: Arc<WebhookPolicy>,
    secrets: WebhookSecrets,
    names: RecipientNames,
}

impl HttpWebhooks {
    /// Connects to nobody, and reads no certificates yet.
    pub fn new(
        policy: Arc<WebhookPolicy>,
        secrets: WebhookSecrets,
        names: RecipientNames,
    ) -> HttpWebhooks {
        HttpWebhooks {
            client: OnceLock::new(),
            policy,
            secrets,
            names,
        }
    }

    /// On a machine without root certificates, as in small containers, webhooks over HTTPS fail and all else works.
    fn client(&self) -> Result<&reqwest::Client, reqwest::Error> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        // TLS needs a crypto provider for the process. Fails if there is one already, which is fine.
        drop(rustls::crypto::ring::default_provider().install_default());
        let builder = || {
            reqwest::Client::builder()
                .timeout(DELIVERY_TIMEOUT)
                .redirect(reqwest::redirect::Policy::none())
                .no_proxy()
                .dns_resolver(Arc::new(PolicyResolver(Arc::clone(&self.policy))))
        };
        let client = builder()
            .build()
            .or_else(|_| builder().tls_certs_only([]).build())?;
        Ok(self.client.get_or_init(|| client))
    }

    /// The headers that prove who sends it. Reads the secret file on a blocking thread.
    async fn sign(&self, message: SignedMessage) -> Result<SignatureHeaders, String> {
        let secrets = self.secrets.clone();
        let signed = tokio::task::spawn_blocking(move || secrets.sign(&message));
        let signed = signed.await.map_err(|error| error.to_string());
        let signed = signed.and_then(|signed| signed.map_err(|error| error.to_string()));
        signed.map_err(|error| format!("it cannot be signed: {error}"))
    }

    async fn post(&self, delivery: WebhookDelivery<'_>) -> Result<(), String> {
        let url = self.policy.check(delivery.url);
        let url = url.map_err(|refusal| refusal.to_string())?;
        self.names.known().await;
        let body = WebhookBody {
            kind: delivery.event.name().to_owned(),
            inquiry: self.names.inquiry(delivery.inquiry),
        };
        let message = SignedMessage {
            id: delivery.id,
            at: Timestamp::now(),
            body: serde_json::to_string(&body).map_err(|error| error.to_string())?,
        };
        let client = self.client().map_err(|error| error.to_string())?;
        let mut request = client.post(url);
        request = request.header("content-type", "application/json");
        for (name, value) in self.sign(message.clone()).await? {
            request = request.header(name, value);
        }
        if let Some(traceparent) = delivery.inquiry.inquiry.traceparent() {
            request = request.header(TRACEPARENT, traceparent);
        }
        match request.body(message.body).send().await {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => Err(format!("status {}", response.status().as_u16())),
            Err(error) => Err(failure(&error.without_url())),
        }
    }
}

impl Webhooks for HttpWebhooks {
    /// Signed in two ways: `askback-signature`, and as <https://www.standardwebhooks.com> says.
    fn deliver<'a>(&'a self, delivery: WebhookDelivery<'a>) -> PortFuture<'a, Result<(), String>> {
        Box::pin(self.post(delivery))
    }
}

/// Why a webhook was not sent, without its URL, which may contain secrets of the receiver.
fn failure(error: &reqwest::Error) -> String {
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    let mut root = String::new();
    while let Some(found) = cause {
        root = found.to_string();
        if found.is::<WebhookRefusal>() {
            return root;
        }
        cause = found.source();
    }
    format!("{error}: {root}")
}

/// Resolves names to the permitted ones of their addresses.
struct PolicyResolver(Arc<WebhookPolicy>);

impl Resolve for PolicyResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = Arc::clone(&self.0);
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let permitted: Vec<SocketAddr> = found
                .filter(|found| policy.permits(name.as_str(), found.ip()))
                .collect();
            if permitted.is_empty() {
                let host = name.as_str().to_owned();
                return Err(Box::from(WebhookRefusal::Private { host }));
            }
            Ok(Box::new(permitted.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
#[path = "webhook_tests.rs"]
mod tests;

//! HTTP: one client, one kind of request, and time limits that tell a slow reply from a dead line.

use askback_engine::ports::LlmFailure;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url, redirect};
use serde_json::Value;

use super::address::{endpoint, is_loopback};
use super::peer::Peer;
use super::settings::{Settings, SettingsError, Wire};

/// Most bytes of a reply that is not streamed.
const BYTES_MAX: usize = 32 << 20;
/// Most bytes that are read of a reply that is an error.
const ERROR_BYTES_MAX: usize = 64 << 10;

const ANTHROPIC_VERSION: (HeaderName, HeaderValue) = (
    HeaderName::from_static("anthropic-version"),
    HeaderValue::from_static("2023-06-01"),
);

/// The way to one server.
#[derive(Debug)]
pub(super) struct Transport {
    client: Client,
    url: Url,
    pub(super) peer: Peer,
}

impl Transport {
    pub(super) fn new(settings: &Settings) -> Result<Transport, SettingsError> {
        // TLS needs a crypto provider for the process; one that is installed already stays.
        drop(rustls::crypto::ring::default_provider().install_default());
        let url = endpoint(settings.wire, settings.base_url.as_deref())?;
        let mut builder = Client::builder()
            .user_agent(concat!("askback/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers(settings)?)
            .connect_timeout(settings.connect_timeout)
            .read_timeout(settings.idle_timeout)
            // The key goes to the configured server and nowhere else.
            .redirect(redirect::Policy::none())
            .referer(false);
        if is_loopback(&url) {
            builder = builder.no_proxy();
        }
        if url.scheme() == "http" {
            // A machine without root certificates can still use a server of its own.
            builder = builder.tls_certs_only([]);
        }
        let client = builder.build().map_err(SettingsError::Client)?;
        let peer = Peer {
            wire: settings.wire,
            host: url.host_str().unwrap_or_default().to_owned(),
            key: settings.key.clone(),
            idle_secs: settings.idle_timeout.as_secs(),
        };
        Ok(Transport { client, url, peer })
    }

    /// Sends a request; a reply that is not a success is a failure.
    pub(super) async fn send(&self, model: &str, body: &Value) -> Result<Response, LlmFailure> {
        if self.peer.key.is_none() && self.peer.wants_key() {
            return Err(self.peer.no_key());
        }
        let request = self.client.post(self.url.clone()).body(body.to_string());
        let response = request.send().await;
        let mut response = response.map_err(|error| self.peer.unreachable(&error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let mut body = Vec::new();
        // What the server says is only quoted, so whatever can be read of it is enough.
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() > ERROR_BYTES_MAX {
                break;
            }
        }
        Err(self
            .peer
            .answered((status, response.headers()), model, &body))
    }

    /// The next bytes of a reply.
    pub(super) async fn chunk(
        &self,
        response: &mut Response,
    ) -> Result<Option<impl AsRef<[u8]> + std::ops::Deref<Target = [u8]>>, LlmFailure> {
        let chunk = response.chunk().await;
        chunk.map_err(|error| self.peer.unreachable(&error))
    }

    /// All bytes of a reply.
    pub(super) async fn read_all(&self, mut response: Response) -> Result<Vec<u8>, LlmFailure> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(&mut response).await? {
            body.extend_from_slice(&chunk);
            if body.len() > BYTES_MAX {
                return Err(self.peer.malformed("it is too long"));
            }
        }
        Ok(body)
    }
}

fn headers(settings: &Settings) -> Result<HeaderMap, SettingsError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let (name, prefix) = match settings.wire {
        Wire::Anthropic => {
            let (name, version) = ANTHROPIC_VERSION;
            headers.insert(name, version);
            (HeaderName::from_static("x-api-key"), "")
        }
        Wire::OpenAi => (reqwest::header::AUTHORIZATION, "Bearer "),
    };
    if let Some(key) = &settings.key {
        let value = key.header(prefix).ok_or(SettingsError::Key {
            variable: settings.wire.key_variable(),
        })?;
        headers.insert(name, value);
    }
    Ok(headers)
}

//! The HTTP client of one provider. Its timeouts tell a slow reply from a dead connection.

use std::time::Duration;

use askback_engine::ports::LlmFailure;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Response, Url, redirect};
use serde_json::Value;

use super::endpoint::Endpoint;
use super::endpoint_url::{endpoint_url, is_loopback};
use super::settings::{Protocol, ProviderSettings, ProviderSettingsError};

/// Most bytes of a reply that is not streamed.
const BYTES_MAX: usize = 32 << 20;
/// Most bytes that are read of an error response.
const ERROR_BYTES_MAX: usize = 64 << 10;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);

const ANTHROPIC_VERSION: (HeaderName, HeaderValue) = (
    HeaderName::from_static("anthropic-version"),
    HeaderValue::from_static("2023-06-01"),
);

#[derive(Debug)]
pub(super) struct Transport {
    client: Client,
    url: Url,
    pub(super) endpoint: Endpoint,
}

impl Transport {
    pub(super) fn new(settings: &ProviderSettings) -> Result<Transport, ProviderSettingsError> {
        // TLS needs a process-wide crypto provider. If one is installed already, it stays.
        drop(rustls::crypto::ring::default_provider().install_default());
        let url = endpoint_url(settings.protocol, settings.base_url.as_deref())?;
        let mut builder = Client::builder()
            .user_agent(concat!("askback/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers(settings)?)
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(settings.idle_timeout)
            // The key must reach the configured server only.
            .redirect(redirect::Policy::none())
            .referer(false);
        if is_loopback(&url) {
            builder = builder.no_proxy();
        }
        if url.scheme() == "http" {
            // Plain HTTP works on a machine without root certificates.
            builder = builder.tls_certs_only([]);
        }
        let client = builder.build().map_err(ProviderSettingsError::Client)?;
        let endpoint = Endpoint {
            protocol: settings.protocol,
            host: url.host_str().unwrap_or_default().to_owned(),
            key: settings.key.clone(),
            idle_secs: settings.idle_timeout.as_secs(),
        };
        Ok(Transport {
            client,
            url,
            endpoint,
        })
    }

    /// Sends a request. A response without a success status is an error.
    pub(super) async fn send(&self, model: &str, body: &Value) -> Result<Response, LlmFailure> {
        self.endpoint.check_key()?;
        let request = self.client.post(self.url.clone()).body(body.to_string());
        let response = request.send().await;
        let mut response = response.map_err(|error| self.endpoint.transport_error(&error))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let mut body = Vec::new();
        // The body is only quoted, so as much as can be read is enough.
        while let Ok(Some(chunk)) = response.chunk().await {
            body.extend_from_slice(&chunk);
            if body.len() > ERROR_BYTES_MAX {
                break;
            }
        }
        Err(self
            .endpoint
            .error_response(status, response.headers(), model, &body))
    }

    pub(super) async fn chunk(
        &self,
        response: &mut Response,
    ) -> Result<Option<impl AsRef<[u8]> + std::ops::Deref<Target = [u8]>>, LlmFailure> {
        let chunk = response.chunk().await;
        chunk.map_err(|error| self.endpoint.transport_error(&error))
    }

    pub(super) async fn read_all(&self, mut response: Response) -> Result<Vec<u8>, LlmFailure> {
        let mut body = Vec::new();
        while let Some(chunk) = self.chunk(&mut response).await? {
            body.extend_from_slice(&chunk);
            if body.len() > BYTES_MAX {
                return Err(self.endpoint.malformed("it is too long"));
            }
        }
        Ok(body)
    }
}

fn headers(settings: &ProviderSettings) -> Result<HeaderMap, ProviderSettingsError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let (name, prefix) = match settings.protocol {
        Protocol::Anthropic => {
            let (name, version) = ANTHROPIC_VERSION;
            headers.insert(name, version);
            (HeaderName::from_static("x-api-key"), "")
        }
        Protocol::OpenAiChat | Protocol::OpenAiResponses => {
            (reqwest::header::AUTHORIZATION, "Bearer ")
        }
    };
    if let Some(key) = &settings.key {
        let value = key.header(prefix).ok_or(ProviderSettingsError::Key {
            variable: settings.protocol.key_variable(),
        })?;
        headers.insert(name, value);
    }
    Ok(headers)
}

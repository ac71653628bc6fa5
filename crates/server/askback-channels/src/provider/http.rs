//! HTTP to providers: one client, and responses as [`SendError`]s without URLs, tokens or addresses.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, ClientBuilder, Response, StatusCode};

use crate::contract::channel::SendError;
use crate::provider::base_url::{BaseUrl, BaseUrlError};

/// For one request, unless it waits for events.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);
/// A provider that names no time.
const DEFAULT_RETRY: Duration = Duration::from_secs(10);
/// A response of a provider is small.
const RESPONSE_BYTES_MAX: usize = 1024 * 1024;

/// A client for one provider, if it is known. Redirects are not followed, since they would take the token along.
pub(crate) fn client(base: Option<&BaseUrl>, timeout: Duration) -> Result<Client, reqwest::Error> {
    let builder = client_builder(timeout);
    let builder = if base.is_some_and(BaseUrl::is_loopback) {
        builder.no_proxy()
    } else {
        builder
    };
    builder.build()
}

/// A client that follows no redirects.
pub(crate) fn client_builder(timeout: Duration) -> ClientBuilder {
    // TLS needs a crypto provider for the process. Fails if there is one already, which is fine.
    drop(rustls::crypto::ring::default_provider().install_default());
    Client::builder()
        .timeout(timeout)
        .redirect(reqwest::redirect::Policy::none())
}

/// Why a request failed, without its URL.
pub(crate) fn request_error(error: reqwest::Error) -> SendError {
    let error = error.without_url();
    let what = if error.is_timeout() {
        "no response in time".to_owned()
    } else if error.is_connect() {
        "cannot connect".to_owned()
    } else {
        let mut root: &dyn std::error::Error = &error;
        while let Some(source) = root.source() {
            root = source;
        }
        format!("the request failed: {root}")
    };
    SendError::temporary(what)
}

/// The body of a successful response. Other statuses are errors, by what they mean for a message.
pub(crate) async fn successful_body(response: Response) -> Result<String, SendError> {
    let (status, headers) = (response.status(), response.headers().clone());
    let body = limited_body(response, RESPONSE_BYTES_MAX).await?;
    if status.is_success() {
        return Ok(body);
    }
    Err(status_error(status, &headers))
}

/// What a status says about a message.
fn status_error(status: StatusCode, headers: &HeaderMap) -> SendError {
    let text = format!("the provider responds with status {}", status.as_u16());
    match status {
        StatusCode::TOO_MANY_REQUESTS => SendError::RetryAfter(retry_after(headers)),
        StatusCode::SERVICE_UNAVAILABLE if headers.contains_key(RETRY_AFTER) => {
            SendError::RetryAfter(retry_after(headers))
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => SendError::unauthorized(text),
        StatusCode::REQUEST_TIMEOUT => SendError::temporary(text),
        _ if status.is_client_error() => SendError::permanent(text),
        _ => SendError::temporary(text),
    }
}

/// The pause that the provider asks for, in whole seconds.
fn retry_after(headers: &HeaderMap) -> Duration {
    let seconds = headers
        .get(RETRY_AFTER)
        .and_then(|value| value.to_str().ok());
    let seconds = seconds.and_then(|value| value.trim().parse::<u64>().ok());
    seconds.map_or(DEFAULT_RETRY, |seconds| Duration::from_secs(seconds.max(1)))
}

/// The body of a response, if it is not longer than this.
pub(crate) async fn limited_body(
    mut response: Response,
    bytes_max: usize,
) -> Result<String, SendError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(request_error)? {
        if body.len() + chunk.len() > bytes_max {
            return Err(SendError::temporary("the response is too long"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
}

/// Why a channel of a service that is reached over HTTP cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The address is refused.
    #[error("base_url {0}")]
    BaseUrl(#[from] BaseUrlError),
    /// A setting is missing or not valid, and what to write.
    #[error("{0}")]
    Setting(&'static str),
    /// The HTTP client cannot be made.
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] reqwest::Error),
}

//! Sends requests and decodes responses, with retries.

use std::sync::Arc;
use std::time::Duration;

use askback_core::outcome::Actor;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::error::{ClientError, DecodeError, TransportError};
use crate::reconnect::Reconnect;
use crate::server_address::{CurrentServer, ServerAddress};
use askback_wire::actor::{ACTOR_HEADER, SURFACE_HEADER, SurfaceName, encode_actor};
use askback_wire::credential::AGENT_HEADER;
use askback_wire::path::percent_encoded;
use askback_wire::problem::ProblemResponse;

/// The pause before the first retry. Doubles with each further one.
pub(crate) const BACKOFF_MIN: Duration = Duration::from_millis(100);
/// Attempts at a request, including the first.
const ATTEMPTS_MAX: u32 = 4;
/// How long to retry if there is a [`Reconnect`], since a new server may be starting.
const RECONNECT_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest pause between attempts if there is a [`Reconnect`].
const RECONNECT_BACKOFF_MAX: Duration = Duration::from_millis(500);
/// Longer than any long poll.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(90);

/// When to retry a request after the connection broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retry {
    /// The request changes nothing, or has an idempotency key.
    Always,
    /// Only if no connection was made, because otherwise it could take effect twice.
    IfNotSent,
}

impl Retry {
    pub(crate) fn if_keyed<T>(key: Option<&T>) -> Retry {
        match key {
            Some(_) => Retry::Always,
            None => Retry::IfNotSent,
        }
    }
}

/// The current server, and the headers of every request.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    server: CurrentServer,
    headers: HeaderMap,
    reconnect: Option<Arc<dyn Reconnect>>,
}

impl Http {
    pub(crate) fn new(address: ServerAddress) -> Http {
        Http {
            server: CurrentServer::new(address),
            headers: HeaderMap::new(),
            reconnect: None,
        }
    }

    /// Switches to another server, with all clones.
    pub(crate) fn move_to(&self, address: ServerAddress) {
        self.server.move_to(address);
    }

    pub(crate) fn set_reconnect(&mut self, reconnect: Arc<dyn Reconnect>) {
        self.reconnect = Some(reconnect);
    }

    pub(crate) fn can_reconnect(&self) -> bool {
        self.reconnect.is_some()
    }

    /// Switches to the current server after the one at `lost` could not be reached, unless another clone
    /// did so already.
    pub(crate) async fn reconnect(&self, lost: &str) {
        let Some(reconnect) = &self.reconnect else {
            return;
        };
        if self.base() == lost
            && let Some(found) = reconnect.reconnect(lost).await
            && !self.server.now().is(&found)
            && let Ok(address) = ServerAddress::discovered(&found)
        {
            self.server.move_to(address);
        }
    }

    pub(crate) fn set_actor(&mut self, actor: &Actor) {
        let surface = SurfaceName::from(actor.surface);
        let name = actor.name.as_ref().map(encode_actor);
        let headers = [
            (ACTOR_HEADER, name.as_deref()),
            (SURFACE_HEADER, Some(surface.as_str())),
        ];
        for (header, value) in headers {
            let header = HeaderName::from_static(header);
            // Both values are ASCII.
            match value.and_then(|value| HeaderValue::from_str(value).ok()) {
                Some(value) => self.headers.insert(header, value),
                None => self.headers.remove(header),
            };
        }
    }

    pub(crate) fn set_agent(&mut self, name: &str) {
        // It is ASCII.
        if let Ok(value) = HeaderValue::from_str(&percent_encoded(name)) {
            let header = HeaderName::from_static(AGENT_HEADER);
            self.headers.insert(header, value);
        }
    }

    pub(crate) fn base(&self) -> String {
        self.server.now().base
    }

    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &impl Serialize,
    ) -> Result<T, ClientError> {
        let path = format!("{path}{}", query_string(query));
        let request = || self.request(Method::GET, &path);
        decode(checked(self.send(request, Retry::Always).await?).await?).await
    }

    /// Makes one attempt only.
    pub(crate) async fn get_once<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        let response = self.request(Method::GET, path).send().await?;
        decode(checked(response).await?).await
    }

    pub(crate) async fn get_whatever_status<T: DeserializeOwned>(
        &self,
        path: &str,
    ) -> Result<T, ClientError> {
        let request = || self.request(Method::GET, path);
        decode(self.send(request, Retry::Always).await?).await
    }

    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        params: &impl Serialize,
        retry: Retry,
    ) -> Result<T, ClientError> {
        let request = || self.request(Method::POST, path).json(params);
        decode(checked(self.send(request, retry).await?).await?).await
    }

    pub(crate) async fn post_silently(
        &self,
        path: &str,
        params: &impl Serialize,
        retry: Retry,
    ) -> Result<(), ClientError> {
        let request = || self.request(Method::POST, path).json(params);
        checked(self.send(request, retry).await?).await?;
        Ok(())
    }

    pub(crate) async fn put<T: DeserializeOwned>(
        &self,
        path: &str,
        params: &impl Serialize,
    ) -> Result<T, ClientError> {
        let request = || self.request(Method::PUT, path).json(params);
        decode(checked(self.send(request, Retry::Always).await?).await?).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<(), ClientError> {
        let request = || self.request(Method::DELETE, path);
        checked(self.send(request, Retry::IfNotSent).await?).await?;
        Ok(())
    }

    /// Opens a feed. Waits for the response headers only, since the body never ends.
    pub(crate) async fn open_feed(
        &self,
        path: &str,
        last_id: Option<&str>,
    ) -> Result<Response, ClientError> {
        let mut request = self
            .begin(Method::GET, path)
            .header(ACCEPT, "text/event-stream");
        if let Some(id) = last_id {
            request = request.header("last-event-id", id);
        }
        let response = tokio::time::timeout(RESPONSE_TIMEOUT, request.send());
        let response = response.await.map_err(|_| TransportError::Timeout)??;
        checked(response).await
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.begin(method, path)
            .header(ACCEPT, "application/json")
            .timeout(RESPONSE_TIMEOUT)
    }

    /// A request to the current server with the common headers.
    fn begin(&self, method: Method, path: &str) -> RequestBuilder {
        let address = self.server.now();
        let request = address
            .connections
            .request(method, format!("{}{path}", address.base))
            .headers(self.headers.clone());
        match address.authorization {
            Some(value) => request.header(AUTHORIZATION, value),
            None => request,
        }
    }

    /// Sends a request, with retries.
    async fn send(
        &self,
        request: impl Fn() -> RequestBuilder,
        retry: Retry,
    ) -> Result<Response, ClientError> {
        let mut pause = BACKOFF_MIN;
        let mut attempt = 1;
        let begun = Instant::now();
        loop {
            let base = self.base();
            let error = match request().send().await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            let may_retry = retry == Retry::Always || error.is_connect();
            let gave_up = if self.can_reconnect() {
                begun.elapsed() >= RECONNECT_TIMEOUT
            } else {
                attempt >= ATTEMPTS_MAX
            };
            if !may_retry || error.is_builder() || gave_up {
                return Err(error.into());
            }
            tokio::time::sleep(pause).await;
            self.reconnect(&base).await;
            pause *= 2;
            if self.can_reconnect() {
                pause = pause.min(RECONNECT_BACKOFF_MAX);
            }
            attempt += 1;
        }
    }
}

/// `?name=value…` for the fields of `query` that have a value, or nothing.
fn query_string(query: &impl Serialize) -> String {
    match serde_urlencoded::to_string(query) {
        Ok(pairs) if !pairs.is_empty() => format!("?{pairs}"),
        _ => String::new(),
    }
}

/// Turns an error status into a problem.
async fn checked(response: Response) -> Result<Response, ClientError> {
    if response.status().is_success() {
        return Ok(response);
    }
    let status = response.status();
    let body = response.bytes().await?;
    let problem = serde_json::from_slice(&body).unwrap_or_else(|_| ProblemResponse {
        kind: "about:blank".to_owned(),
        title: status.canonical_reason().unwrap_or_default().to_owned(),
        status: status.as_u16(),
        code: "unexpected_status".to_owned(),
        detail: format!("The server answered with status {}.", status.as_u16()),
        errors: Vec::new(),
        problems: Vec::new(),
        winner: None,
        retry_after_seconds: None,
        request_id: None,
    });
    Err(ClientError::Problem(Box::new(problem)))
}

async fn decode<T: DeserializeOwned>(response: Response) -> Result<T, ClientError> {
    let status = response.status().as_u16();
    let body = response.bytes().await?;
    serde_json::from_slice(&body).map_err(|error| {
        ClientError::Decode(DecodeError {
            status,
            line: error.line(),
            column: error.column(),
        })
    })
}

//! Requests and replies, below the routes.

use std::sync::Arc;
use std::time::Duration;

use askback_core::outcome::Actor;
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

use crate::error::{ClientError, DecodeError, TransportError};
use crate::place::{Address, Place};
use crate::reconnect::Reconnect;
use askback_wire::actor::{ACTOR_HEADER, SURFACE_HEADER, SurfaceName, encode_actor};
use askback_wire::problem::ProblemResponse;

/// The first pause before a repeated request; it doubles from there.
pub(crate) const PAUSE_MIN: Duration = Duration::from_millis(100);
/// Attempts at a request that may be repeated, the first included.
const ATTEMPTS_MAX: u32 = 4;
/// For how long a request is repeated that may be, where servers come and go.
const RECONNECT_MAX: Duration = Duration::from_secs(30);
/// The longest pause between two attempts where servers come and go.
const RECONNECT_PAUSE_MAX: Duration = Duration::from_millis(500);
/// How long a reply may take; longer than any long poll.
const REPLY_MAX: Duration = Duration::from_secs(90);

/// Whether a request may be sent again when nobody knows whether it arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// It changes nothing, or carries a key by which the server knows it again.
    Safely,
    /// It could do its work twice.
    Never,
}

impl Repeat {
    /// A key makes a repeated send harmless.
    pub(crate) fn if_keyed<T>(key: Option<&T>) -> Repeat {
        match key {
            Some(_) => Repeat::Safely,
            None => Repeat::Never,
        }
    }
}

/// Where requests go, with what every request carries.
#[derive(Debug, Clone)]
pub(crate) struct Http {
    place: Place,
    headers: HeaderMap,
    reconnect: Option<Arc<dyn Reconnect>>,
}

impl Http {
    pub(crate) fn new(address: Address) -> Http {
        Http {
            place: Place::new(address),
            headers: HeaderMap::new(),
            reconnect: None,
        }
    }

    /// Goes on at another address, with all clones.
    pub(crate) fn move_to(&self, address: Address) {
        self.place.move_to(address);
    }

    pub(crate) fn set_reconnect(&mut self, reconnect: Arc<dyn Reconnect>) {
        self.reconnect = Some(reconnect);
    }

    /// Whether there is somebody to ask where the server is.
    pub(crate) fn can_reconnect(&self) -> bool {
        self.reconnect.is_some()
    }

    /// Goes on where the server is now, after the one at `lost` could not be reached. Another clone
    /// may have done so already.
    pub(crate) async fn reconnect(&self, lost: &str) {
        let Some(reconnect) = &self.reconnect else {
            return;
        };
        if self.base() == lost
            && let Some(found) = reconnect.reconnect(lost).await
            && !self.place.now().is(&found)
            && let Ok(address) = Address::found(&found)
        {
            self.place.move_to(address);
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
            // Both are plain ASCII.
            match value.and_then(|value| HeaderValue::from_str(value).ok()) {
                Some(value) => self.headers.insert(header, value),
                None => self.headers.remove(header),
            };
        }
    }

    pub(crate) fn base(&self) -> String {
        self.place.now().base
    }

    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &impl Serialize,
    ) -> Result<T, ClientError> {
        let path = format!("{path}{}", query_string(query));
        let request = || self.request(Method::GET, &path);
        decode(checked(self.send(request, Repeat::Safely).await?).await?).await
    }

    /// One attempt: tells whether the server can be reached now.
    pub(crate) async fn get_once<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        let response = self.request(Method::GET, path).send().await?;
        decode(checked(response).await?).await
    }

    pub(crate) async fn get_whatever_status<T: DeserializeOwned>(
        &self,
        path: &str,
    ) -> Result<T, ClientError> {
        let request = || self.request(Method::GET, path);
        decode(self.send(request, Repeat::Safely).await?).await
    }

    pub(crate) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        params: &impl Serialize,
        repeat: Repeat,
    ) -> Result<T, ClientError> {
        let request = || self.request(Method::POST, path).json(params);
        decode(checked(self.send(request, repeat).await?).await?).await
    }

    pub(crate) async fn post_silently(
        &self,
        path: &str,
        params: &impl Serialize,
        repeat: Repeat,
    ) -> Result<(), ClientError> {
        let request = || self.request(Method::POST, path).json(params);
        checked(self.send(request, repeat).await?).await?;
        Ok(())
    }

    pub(crate) async fn put<T: DeserializeOwned>(
        &self,
        path: &str,
        params: &impl Serialize,
    ) -> Result<T, ClientError> {
        let request = || self.request(Method::PUT, path).json(params);
        decode(checked(self.send(request, Repeat::Safely).await?).await?).await
    }

    pub(crate) async fn put_silently(
        &self,
        path: &str,
        params: &impl Serialize,
    ) -> Result<(), ClientError> {
        let request = || self.request(Method::PUT, path).json(params);
        checked(self.send(request, Repeat::Safely).await?).await?;
        Ok(())
    }

    pub(crate) async fn delete(&self, path: &str) -> Result<(), ClientError> {
        let request = || self.request(Method::DELETE, path);
        checked(self.send(request, Repeat::Never).await?).await?;
        Ok(())
    }

    /// Opens a feed. It has no end, so no reply is waited for beyond its head.
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
        let response = tokio::time::timeout(REPLY_MAX, request.send());
        let response = response.await.map_err(|_| TransportError::Silent)??;
        checked(response).await
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.begin(method, path)
            .header(ACCEPT, "application/json")
            .timeout(REPLY_MAX)
    }

    /// A request to where the server is now, with what every request carries.
    fn begin(&self, method: Method, path: &str) -> RequestBuilder {
        let address = self.place.now();
        let request = address
            .connections
            .request(method, format!("{}{path}", address.base))
            .headers(self.headers.clone());
        match address.authorization {
            Some(value) => request.header(AUTHORIZATION, value),
            None => request,
        }
    }

    /// Sends a request, again if it may be and the connection broke.
    async fn send(
        &self,
        request: impl Fn() -> RequestBuilder,
        repeat: Repeat,
    ) -> Result<Response, ClientError> {
        let mut pause = PAUSE_MIN;
        let mut attempt = 1;
        let begun = Instant::now();
        loop {
            let base = self.base();
            let error = match request().send().await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            // A connection that never came about has carried nothing.
            let harmless = repeat == Repeat::Safely || error.is_connect();
            let over = if self.can_reconnect() {
                begun.elapsed() >= RECONNECT_MAX
            } else {
                attempt >= ATTEMPTS_MAX
            };
            if !harmless || error.is_builder() || over {
                return Err(error.into());
            }
            tokio::time::sleep(pause).await;
            self.reconnect(&base).await;
            pause *= 2;
            if self.can_reconnect() {
                pause = pause.min(RECONNECT_PAUSE_MAX);
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

/// The response, or the problem that it is.
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

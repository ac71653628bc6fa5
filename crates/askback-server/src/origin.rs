//! CORS: other origins whose pages may call the API with the token, and never with a cookie.
//!
//! Credentials are never allowed, so a page of an allowed origin can do no more than any program that has the
//! token.

use std::fmt;
use std::str::FromStr;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

const METHODS: &str = "GET, POST, PUT, DELETE";
const HEADERS: &str =
    "authorization, content-type, last-event-id, x-askback-actor, x-askback-surface";
const EXPOSED: &str = "location, retry-after";
/// Seconds for which browsers cache a preflight.
const MAX_AGE: &str = "600";

/// Scheme, host and optional port, as browsers write it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(String);

/// Not a valid origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an origin: write scheme and host alone, such as https://app.example")]
pub struct OriginError(String);

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Origin, OriginError> {
        let refused = || OriginError(text.to_owned());
        let bare = text.trim().trim_end_matches('/').to_ascii_lowercase();
        let (scheme, host) = bare.split_once("://").ok_or_else(refused)?;
        let uri: Uri = bare.parse().map_err(|_| refused())?;
        let authority = uri.authority().map(axum::http::uri::Authority::as_str);
        let plain = authority == Some(host) && !host.contains(['@', '*']);
        if !matches!(scheme, "http" | "https") || !plain || host.is_empty() {
            return Err(refused());
        }
        // Browsers omit the default port.
        let usual = if scheme == "http" { ":80" } else { ":443" };
        Ok(Origin(bare.strip_suffix(usual).unwrap_or(&bare).to_owned()))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Origin {
    /// Compares with an `Origin` header. The whole origin must be equal.
    pub(crate) fn is(&self, sent: &str) -> bool {
        self.0 == sent
    }
}

pub(crate) fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

pub(crate) fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    let allow = [
        (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS),
        (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE),
    ];
    headers.extend(allow.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}

/// Allows pages of this origin to read the response.
pub(crate) fn with_cors_headers(origin: HeaderValue, mut response: Response) -> Response {
    let headers: &mut HeaderMap = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static(EXPOSED),
    );
    headers.append(header::VARY, HeaderValue::from_static("origin"));
    response
}

#[cfg(test)]
#[path = "origin_tests.rs"]
mod tests;

//! Other sites whose pages may call the API: those that the operator named, with the token, and
//! never with a cookie.
//!
//! A browser asks before a page may call another site (a preflight), and shows the page the reply
//! only if it is told to. Credentials are never allowed, so a page of an allowed site can do no
//! more than any program that has the token.

use std::fmt;
use std::str::FromStr;

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

/// What an allowed page may do.
const METHODS: &str = "GET, POST, PUT, DELETE";
/// What it may send along.
const HEADERS: &str =
    "authorization, content-type, last-event-id, x-askback-actor, x-askback-surface";
/// What it may read of a reply beside the body.
const EXPOSED: &str = "location, retry-after";
/// How long a browser need not ask again, in seconds.
const MAX_AGE: &str = "600";

/// An origin: scheme, host and perhaps a port, as a browser writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(String);

/// Not an origin.
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
        // A browser leaves the usual port out.
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
    /// Whether a browser that sends this comes from here. Nothing but the whole origin counts.
    pub(crate) fn is(&self, sent: &str) -> bool {
        self.0 == sent
    }
}

/// Whether a browser asks if a page may call.
pub(crate) fn is_preflight(request: &Request) -> bool {
    request.method() == Method::OPTIONS
        && request
            .headers()
            .contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The answer to a preflight: what a page may send.
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

/// The response as pages of this origin may read it.
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

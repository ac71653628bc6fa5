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

/// What browsers send for a page that has no origin.
const NO_ORIGIN: &str = "null";
const ANY_HOST: &str = "*";
const PROGRAM_SCHEMES: &[&str] = &["app", "capacitor", "ionic", "tauri", "vscode-webview"];

/// Scheme, host and optional port, as browsers write it; `null`, which is every page without an origin, such as a file; or all
/// hosts of a scheme that no web server has, such as `vscode-webview://*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(String);

/// Not a valid origin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not an origin: write scheme and host alone, such as https://app.example; app://name or vscode-webview://* for programs; or \
     null for pages without an origin, such as files"
)]
pub struct OriginError(String);

impl FromStr for Origin {
    type Err = OriginError;

    fn from_str(text: &str) -> Result<Origin, OriginError> {
        let refused = || OriginError(text.to_owned());
        let bare = text.trim().to_ascii_lowercase();
        if bare == NO_ORIGIN {
            return Ok(Origin(bare));
        }
        let bare = bare.trim_end_matches('/').to_owned();
        let (scheme, host) = bare.split_once("://").ok_or_else(refused)?;
        if is_program_scheme(scheme) && host == ANY_HOST {
            return Ok(Origin(bare));
        }
        let uri: Uri = bare.parse().map_err(|_| refused())?;
        let authority = uri.authority().map(axum::http::uri::Authority::as_str);
        let plain = authority == Some(host) && !host.contains(['@', '*']);
        let is_known = matches!(scheme, "http" | "https") || is_program_scheme(scheme);
        if !is_known || !plain || host.is_empty() {
            return Err(refused());
        }
        // Browsers omit the default port.
        let usual = if scheme == "http" { ":80" } else { ":443" };
        Ok(Origin(bare.strip_suffix(usual).unwrap_or(&bare).to_owned()))
    }
}

/// Whether pages of this scheme come from a program: an app or an editor. Whoever has another page of that kind open has
/// installed it.
fn is_program_scheme(scheme: &str) -> bool {
    PROGRAM_SCHEMES.contains(&scheme)
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Origin {
    /// Compares with an `Origin` header. The whole origin must be equal.
    pub(crate) fn is(&self, sent: &str) -> bool {
        match self.0.strip_suffix(ANY_HOST) {
            Some(scheme) => sent
                .strip_prefix(scheme)
                .is_some_and(|host| !host.is_empty()),
            None => self.0 == sent,
        }
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

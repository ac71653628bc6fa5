//! The page for callers without a valid token, session or link: it says how to sign in.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::{headers, html, language};

pub(crate) fn sign_in_page(headers: &HeaderMap) -> Response {
    unauthorized(headers, &["web-signed-out"])
}

/// For the page of a question: a link may have opened it before.
pub(super) fn link_expired_page(headers: &HeaderMap) -> Response {
    unauthorized(headers, &["web-not-found", "web-signed-out"])
}

fn unauthorized(headers: &HeaderMap, messages: &[&str]) -> Response {
    let locale = language::of(headers);
    let mut response = html::message_page(locale, StatusCode::UNAUTHORIZED, messages);
    response
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    headers::secured(response)
}

//! The page for those who have neither token nor cookie: how to get in, and nothing else.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::html::{self, Escaped};
use super::{headers, language};

/// How to get in.
pub(crate) fn entry_page(headers: &HeaderMap) -> Response {
    refused(headers, &["web-signed-out"])
}

/// The same for the page of a question, which a link may have opened once.
pub(super) fn locked_page(headers: &HeaderMap) -> Response {
    refused(headers, &["web-not-found", "web-signed-out"])
}

fn refused(headers: &HeaderMap, messages: &[&str]) -> Response {
    let locale = language::of(headers);
    let words = messages.iter().map(|id| locale.text(id, &[]));
    let words: Vec<String> = words
        .map(|words| format!("<p>{}</p>\n", Escaped(&words)))
        .collect();
    let main = format!("<h1>askback</h1>\n{}", words.concat());
    let body = html::document(locale, "askback", &main);
    let mut response = html::page(StatusCode::UNAUTHORIZED, body);
    response
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    headers::secured(response)
}

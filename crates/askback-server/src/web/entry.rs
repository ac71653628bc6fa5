//! The page for those who have neither token nor cookie: how to get in, and nothing else.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::html::{self, Escaped};
use super::{headers, language};

/// How to get in.
pub(crate) fn entry_page(headers: &HeaderMap) -> Response {
    let locale = language::of(headers);
    let how = locale.text("web-signed-out", &[]);
    let body = format!("<h1>askback</h1>\n<p>{}</p>\n", Escaped(&how));
    let body = html::document(locale, "askback", &body);
    let mut response = html::page(StatusCode::UNAUTHORIZED, body);
    response
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    headers::secured(response)
}

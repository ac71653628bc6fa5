//! The page for those who have neither token nor cookie: how to get in, and nothing else.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;

use super::html::{self, Escaped};
use super::{headers, language};

const HOW: &str = "This page opens with the address that “askback serve” printed: it carries the \
                   token once.";

/// How to get in.
pub(crate) fn entry_page(headers: &HeaderMap) -> Response {
    let tag = language::of(headers);
    let direction = language::direction(tag);
    let body = format!(
        "<!doctype html>\n<html lang=\"{tag}\" dir=\"{direction}\">\n<head>\n\
         <meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>askback</title>\n</head>\n<body>\n<main>\n<h1>askback</h1>\n\
         <p>{}</p>\n</main>\n</body>\n</html>\n",
        Escaped(HOW)
    );
    let mut response = html::page(StatusCode::UNAUTHORIZED, body);
    response
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    headers::secured(response)
}

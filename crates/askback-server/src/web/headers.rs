//! What a browser is told with every page and file: run nothing but our own modules, show nothing of
//! others, tell nobody where it came from.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

/// What pages may do. No inline script or style, no other origin, no markup made from text.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const HEADERS: &[(&str, &str)] = &[
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    // Another site cannot even find out that the file is there.
    ("cross-origin-resource-policy", "same-origin"),
];

/// The response with these headers. A referrer policy that it has already is kept.
pub(crate) fn secured(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    headers
        .entry(header::REFERRER_POLICY)
        .or_insert(HeaderValue::from_static("no-referrer"));
    response
}

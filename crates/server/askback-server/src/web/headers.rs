//! Security headers of every page and file: only our own scripts, nothing from other origins, no
//! referrer.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

use crate::origin::Origin;

/// No inline script or style, no other origin, no markup from strings (trusted types). The one policy is for the
/// address of the service worker.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self'; img-src 'self' data:; manifest-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
     trusted-types askback-worker";

const HEADERS: &[(&str, &str)] = &[
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("cross-origin-opener-policy", "same-origin"),
    // Another site cannot find out whether a file exists.
    ("cross-origin-resource-policy", "same-origin"),
];

/// Adds the security headers. An existing referrer policy is kept.
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

/// Lets pages of these origins show the page in a frame.
pub(crate) fn with_frame_origins(mut response: Response, origins: &[Origin]) -> Response {
    let origins: Vec<String> = origins.iter().map(Origin::to_string).collect();
    let allowed = format!("frame-ancestors {}", origins.join(" "));
    let policy = POLICY.replace("frame-ancestors 'none'", &allowed);
    let headers = response.headers_mut();
    if headers.contains_key(header::CONTENT_SECURITY_POLICY)
        && let Ok(policy) = HeaderValue::from_str(&policy)
    {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Lets the browser send `Origin` with the form. With `no-referrer` it would send `null`, and the
/// server would refuse the form as cross-site.
pub(super) fn with_origin(mut response: Response) -> Response {
    response.headers_mut().insert(
        header::REFERRER_POLICY,
        HeaderValue::from_static("same-origin"),
    );
    response
}
